//===- Regions.cpp - bins of boxes in images ------------------------------===//

#include "Regions.h"
#include "Sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static Value indexOf(OpBuilder &b, Location loc, int64_t n) {
  return arith::ConstantIndexOp::create(b, loc, n);
}

/// An index as a float.
static Element numberOf(ScalarBuilder &build, Value index) {
  OpBuilder &b = build.builder;
  Value whole = arith::IndexCastOp::create(b, build.loc, b.getI64Type(), index);
  return Element(build, whole, b.getI64Type());
}

/// A whole float from 0 to what an index is as one; NaN and what is below are 0.
static Value placeOf(ScalarBuilder &build, Element number, Element most) {
  OpBuilder &b = build.builder;
  Element zero = constant(build, 0);
  number = select(number > zero, number, zero);
  number = select(number < most, number, most);
  Value whole = convertScalar(b, build.loc, number.v, build.compute, b.getI64Type());
  return arith::IndexCastOp::create(b, build.loc, b.getIndexType(), whole);
}

/// Half away from zero, as C has it.
static Element nearest(ScalarBuilder &build, Element number) {
  Element whole = trunc(number), rest = abs(number - whole), zero = constant(build, 0);
  Element step = select(number < zero, constant(build, -1), constant(build, 1));
  return select(rest >= 0.5, whole + step, whole);
}

static Element columnOf(ScalarBuilder &build, const Bins &bins, Value box, int64_t column) {
  OpBuilder &b = build.builder;
  ValueRange place{box, indexOf(b, build.loc, column)};
  Value number = tensor::ExtractOp::create(b, build.loc, bins.boxes, place);
  return Element::raw(build, number) * Element(build, bins.scale, b.getF64Type());
}

//===----------------------------------------------------------------------===//
// Sides of bins
//===----------------------------------------------------------------------===//

Bin::Side Bin::samplesAlong(ScalarBuilder &build, const Bins &bins, Value box, Value place,
                            bool isColumn) const {
  OpBuilder &b = build.builder;
  Location loc = build.loc;
  Element half = constant(build, 0.5), zero = constant(build, 0);
  std::optional<Element> isAligned;
  if (bins.isAligned)
    isAligned = Element::raw(build, bins.isAligned);
  Element shift = isAligned ? select(*isAligned, half, zero) : half;
  Element start = columnOf(build, bins, box, isColumn ? 1 : 2) - shift;
  Element length = columnOf(build, bins, box, isColumn ? 3 : 4) - shift - start;
  if (isAligned) {
    Element one = constant(build, 1);
    length = select(*isAligned, length, select(length < one, one, length));
  }
  Element step = length / double(isColumn ? bins.columns : bins.rows);
  // As many samples as an int of 32 bits counts: a box of more could not be read in any time.
  Element whole = ceil(step);
  Value own = placeOf(build, whole, constant(build, double((int64_t(1) << 31) - 128)));
  Value isGiven = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, bins.samples,
                                        arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0)));
  Value given = arith::IndexCastOp::create(b, loc, b.getIndexType(), bins.samples);
  Side side;
  side.start = start.v, side.length = step.v, side.place = place;
  side.count = arith::SelectOp::create(b, loc, isGiven, given, own);
  side.number = select(Element::raw(build, isGiven), numberOf(build, given), whole).v;
  side.size = asIndex(b, loc, isColumn ? bins.width : bins.height);
  return side;
}

Bin::Side Bin::pixelsAlong(ScalarBuilder &build, const Bins &bins, Value box, Value place,
                           bool isColumn) const {
  OpBuilder &b = build.builder;
  Location loc = build.loc;
  Element start = nearest(build, columnOf(build, bins, box, isColumn ? 1 : 2));
  Element end = nearest(build, columnOf(build, bins, box, isColumn ? 3 : 4));
  Element one = constant(build, 1), length = end - start;
  if (bins.includesEnd)
    length = length + one;
  length = select(length < one, one, length);
  Element step = length / double(isColumn ? bins.columns : bins.rows);
  Side side;
  side.size = asIndex(b, loc, isColumn ? bins.width : bins.height);
  Element number = numberOf(build, place), most = numberOf(build, side.size);
  if (bins.stopsBeforeLast)
    most = most - one;
  side.from = placeOf(build, floor(number * step) + start, most);
  side.to = placeOf(build, ceil((number + one) * step) + start, most);
  return side;
}

