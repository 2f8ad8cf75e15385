//===- Reducer.cpp - reductions over threads ------------------------------===//
#include "Kernels/Reducer.h"
#include "Analysis/Combiners.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

std::optional<jit::codegen::Reducer> jit::codegen::Reducer::of(linalg::LinalgOp op) {
  std::optional<SmallVector<Operation *>> combiners = combinersOf(op);
  if (!combiners)
    return std::nullopt;
  return Reducer(op, std::move(*combiners));
}

SmallVector<Value> jit::codegen::Reducer::neutral(OpBuilder &b) {
  SmallVector<Value> values;
  for (Operation *combiner : combiners)
    values.push_back(
        arith::ConstantOp::create(b, op.getLoc(), *arith::getNeutralElement(combiner)));
  return values;
}

SmallVector<Value> jit::codegen::Reducer::combine(OpBuilder &b, ValueRange left, ValueRange right) {
  SmallVector<Value> result;
  for (auto [i, combiner] : llvm::enumerate(combiners)) {
    IRMapping map;
    BlockArgument accumulator = op.getRegionOutputArgs()[i];
    for (Value operand : combiner->getOperands())
      map.map(operand, operand == accumulator ? left[i] : right[i]);
    result.push_back(b.clone(*combiner, map)->getResult(0));
  }
  return result;
}

/// The 32 bits that another thread of the warp has.
static Value exchange(OpBuilder &b, Location loc, Value word, int64_t distance) {
  return gpu::ShuffleOp::create(b, loc, word, static_cast<int32_t>(distance),
                                static_cast<int32_t>(jit::codegen::warpSize), gpu::ShuffleMode::XOR)
      .getShuffleResult();
}

/// The same for an element of any type.
static Value shuffle(OpBuilder &b, Location loc, Value value, int64_t distance) {
  Type type = value.getType(), word = b.getI32Type();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(bits);
  Value plain = type == integer ? value : arith::BitcastOp::create(b, loc, integer, value);
  Value result;
  if (bits <= 32) {
    if (bits < 32)
      plain = arith::ExtUIOp::create(b, loc, word, plain);
    result = exchange(b, loc, plain, distance);
    if (bits < 32)
      result = arith::TruncIOp::create(b, loc, integer, result);
  } else {
    Value half = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(32));
    Value high = arith::ShRUIOp::create(b, loc, plain, half);
    Value low = exchange(b, loc, arith::TruncIOp::create(b, loc, word, plain), distance);
    high = exchange(b, loc, arith::TruncIOp::create(b, loc, word, high), distance);
    high = arith::ExtUIOp::create(b, loc, integer, high);
    low = arith::ExtUIOp::create(b, loc, integer, low);
    result = arith::OrIOp::create(b, loc, arith::ShLIOp::create(b, loc, high, half), low);
  }
  return type == integer ? result : arith::BitcastOp::create(b, loc, type, result);
}

SmallVector<Value> jit::codegen::Reducer::acrossLanes(OpBuilder &b, ArrayRef<Value> values,
                                                      int64_t lanes) {
  SmallVector<Value> joined(values);
  for (int64_t distance = lanes / 2; distance > 0; distance /= 2) {
    SmallVector<Value> others;
    for (Value value : joined)
      others.push_back(shuffle(b, op.getLoc(), value, distance));
    joined = combine(b, joined, others);
  }
  return joined;
}

SmallVector<Value> jit::codegen::Reducer::acrossBlock(OpBuilder &b, Launch &launch,
                                                      ArrayRef<Value> values, int64_t threads) {
  Location loc = op.getLoc();
  SmallVector<Value> parts = acrossLanes(b, values, warpSize);
  int64_t warps = threads / warpSize;
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  Value inWarp = constantIndex(b, loc, warpSize);
  Value warp = arith::DivUIOp::create(b, loc, launch.threadId(), inWarp);
  Value lane = arith::RemUIOp::create(b, loc, launch.threadId(), inWarp);
  SmallVector<Value> memory;
  for (Value value : parts)
    memory.push_back(launch.shared(
        MemRefType::get({warps}, value.getType(), MemRefLayoutAttrInterface(), space)));
  Value zero = constantIndex(b, loc, 0);
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, zero);
  auto branch = scf::IfOp::create(b, loc, isFirst);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    for (auto [value, place] : llvm::zip(parts, memory))
      memref::StoreOp::create(b, loc, value, place, warp);
  }
  gpu::BarrierOp::create(b, loc);
  // Every warp does the last step: the place is taken modulo the number of warps.
  Value place = arith::RemUIOp::create(b, loc, lane, constantIndex(b, loc, warps));
  for (auto [part, from] : llvm::zip(parts, memory))
    part = memref::LoadOp::create(b, loc, from, place);
  return acrossLanes(b, parts, warps);
}
