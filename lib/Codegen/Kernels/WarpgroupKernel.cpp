//===- WarpgroupKernel.cpp - products by groups of four warps -------------===//
//
// One thread of a block lets the device copy boxes of both operands to shared memory, some slices
// ahead; two groups of four warps multiply what is there, each 64 rows of the block's tile.
// Barriers count the bytes that have come, and the warps that are done with them.
//
//===----------------------------------------------------------------------===//
#include "Kernels/Launch.h"
#include "Kernels/ProductEpilogue.h"
#include "Kernels/ProductKernels.h"
#include "Kernels/TensorMaps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// Halves of a row of shared memory, which is what is copied side by side: 128 bytes.
static constexpr int64_t slice = 64, halfBytes = 2, rowBytes = slice * halfBytes;
/// Shared memory is exchanged in patterns of eight such rows.
static constexpr int64_t patternBytes = 8 * rowBytes;
/// Sums that a thread of a group has: those of 64 rows. The summands of one instruction.
static constexpr int64_t groupRows = 64, stepDepth = 16;
static constexpr int64_t groups = 2, groupThreads = 128, threads = (1 + groups) * groupThreads;
static constexpr int64_t tileRows = groups * groupRows;
static constexpr int64_t mostStages = 4, barrierBytes = 8;
/// Tiles whose blocks are this many side by side share more of what they read.
static constexpr int64_t neighbours = 8;
/// What a thread may have of registers where 128 of them are sums; one that copies needs few.
static constexpr uint32_t manyRegisters = 232, fewRegisters = 40;
/// How long a thread sleeps before it looks again, in nanoseconds.
static constexpr int32_t patience = 10000000;

namespace {
/// One of the two operands.
struct Factor {
  OpOperand *operand = nullptr;
  jit::codegen::FactorMatrix matrix;
  int64_t tile = 0;
  /// Where its part of a stage begins.
  int64_t offset = 0;
  /// The address of its map; the first row or column of the block's tile; its batch.
  Value map, origin, batch;

  int64_t bytes() const { return tile * rowBytes; }
  /// Boxes of a slice: rows of summands are one, rows of others 64 side by side.
  int64_t boxes() const { return matrix.isAlongDepth ? 1 : tile / slice; }
  int64_t boxRows() const { return matrix.isAlongDepth ? tile : slice; }
};

class WarpgroupEmitter {
public:
  WarpgroupEmitter(jit::codegen::ProductGroup &group, OpBuilder &b, const Factor &left,
                   const Factor &right)
      : group(group), op(group.product), shape(group.shape), b(b), loc(op.getLoc()), left(left),
        right(right), slices(llvm::divideCeilSigned(shape.depth.count, slice)),
        stages(std::min(mostStages, static_cast<int64_t>(llvm::PowerOf2Ceil(slices)))) {
    this->right.offset = left.bytes();
  }

  void emit();

private:
  void locate(jit::codegen::Launch &launch);
  void initBarriers();
  /// What the thread does that copies, and what the others do.
  void copySlices();
  void multiplySlices();
  void copyFactor(Factor &factor, Value stage, Value number, Value full);
  /// Gives the sums after slice `number`; `scale` says whether the old ones count.
  Value multiplySlice(Value number, Value sums, NVVM::WGMMAScaleOut scale);
  Value descriptorOf(Factor &factor, Value stage, Value row);
  void leave(Value number);
  void finish(Value sums);

  int64_t stageBytes() const { return left.bytes() + right.bytes(); }
  int64_t sums() const { return right.tile / 2; }
  bool hasManySums() const { return sums() > 64; }

  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }
  Value word(Value x) { return arith::IndexCastOp::create(b, loc, b.getI32Type(), x); }
  Value word(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
  Value div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
  Value rem(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, index(y)); }
  Value isEqual(Value x, int64_t y) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, index(y));
  }
  void runIf(Value condition, llvm::function_ref<void()> body);
  Value wide(Value x) { return arith::IndexCastUIOp::create(b, loc, b.getI64Type(), x); }
  Value pointer(Value address, NVVM::NVVMMemorySpace space);
  /// Barrier number `stage` of those that are full when bytes have come, or empty when warps went.
  Value barrier(Value stage, bool isFull);
  void await(Value barrier, Value number, bool isFull);

  jit::codegen::ProductGroup &group;
  linalg::LinalgOp op;
  const jit::codegen::ProductShape &shape;
  OpBuilder &b;
  Location loc;
  Factor left, right;
  int64_t slices, stages;
  /// Addresses in shared memory, and the thread's place.
  Value memory, barriers, thread, batchAt;
};
} // namespace

