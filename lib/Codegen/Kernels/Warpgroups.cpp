//===- Warpgroups.cpp - what groups of four warps multiply ----------------===//
#include "Kernels/Warpgroups.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using jit::codegen::CopyRing, jit::codegen::SharedFactor, jit::codegen::constantIndex;

/// How long a thread sleeps before it looks again, in nanoseconds.
static constexpr int32_t patience = 10000000;
/// Addresses and distances in a descriptor are in units of so many bytes.
static constexpr int64_t unit = 16;

static Value word(OpBuilder &b, Location loc, Value x) {
  return arith::IndexCastOp::create(b, loc, b.getI32Type(), x);
}
static Value word(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}
static Value wide(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
}
static Value add(OpBuilder &b, Location loc, Value x, Value y) {
  return arith::AddIOp::create(b, loc, x, y);
}
static Value mul(OpBuilder &b, Location loc, Value x, int64_t y) {
  return arith::MulIOp::create(b, loc, x, constantIndex(b, loc, y));
}

void jit::codegen::runIf(OpBuilder &b, Location loc, Value condition,
                         llvm::function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(scf::IfOp::create(b, loc, condition).thenBlock());
  body();
}

Value jit::codegen::sharedPointer(OpBuilder &b, Location loc, Value address,
                                  NVVM::NVVMMemorySpace space) {
  auto type = LLVM::LLVMPointerType::get(b.getContext(), static_cast<unsigned>(space));
  Value number = arith::IndexCastUIOp::create(b, loc, b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(b, loc, type, number);
}

void jit::codegen::awaitBarrier(OpBuilder &b, Location loc, Value barrier, Value parity) {
  NVVM::MBarrierTryWaitParityOp::create(b, loc, barrier, word(b, loc, parity),
                                        word(b, loc, patience));
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

void SharedFactor::locate(OpBuilder &b, Location loc, Value batchAt) {
  start = constantIndex(b, loc, 0);
  if (matrix.together > 1) {
    Value count = constantIndex(b, loc, matrix.together);
    start = mul(b, loc, arith::RemUIOp::create(b, loc, batchAt, count), matrix.togetherStride);
    batchAt = arith::DivUIOp::create(b, loc, batchAt, count);
  }
  batch = matrix.batches == 1 ? constantIndex(b, loc, 0) : batchAt;
  map = createTensorMap(b, loc, operand->get(), matrix, boxRows(), rowElements());
}

void SharedFactor::copy(OpBuilder &b, Location loc, Value to, Value depthAt, Value otherAt,
                        Value barrier) const {
  Value inner = isAlongDepth() ? depthAt : otherAt, outer = isAlongDepth() ? otherAt : depthAt;
  if (matrix.together > 1)
    inner = add(b, loc, inner, start);
  for (int64_t box = 0; box < boxes(); ++box) {
    Value place = add(b, loc, to, constantIndex(b, loc, box * boxRows() * boxRowBytes));
    Value at = add(b, loc, inner, constantIndex(b, loc, box * rowElements()));
    SmallVector<Value> corner = {word(b, loc, at), word(b, loc, outer), word(b, loc, batch)};
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        b, loc, sharedPointer(b, loc, place, NVVM::NVVMMemorySpace::SharedCluster), map, corner,
        barrier, /*im2colOffsets=*/ValueRange(), /*multicastMask=*/Value(),
        /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false, /*group=*/nullptr,
        /*predicate=*/Value());
  }
}

Value SharedFactor::rowOffset(OpBuilder &b, Location loc, Value row) const {
  // Groups of rows that lie side by side are boxes of their own.
  return mul(b, loc, row, isAlongDepth() ? boxRowBytes : boxRows() * boxRowBytes / rowElements());
}

Value SharedFactor::descriptor(OpBuilder &b, Location loc, Value address) const {
  constexpr int64_t addressMask = (int64_t(1) << 18) - 1;
  // From one pattern to the next; between columns of 64 that lie side by side, else it is not used.
  int64_t leading = isAlongDepth() ? 1 : boxRows() * boxRowBytes / unit;
  int64_t layout = (int64_t(1) << 62) | (patternBytes / unit << 32) | (leading << 16);
  Value number = arith::IndexCastUIOp::create(b, loc, b.getI64Type(), address);
  Value masked = arith::AndIOp::create(b, loc, number, wide(b, loc, addressMask));
  Value units = arith::ShRUIOp::create(b, loc, masked, wide(b, loc, llvm::Log2_64(unit)));
  return arith::OrIOp::create(b, loc, units, wide(b, loc, layout));
}

Value SharedFactor::step(OpBuilder &b, Location loc, Value descriptor, int64_t number) const {
  int64_t at = number * stepBytes;
  int64_t bytes = isAlongDepth() ? at / boxRowBytes * boxRows() * boxRowBytes + at % boxRowBytes
                                 : number * stepElements() * boxRowBytes;
  return arith::AddIOp::create(b, loc, descriptor, wide(b, loc, bytes / unit));
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

Value CopyRing::stageOf(Value number) {
  return arith::RemUIOp::create(b, loc, number, constantIndex(b, loc, stages));
}

Value CopyRing::barrier(Value stage, bool isFull) {
  Value first = constantIndex(b, loc, isFull ? 0 : stages * barrierBytes);
  Value place = add(b, loc, mul(b, loc, stage, barrierBytes), first);
  return sharedPointer(b, loc, add(b, loc, barriers, place), NVVM::NVVMMemorySpace::Shared);
}

void CopyRing::initBarriers(int64_t warps) {
  for (int64_t stage = 0; stage < stages; ++stage)
    for (auto [isFull, count] : {std::pair(true, int64_t(1)), std::pair(false, warps)})
      NVVM::MBarrierInitOp::create(b, loc, barrier(constantIndex(b, loc, stage), isFull),
                                   word(b, loc, count), /*predicate=*/Value());
}

void CopyRing::await(Value number, bool isFull) {
  Value round = arith::DivUIOp::create(b, loc, number, constantIndex(b, loc, stages));
  if (!isFull)
    round = add(b, loc, round, constantIndex(b, loc, 1));
  Value parity = arith::RemUIOp::create(b, loc, round, constantIndex(b, loc, 2));
  awaitBarrier(b, loc, barrier(stageOf(number), isFull), parity);
}

void CopyRing::awaitFull(Value number) { await(number, /*isFull=*/true); }
void CopyRing::awaitEmpty(Value number) { await(number, /*isFull=*/false); }

Value CopyRing::expect(Value number, int64_t bytes) {
  Value full = barrier(stageOf(number), /*isFull=*/true);
  NVVM::MBarrierArriveExpectTxOp::create(b, loc, TypeRange(), full, word(b, loc, bytes),
                                         NVVM::MemScopeKind::CTA, /*relaxed=*/false,
                                         /*predicate=*/Value());
  return full;
}

void CopyRing::leave(Value thread, Value number) {
  // One thread of each warp says that it is done.
  Value lane = arith::RemUIOp::create(b, loc, thread, constantIndex(b, loc, warpSize));
  Value isFirst =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, constantIndex(b, loc, 0));
  runIf(b, loc, isFirst, [&] {
    NVVM::MBarrierArriveOp::create(b, loc, TypeRange(), barrier(stageOf(number), /*isFull=*/false),
                                   /*count=*/Value());
  });
}
