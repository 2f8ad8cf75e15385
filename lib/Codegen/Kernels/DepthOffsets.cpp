//===- DepthOffsets.cpp - where the summands of a product are -------------===//
#include "Kernels/DepthOffsets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using jit::codegen::DepthOffsets;

void DepthOffsets::locate(Launch &launch) {
  thread = launch.threadId();
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  table = launch.shared(
      MemRefType::get({2 * threads}, b.getI32Type(), MemRefLayoutAttrInterface(), space));
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
}

SmallVector<Value> DepthOffsets::read(Value slices, Value at, int64_t count) {
  auto number = [&](int64_t value) { return constantIndex(b, loc, value); };
  Value turn = arith::RemUIOp::create(b, loc, slices, number(2 * threads / slice));
  Value begin = arith::MulIOp::create(b, loc, turn, number(slice));
  Value place = arith::AddIOp::create(b, loc, begin, at);
  if (count == 1) {
    Value one = memref::LoadOp::create(b, loc, table, place);
    return {arith::IndexCastOp::create(b, loc, b.getIndexType(), one)};
  }
  constexpr int64_t bytes = sizeof(int32_t);
  Value all = vector::LoadOp::create(b, loc, VectorType::get({count}, b.getI32Type()), table, place,
                                     /*nontemporal=*/false, llvm::Align(count * bytes));
  SmallVector<Value> offsets;
  for (Value offset : vector::ToElementsOp::create(b, loc, all).getResults())
    offsets.push_back(arith::IndexCastOp::create(b, loc, b.getIndexType(), offset));
  return offsets;
}