void WarpgroupEmitter::runIf(Value condition, llvm::function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(scf::IfOp::create(b, loc, condition).thenBlock());
  body();
}

Value WarpgroupEmitter::pointer(Value address, NVVM::NVVMMemorySpace space) {
  auto type = LLVM::LLVMPointerType::get(b.getContext(), static_cast<unsigned>(space));
  return LLVM::IntToPtrOp::create(b, loc, type, wide(address));
}

Value WarpgroupEmitter::barrier(Value stage, bool isFull) {
  Value place = add(mul(stage, barrierBytes), index(isFull ? 0 : stages * barrierBytes));
  return pointer(add(barriers, place), NVVM::NVVMMemorySpace::Shared);
}

/// Waits until slice `number` has come to its stage, or may come.
void WarpgroupEmitter::await(Value barrier, Value number, bool isFull) {
  Value round = div(number, stages);
  Value parity = rem(isFull ? round : add(round, index(1)), 2);
  NVVM::MBarrierTryWaitParityOp::create(b, loc, barrier, word(parity), word(patience));
}

void WarpgroupEmitter::locate(jit::codegen::Launch &launch) {
  int64_t rowTiles = llvm::divideCeilSigned(shape.rows.count, left.tile);
  int64_t columnTiles = llvm::divideCeilSigned(shape.columns.count, right.tile);
  int64_t side = rowTiles % neighbours == 0 ? neighbours : 1;
  SmallVector<Value> at = jit::codegen::delinearize(
      b, loc, launch.blockId(), {shape.batch.count, rowTiles / side, columnTiles, side});
  batchAt = at[0];
  thread = launch.threadId();
  left.origin = mul(add(mul(at[1], side), at[3]), left.tile);
  right.origin = mul(at[2], right.tile);
  for (Factor *factor : {&left, &right}) {
    factor->batch = factor->matrix.batches == 1 ? index(0) : batchAt;
    factor->map = jit::codegen::createTensorMap(b, loc, factor->operand->get(), factor->matrix,
                                                factor->boxRows(), slice);
  }
  Value shared = launch.dynamicShared(patternBytes + stages * (stageBytes() + 2 * barrierBytes));
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, shared);
  memory = mul(div(add(address, index(patternBytes - 1)), patternBytes), patternBytes);
  barriers = add(memory, index(stages * stageBytes()));
}

void WarpgroupEmitter::initBarriers() {
  runIf(isEqual(thread, 0), [&] {
    for (int64_t stage = 0; stage < stages; ++stage) {
      NVVM::MBarrierInitOp::create(b, loc, barrier(index(stage), /*isFull=*/true), word(1),
                                   /*predicate=*/Value());
      // One thread of each warp says that it is done.
      NVVM::MBarrierInitOp::create(b, loc, barrier(index(stage), /*isFull=*/false),
                                   word(groups * groupThreads / jit::codegen::warpSize),
                                   /*predicate=*/Value());
    }
    NVVM::FenceMbarrierInitOp::create(b, loc);
  });
  gpu::BarrierOp::create(b, loc);
}

void WarpgroupEmitter::copyFactor(Factor &factor, Value stage, Value number, Value full) {
  Value depthAt = mul(number, slice);
  for (int64_t box = 0; box < factor.boxes(); ++box) {
    int64_t place = factor.offset + box * factor.boxRows() * rowBytes;
    Value to = pointer(add(add(memory, mul(stage, stageBytes())), index(place)),
                       NVVM::NVVMMemorySpace::SharedCluster);
    Value other = add(factor.origin, index(box * slice));
    SmallVector<Value> at = {word(factor.matrix.isAlongDepth ? depthAt : other),
                             word(factor.matrix.isAlongDepth ? other : depthAt),
                             word(factor.batch)};
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        b, loc, to, factor.map, at, full, /*im2colOffsets=*/ValueRange(),
        /*multicastMask=*/Value(), /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE,
        /*isCTAOnly=*/false, /*group=*/nullptr, /*predicate=*/Value());
  }
}

