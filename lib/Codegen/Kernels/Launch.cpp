//===- Launch.cpp - making kernels in place -------------------------------===//
#include "Kernels/Launch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

/// Threads of a block where there is work enough for all multiprocessors, and where there is not.
static constexpr int64_t fullBlock = 256, smallBlock = 128;
/// Blocks of a grid for each multiprocessor, at most: enough that the last ones to end wait little.
static constexpr int64_t blocksPerMultiprocessor = 32;
/// Full blocks that run side by side in a multiprocessor.
static constexpr int64_t residentBlocks = 8;

Value jit::codegen::constantIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

jit::codegen::Launch::Launch(OpBuilder &b, Location loc, StringRef what, int64_t blocks,
                             int64_t threads)
    : b(b), guard(b) {
  Value one = constantIndex(b, loc, 1);
  op = gpu::LaunchOp::create(b, loc, constantIndex(b, loc, blocks), one, one,
                             constantIndex(b, loc, threads), one, one);
  op->setAttr(kernelAttrName, b.getStringAttr(what));
  b.setInsertionPointToStart(&op.getBody().front());
  auto end = gpu::TerminatorOp::create(b, loc);
  b.setInsertionPoint(end);
}

Value jit::codegen::Launch::globalId() {
  Location loc = op.getLoc();
  auto threads = getConstantIntValue(op.getBlockSizeOperandValues().x);
  auto blocks = getConstantIntValue(op.getGridSizeOperandValues().x);
  if (*blocks == 1)
    return threadId();
  Value first = arith::MulIOp::create(b, loc, blockId(), constantIndex(b, loc, *threads));
  return arith::AddIOp::create(b, loc, first, threadId());
}

Value jit::codegen::Launch::shared(MemRefType type) {
  return op.addWorkgroupAttribution(type, op.getLoc());
}

Value jit::codegen::Launch::dynamicShared(int64_t bytes) {
  Location loc = op.getLoc();
  {
    OpBuilder::InsertionGuard outside(b);
    b.setInsertionPoint(op);
    Value size =
        arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<int32_t>(bytes)));
    op.getDynamicSharedMemorySizeMutable().assign(size);
  }
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get({ShapedType::kDynamic}, b.getI8Type(), MemRefLayoutAttrInterface(), space);
  return gpu::DynamicSharedMemoryOp::create(b, loc, type);
}

void jit::codegen::Launch::allowRegisters(int64_t count) {
  op->setAttr(registersAttrName, b.getI64IntegerAttr(count));
}

void jit::codegen::launchForEach(OpBuilder &b, Location loc, StringRef what, int64_t count,
                                 int64_t multiprocessors, llvm::function_ref<void(Value)> body) {
  int64_t threads = count > fullBlock * multiprocessors ? fullBlock
                    : count >= smallBlock               ? smallBlock
                                                        : llvm::alignTo(count, warpSize);
  int64_t blocks =
      std::min(llvm::divideCeilSigned(count, threads), multiprocessors * blocksPerMultiprocessor);
  Launch launch(b, loc, what, blocks, threads);
  Value id = launch.globalId();
  if (blocks * threads == count)
    return body(id);
  Value end = constantIndex(b, loc, count);
  if (blocks * threads > count) {
    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, id, end);
    auto branch = scf::IfOp::create(b, loc, inside);
    b.setInsertionPointToStart(branch.thenBlock());
    return body(id);
  }
  auto loop = scf::ForOp::create(b, loc, id, end, constantIndex(b, loc, blocks * threads));
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void jit::codegen::launchForOpen(OpBuilder &b, Location loc, StringRef what, Value count,
                                 int64_t multiprocessors, llvm::function_ref<void(Value)> body) {
  int64_t blocks = multiprocessors * residentBlocks;
  Launch launch(b, loc, what, blocks, fullBlock);
  auto loop = scf::ForOp::create(b, loc, launch.globalId(), count,
                                 constantIndex(b, loc, blocks * fullBlock));
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void jit::codegen::launchOnce(OpBuilder &b, Location loc, llvm::function_ref<void()> body) {
  Launch launch(b, loc, "scalar", 1, 1);
  body();
}

SmallVector<Value> jit::codegen::delinearize(OpBuilder &b, Location loc, Value id,
                                             ArrayRef<int64_t> sizes) {
  return delinearize(b, loc, id, getAsIndexOpFoldResult(b.getContext(), sizes));
}

SmallVector<Value> jit::codegen::delinearize(OpBuilder &b, Location loc, Value id,
                                             ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> point(sizes.size());
  // The outermost coordinate is what is left.
  std::optional<size_t> outermost;
  for (size_t dim = 0; dim < sizes.size() && !outermost; ++dim)
    if (!isOneInteger(sizes[dim]))
      outermost = dim;
  for (size_t dim = sizes.size(); dim-- > 0;) {
    if (isOneInteger(sizes[dim])) {
      point[dim] = constantIndex(b, loc, 0);
    } else if (dim == *outermost) {
      point[dim] = id;
    } else {
      Value size = getValueOrCreateConstantIndexOp(b, loc, sizes[dim]);
      point[dim] = arith::RemUIOp::create(b, loc, id, size);
      id = arith::DivUIOp::create(b, loc, id, size);
    }
  }
  return point;
}

/// Appends `op` and what it needs to `ops`, needed ones first.
static void collect(Operation *op, Region &body, llvm::function_ref<bool(Operation *)> isRepeated,
                    llvm::SetVector<Operation *> &ops) {
  if (!op || body.isAncestor(op->getParentRegion()) || ops.contains(op) || !isRepeated(op))
    return;
  for (Value operand : op->getOperands())
    collect(operand.getDefiningOp(), body, isRepeated, ops);
  ops.insert(op);
}

void jit::codegen::sinkInto(gpu::LaunchOp launch,
                            llvm::function_ref<bool(Operation *)> isRepeated) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(launch.getBody(), used);
  llvm::SetVector<Operation *> ops;
  for (Value value : used)
    collect(value.getDefiningOp(), launch.getBody(), isRepeated, ops);
  OpBuilder b(launch.getBody());
  IRMapping map;
  for (Operation *op : ops)
    b.clone(*op, map);
  for (Operation *op : ops)
    for (auto [outside, inside] : llvm::zip(op->getResults(), map.lookup(op)->getResults()))
      replaceAllUsesInRegionWith(outside, inside, launch.getBody());
}