Bin::Bin(OpBuilder &b, Location loc, const Bins &bins, ValueRange place)
    : dtype(bins.dtype), readsPixels(bins.readsPixels), countsNone(bins.countsNone) {
  ScalarBuilder build{b, loc, dtype};
  auto along = [&](Value at, bool isColumn) {
    return readsPixels ? pixelsAlong(build, bins, place[0], at, isColumn)
                       : samplesAlong(build, bins, place[0], at, isColumn);
  };
  rows = along(place[2], false);
  columns = along(place[3], true);
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

using StepBody = function_ref<SmallVector<Value>(OpBuilder &, Location, Value, ValueRange)>;

static SmallVector<Value> loopOver(OpBuilder &b, Location loc, Value from, Value to,
                                   ValueRange init, StepBody body) {
  auto step = [&](OpBuilder &b, Location loc, Value counter, ValueRange carried) {
    scf::YieldOp::create(b, loc, body(b, loc, counter, carried));
  };
  return llvm::to_vector(ValueRange(
      scf::ForOp::create(b, loc, from, to, indexOf(b, loc, 1), init, step).getResults()));
}

namespace {
/// The two pixels beside a sample along one dimension.
struct Pair {
  Value low, high;
  Value share;    // of the higher one
  Value isInside; // the sample is, or at most one pixel beside the image
};
} // namespace

/// Of sample `number` in the bin at `place`.
static Pair pairAt(ScalarBuilder &build, Element start, Element length, Value place, Value number,
                   Value count, Value size) {
  OpBuilder &b = build.builder;
  Location loc = build.loc;
  Element zero = constant(build, 0), extent = numberOf(build, size), last = extent - 1.0;
  Element at = start + numberOf(build, place) * length +
               (numberOf(build, number) + 0.5) * length / numberOf(build, count);
  // NaN is outside, and so is all of an image without pixels.
  Element isNear = logicalAnd(at >= -1.0, at <= extent);
  Element isInside = logicalAnd(isNear, extent > zero);
  at = select(at > zero, at, zero);
  Element low = floor(at), isLast = low >= last;
  Element share = select(isLast, zero, at - low);
  Pair pair;
  pair.low = placeOf(build, low, last);
  Value next = arith::AddIOp::create(b, loc, pair.low, indexOf(b, loc, 1));
  pair.high = arith::SelectOp::create(b, loc, isLast.v, pair.low, next);
  Value isThere = isInside.v;
  // Where nothing is read the place is 0 all the same.
  pair.low = arith::SelectOp::create(b, loc, isThere, pair.low, indexOf(b, loc, 0));
  pair.high = arith::SelectOp::create(b, loc, isThere, pair.high, indexOf(b, loc, 0));
  pair.share = share.v, pair.isInside = isThere;
  return pair;
}

/// The four pixels around a sample, if it is in the image.
static SmallVector<Value> overFour(OpBuilder &b, Location loc, Type dtype, const Pair &row,
                                   const Pair &column, ValueRange init, PixelBody body) {
  auto read = [&](OpBuilder &b, Location loc) {
    ScalarBuilder build{b, loc, dtype};
    Element y = Element::raw(build, row.share), x = Element::raw(build, column.share);
    Element restY = constant(build, 1) - y, restX = constant(build, 1) - x;
    SmallVector<Value> carried = body(b, loc, row.low, column.low, (restY * restX).v, init);
    carried = body(b, loc, row.low, column.high, (restY * x).v, carried);
    carried = body(b, loc, row.high, column.low, (y * restX).v, carried);
    carried = body(b, loc, row.high, column.high, (y * x).v, carried);
    scf::YieldOp::create(b, loc, carried);
  };
  auto skip = [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, init); };
  Value isInside = arith::AndIOp::create(b, loc, row.isInside, column.isInside);
  return llvm::to_vector(ValueRange(scf::IfOp::create(b, loc, isInside, read, skip).getResults()));
}