void WarpgroupEmitter::copySlices() {
  auto loop = scf::ForOp::create(b, loc, index(0), index(slices), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar(), stage = rem(number, stages);
  await(barrier(stage, /*isFull=*/false), number, /*isFull=*/false);
  Value full = barrier(stage, /*isFull=*/true);
  NVVM::MBarrierArriveExpectTxOp::create(b, loc, TypeRange(), full, word(stageBytes()),
                                         NVVM::MemScopeKind::CTA, /*relaxed=*/false,
                                         /*predicate=*/Value());
  copyFactor(left, stage, number, full);
  copyFactor(right, stage, number, full);
}

/// The layout of a factor from `row` on, as the instruction wants it told: addresses and distances
/// in units of 16 bytes.
Value WarpgroupEmitter::descriptorOf(Factor &factor, Value stage, Value row) {
  constexpr int64_t unit = 16, addressMask = (int64_t(1) << 18) - 1;
  // From one pattern to the next; between columns of 64 that lie side by side, else it is not used.
  int64_t leading = factor.matrix.isAlongDepth ? 1 : slice * rowBytes / unit;
  int64_t layout = (int64_t(1) << 62) | (patternBytes / unit << 32) | (leading << 16);
  Value place = add(add(mul(stage, stageBytes()), index(factor.offset)), mul(row, rowBytes));
  Value address = wide(add(memory, place));
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  Value masked = arith::AndIOp::create(b, loc, address, constant(addressMask));
  Value units = arith::ShRUIOp::create(b, loc, masked, constant(llvm::Log2_64(unit)));
  return arith::OrIOp::create(b, loc, units, constant(layout));
}

Value WarpgroupEmitter::multiplySlice(Value number, Value sums, NVVM::WGMMAScaleOut scale) {
  Value stage = rem(number, stages);
  await(barrier(stage, /*isFull=*/true), number, /*isFull=*/true);
  Value groupRow =
      mul(arith::SubIOp::create(b, loc, div(thread, groupThreads), index(1)), groupRows);
  Value leftAt = descriptorOf(left, stage, groupRow);
  Value rightAt = descriptorOf(right, stage, index(0));
  bool isBrain = getElementTypeOrSelf(left.operand->get()).isBF16();
  auto type = isBrain ? NVVM::WGMMATypes::bf16 : NVVM::WGMMATypes::f16;
  auto shapeAttr = NVVM::MMAShapeAttr::get(b.getContext(), groupRows, right.tile, stepDepth);
  auto step = [&](Factor &factor, Value descriptor, int64_t number) -> Value {
    int64_t bytes = factor.matrix.isAlongDepth ? stepDepth * halfBytes : stepDepth * rowBytes;
    Value more = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(number * bytes / 16));
    return arith::AddIOp::create(b, loc, descriptor, more);
  };
  NVVM::WgmmaFenceAlignedOp::create(b, loc);
  for (int64_t i = 0; i < slice / stepDepth; ++i)
    sums = NVVM::WgmmaMmaAsyncOp::create(
        b, loc, sums.getType(), sums, step(left, leftAt, i), step(right, rightAt, i), shapeAttr,
        type, type, NVVM::WGMMATypes::f32, i == 0 ? scale : NVVM::WGMMAScaleOut::one,
        NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one,
        left.matrix.isAlongDepth ? NVVM::MMALayout::row : NVVM::MMALayout::col,
        right.matrix.isAlongDepth ? NVVM::MMALayout::col : NVVM::MMALayout::row,
        NVVM::MMAIntOverflowAttr());
  NVVM::WgmmaGroupSyncAlignedOp::create(b, loc);
  return sums;
}

/// Says that the warp has read slice `number`.
void WarpgroupEmitter::leave(Value number) {
  runIf(isEqual(rem(thread, jit::codegen::warpSize), 0), [&] {
    NVVM::MBarrierArriveOp::create(b, loc, TypeRange(),
                                   barrier(rem(number, stages), /*isFull=*/false),
                                   /*count=*/Value());
  });
}

