//===- DepthOffsets.cpp - where the summands of a product are -------------===//
#include "Kernels/DepthOffsets.h"
#include "Kernels/SidePlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using jit::codegen::DepthOffsets;

bool DepthOffsets::hasRoomFor(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t last;
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, last)))
    return false;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
    last += (size - 1) * stride;
  return last <= std::numeric_limits<int32_t>::max();
}

void DepthOffsets::locate(Launch &launch) {
  thread = launch.threadId();
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({2 * threads}, b.getI32Type(), MemRefLayoutAttrInterface(), space);
  table = launch.shared(type);
  if (window)
    bits = launch.shared(type);
}

void DepthOffsets::write(Value first, int64_t missing) {
  auto number = [&](int64_t value) { return constantIndex(b, loc, value); };
  Value begin = arith::MulIOp::create(b, loc, first, number(slice));
  Value entry = arith::AddIOp::create(b, loc, begin, thread);
  // Beyond the last summand are entries that nobody reads.
  Value at = entry;
  if (missing != 0) {
    Value inside = arith::MaxUIOp::create(b, loc, entry, number(missing));
    at = arith::SubIOp::create(b, loc, inside, number(missing));
  }
  Value offset = arith::IndexCastOp::create(b, loc, b.getI32Type(), depth.offsetOf(b, loc, at));
  Value place = arith::RemUIOp::create(b, loc, entry, number(2 * threads));
  memref::StoreOp::create(b, loc, offset, table, place);
  if (!window)
    return;
  SmallVector<Value> point(loops, number(0));
  setPlace(b, loc, side, point, at);
  memref::StoreOp::create(b, loc, window->neededOf(b, loc, point), bits, place);
}

SmallVector<Value> DepthOffsets::read(Value from, Value slices, Value at, int64_t count) {
  auto number = [&](int64_t value) { return constantIndex(b, loc, value); };
  Value turn = arith::RemUIOp::create(b, loc, slices, number(2 * threads / slice));
  Value begin = arith::MulIOp::create(b, loc, turn, number(slice));
  Value place = arith::AddIOp::create(b, loc, begin, at);
  if (count == 1)
    return {memref::LoadOp::create(b, loc, from, place)};
  constexpr int64_t bytes = sizeof(int32_t);
  Value all = vector::LoadOp::create(b, loc, VectorType::get({count}, b.getI32Type()), from, place,
                                     /*nontemporal=*/false, llvm::Align(count * bytes));
  return SmallVector<Value>(vector::ToElementsOp::create(b, loc, all).getResults());
}

SmallVector<Value> DepthOffsets::offsets(Value slices, Value at, int64_t count) {
  SmallVector<Value> found;
  for (Value offset : read(table, slices, at, count))
    found.push_back(arith::IndexCastOp::create(b, loc, b.getIndexType(), offset));
  return found;
}

SmallVector<Value> DepthOffsets::needed(Value slices, Value at, int64_t count) {
  return read(bits, slices, at, count);
}