SmallVector<Value> Bin::walk(OpBuilder &b, Location loc, ValueRange init, PixelBody body) const {
  if (readsPixels) {
    Value one = constantOf(b, loc, dtype, 1);
    return loopOver(b, loc, rows.from, rows.to, init,
                    [&](OpBuilder &b, Location loc, Value row, ValueRange carried) {
                      return loopOver(b, loc, columns.from, columns.to, carried,
                                      [&](OpBuilder &b, Location loc, Value column, ValueRange so) {
                                        return body(b, loc, row, column, one, so);
                                      });
                    });
  }
  auto pairOf = [&](OpBuilder &b, Location loc, const Side &side, Value number) {
    ScalarBuilder build{b, loc, dtype};
    return pairAt(build, Element::raw(build, side.start), Element::raw(build, side.length),
                  side.place, number, side.count, side.size);
  };
  Value zero = indexOf(b, loc, 0);
  return loopOver(b, loc, zero, rows.count, init,
                  [&](OpBuilder &b, Location loc, Value y, ValueRange carried) {
                    Pair row = pairOf(b, loc, rows, y);
                    return loopOver(b, loc, zero, columns.count, carried,
                                    [&](OpBuilder &b, Location loc, Value x, ValueRange so) {
                                      Pair column = pairOf(b, loc, columns, x);
                                      return overFour(b, loc, dtype, row, column, so, body);
                                    });
                  });
}

Value Bin::mean(OpBuilder &b, Location loc, Value total) const {
  ScalarBuilder build{b, loc, dtype};
  auto count = [&](const Side &side) {
    if (!readsPixels)
      return Element::raw(build, side.number);
    Element number = numberOf(build, side.to) - numberOf(build, side.from);
    return max(number, 0);
  };
  Element number = count(rows) * count(columns);
  if (!countsNone)
    number = max(number, 1);
  return (Element::raw(build, total) / number).v;
}

Value Bin::isEmpty(OpBuilder &b, Location loc) const {
  auto isNone = [&](const Side &side) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, side.to, side.from);
  };
  return arith::OrIOp::create(b, loc, isNone(rows), isNone(columns));
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

Value imageOf(OpBuilder &b, Location loc, Value boxes, Value box) {
  Value number = tensor::ExtractOp::create(b, loc, boxes, ValueRange{box, indexOf(b, loc, 0)});
  Value whole = convertScalar(b, loc, number, number.getType(), b.getI64Type());
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), whole);
}

void guardImages(OpBuilder &b, Location loc, Value boxes, OpFoldResult count) {
  OpFoldResult columns = tensor::getMixedSize(b, loc, boxes, 1);
  guardEqual(b, loc, columns, b.getIndexAttr(5));
  Type dtype = cast<RankedTensorType>(boxes.getType()).getElementType();
  auto flag = RankedTensorType::get({}, b.getI1Type());
  auto firsts =
      RankedTensorType::get({cast<RankedTensorType>(boxes.getType()).getDimSize(0)}, dtype);
  Sizes offsets(2, b.getIndexAttr(0)), strides(2, b.getIndexAttr(1));
  Sizes sizes = {tensor::getMixedSize(b, loc, boxes, 0), b.getIndexAttr(1)};
  Value numbers = tensor::ExtractSliceOp::create(b, loc, firsts, boxes, offsets, sizes, strides);
  Value images = asIndex(b, loc, count);
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    ScalarBuilder build{b, loc, dtype};
    // A fraction is dropped, towards zero.
    Element number = Element::raw(build, args[0]);
    Element isOne = logicalAnd(number > -1.0, number < numberOf(build, images));
    linalg::YieldOp::create(b, loc, Value(arith::AndIOp::create(b, loc, isOne.v, args[1])));
  };
  SmallVector<AffineMap> maps{b.getMultiDimIdentityMap(1),
                              AffineMap::get(1, 0, {}, b.getContext())};
  Value all = linalg::GenericOp::create(b, loc, flag, numbers, filled(b, loc, flag, 1), maps,
                                        utils::IteratorType::reduction, body)
                  .getResult(0);
  Value ok = tensor::ExtractOp::create(b, loc, all, ValueRange());
  Value most = arith::IndexCastOp::create(b, loc, b.getI64Type(), images);
  GuardOp::create(b, loc, ok, "builtins.RuntimeError",
                  "expected boxes of {} images, got one of another", ValueRange{most});
}

} // namespace jit