void WarpgroupEmitter::multiplySlices() {
  SmallVector<Type> numbers(static_cast<size_t>(sums()), b.getF32Type());
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), numbers);
  // What comes first adds to nothing: a loop that begins with zeros would write registers between
  // instructions that are under way.
  Value none = LLVM::UndefOp::create(b, loc, type);
  Value first = multiplySlice(index(0), none, NVVM::WGMMAScaleOut::zero);
  auto loop = scf::ForOp::create(b, loc, index(1), index(slices), index(1), first);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value number = loop.getInductionVar();
    Value after = multiplySlice(number, loop.getRegionIterArg(0), NVVM::WGMMAScaleOut::one);
    // This slice is multiplied while the next one is waited for; the one before is done.
    NVVM::WgmmaWaitGroupSyncOp::create(b, loc, uint64_t(1));
    leave(arith::SubIOp::create(b, loc, number, index(1)));
    scf::YieldOp::create(b, loc, after);
  }
  NVVM::WgmmaWaitGroupSyncOp::create(b, loc, uint64_t(0));
  finish(loop.getResult(0));
}

void WarpgroupEmitter::finish(Value all) {
  Value lane = rem(thread, jit::codegen::warpSize);
  // The warps that multiply begin with the fifth.
  Value warp = arith::SubIOp::create(b, loc, div(thread, jit::codegen::warpSize),
                                     index(groupThreads / jit::codegen::warpSize));
  Value row = add(add(left.origin, mul(warp, 16)), div(lane, 4));
  Value column = add(right.origin, mul(rem(lane, 4), 2));
  for (int64_t i = 0; i < sums(); i += 2) {
    SmallVector<Value> pair = {LLVM::ExtractValueOp::create(b, loc, all, i),
                               LLVM::ExtractValueOp::create(b, loc, all, i + 1)};
    jit::codegen::SumPlace place = {batchAt, add(row, index(i / 2 % 2 * 8)),
                                    add(column, index(i / 4 * 8))};
    jit::codegen::finishSumsInside(group, b, pair, place, left.tile, right.tile);
  }
}

void WarpgroupEmitter::emit() {
  int64_t blocks = shape.batch.count * llvm::divideCeilSigned(shape.rows.count, left.tile) *
                   llvm::divideCeilSigned(shape.columns.count, right.tile);
  jit::codegen::Launch launch(b, loc, "wgmma", blocks, threads);
  locate(launch);
  initBarriers();
  Value isCopier = isEqual(div(thread, groupThreads), 0);
  auto branch = scf::IfOp::create(b, loc, isCopier, /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  if (hasManySums())
    NVVM::SetMaxRegisterOp::create(b, loc, fewRegisters, NVVM::SetMaxRegisterAction::decrease);
  runIf(isEqual(thread, 0), [&] { copySlices(); });
  b.setInsertionPointToStart(branch.elseBlock());
  if (hasManySums())
    NVVM::SetMaxRegisterOp::create(b, loc, manyRegisters, NVVM::SetMaxRegisterAction::increase);
  multiplySlices();
}

/// How many columns a block has: as many as leave work for all of the device.
static int64_t chooseColumns(const jit::codegen::ProductShape &shape, int64_t multiprocessors) {
  for (auto [columns, fewest] :
       {std::pair(int64_t(256), multiprocessors), std::pair(int64_t(128), multiprocessors / 2)}) {
    int64_t blocks = shape.batch.count * llvm::divideCeilSigned(shape.rows.count, tileRows) *
                     llvm::divideCeilSigned(shape.columns.count, columns);
    if (shape.columns.count > columns / 2 && blocks >= fewest)
      return columns;
  }
  return 64;
}

bool jit::codegen::emitWarpgroupProduct(ProductGroup &group, OpBuilder &b,
                                        const GpuMachine &machine) {
  const ProductShape &shape = group.shape;
  constexpr int64_t smallest = 64;
  if (!machine.hasWarpgroupProducts || !isProductOfHalves(group.product) ||
      shape.rows.count < smallest || shape.columns.count < smallest)
    return false;
  linalg::LinalgOp op = group.product;
  Factor left{op.getDpsInputOperand(0)}, right{op.getDpsInputOperand(1)};
  auto first = FactorMatrix::of(op, *left.operand, shape, shape.rows);
  auto second = FactorMatrix::of(op, *right.operand, shape, shape.columns);
  if (!first || !second)
    return false;
  left.matrix = *first;
  right.matrix = *second;
  left.tile = tileRows;
  right.tile = chooseColumns(shape, machine.multiprocessors);
  WarpgroupEmitter(group, b, left, right).emit();
  return true;
}
