//===- WindowSums.cpp - the adjoint of windows ----------------------------===//
//
// What windows read is added up from the side of the elements: an element asks the few windows that
// may have read it. So nothing is written twice, and elements do not wait for each other.
//
//===----------------------------------------------------------------------===//

#include "Sizes.h"
#include "Windows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

namespace {

/// Arithmetic on values of index type.
struct IndexBuilder {
  OpBuilder &b;
  Location loc;

  Value number(int64_t n) { return arith::ConstantIndexOp::create(b, loc, n); }
  Value add(Value x, int64_t n) { return n ? arith::AddIOp::create(b, loc, x, number(n)) : x; }
  Value minus(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  Value times(Value x, int64_t n) {
    return n == 1 ? x : arith::MulIOp::create(b, loc, x, number(n));
  }
  Value over(Value x, int64_t n) {
    return n == 1 ? x : arith::DivUIOp::create(b, loc, x, number(n));
  }
  /// Unsigned: what is below 0 is far above.
  Value isBelow(Value x, OpFoldResult n) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, x, asIndex(b, loc, n));
  }
  Value isBelow(Value x, int64_t n) { return isBelow(x, OpFoldResult(b.getIndexAttr(n))); }
  Value both(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
  Value orZero(Value condition, Value x) {
    return arith::SelectOp::create(b, loc, condition, x, number(0));
  }
};

} // namespace

/// How many windows may begin at or before an element and still reach it.
static int64_t reach(const Window &window) {
  return llvm::divideCeilSigned(window.extent(), window.stride);
}

/// The window that begins last at or before the element at `place`, or `back` windows before that;
/// true if there is such a window and it reads the element.
static Value findWindow(IndexBuilder index, const WindowsAlong &along, Value place, Value back,
                        WindowRead &read) {
  const Window &window = along.window;
  Value padded = index.add(place, window.before);
  Value number = index.minus(index.over(padded, window.stride), back);
  Value offset = index.minus(padded, index.times(number, window.stride));
  Value tap = index.over(offset, window.dilation);
  Value reads = index.both(index.isBelow(number, along.count), index.isBelow(tap, window.size));
  if (window.dilation > 1) {
    Value between = index.minus(offset, index.times(tap, window.dilation));
    reads = index.both(reads, index.isBelow(between, 1));
  }
  // A window that does not read it may not be there at all.
  read.windows.push_back(index.orZero(reads, number));
  read.taps.push_back(index.orZero(reads, tap));
  return reads;
}

Value sumOverWindows(OpBuilder &b, Location loc, RankedTensorType type,
                     ArrayRef<OpFoldResult> sizes, Type dtype, ArrayRef<WindowsAlong> along,
                     WindowTerm term) {
  unsigned rank = type.getRank(), loops = rank + along.size();
  MLIRContext *context = b.getContext();
  SmallVector<int64_t> reaches;
  SmallVector<AffineExpr> backs;
  for (auto [i, dim] : llvm::enumerate(along)) {
    reaches.push_back(reach(dim.window));
    backs.push_back(getAffineDimExpr(rank + i, context));
  }
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  kinds.append(along.size(), utils::IteratorType::reduction);
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    SmallVector<Value> place;
    for (unsigned i = 0; i < loops; ++i)
      place.push_back(linalg::IndexOp::create(b, loc, i));
    ScalarBuilder build{b, loc, accumulatorOf(dtype)};
    IndexBuilder index{b, loc};
    WindowRead read;
    Value reads;
    for (auto [i, dim] : llvm::enumerate(along)) {
      Value here = findWindow(index, dim, place[dim.dim], place[rank + i], read);
      reads = reads ? index.both(reads, here) : here;
    }
    Element each = term(build, ArrayRef(place).take_front(rank), read);
    each = select(Element::raw(build, reads), each, constant(build, 0));
    linalg::YieldOp::create(b, loc, (Element::raw(build, args[1]) + each).v);
  };
  RankedTensorType sums = type.clone(storageType(accumulatorOf(dtype)));
  Value extents = tensor::EmptyOp::create(b, loc, reaches, sums.getElementType());
  Value zero = constantOf(b, loc, sums.getElementType(), 0);
  Value result = linalg::GenericOp::create(
                     b, loc, TypeRange(sums), extents, filled(b, loc, sums, sizes, zero),
                     {AffineMap::get(loops, 0, backs, context), leadingLoops(context, loops, rank)},
                     kinds, body)
                     .getResult(0);
  return convertedTensor(b, loc, result, accumulatorOf(dtype), dtype);
}

} // namespace jit
