//===- WarpgroupKernel.cpp - products by groups of four warps -------------===//
//
// One thread of a block lets the device copy boxes of both operands to shared memory, some slices
// ahead; two groups of four warps multiply what is there, each 64 rows of the block's tile.
// Barriers count the bytes that have come, and the warps that are done with them.
//
//===----------------------------------------------------------------------===//
#include "Kernels/ProductKernels.h"
#include "Kernels/WarpgroupTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using jit::codegen::SharedFactor, jit::codegen::groupRows, jit::codegen::groupThreads,
    jit::codegen::patternBytes, jit::codegen::tileGroups, jit::codegen::tileRows;

/// The summands of a slice: those of a box.
static constexpr int64_t slice = jit::codegen::boxHalves;
static constexpr int64_t threads = (1 + tileGroups) * groupThreads;
static constexpr int64_t mostStages = 4;
/// Tiles whose blocks are this many side by side share more of what they read.
static constexpr int64_t neighbours = 8;

namespace {
class WarpgroupEmitter {
public:
  WarpgroupEmitter(jit::codegen::ProductGroup &group, OpBuilder &b, const SharedFactor &left,
                   const SharedFactor &right, int64_t multiprocessors)
      : shape(group.shape), b(b), loc(group.product.getLoc()), left(left), right(right),
        pieces(group, jit::codegen::workOfGroups(shape, right.columns(), slice), multiprocessors),
        stages(std::min(mostStages, static_cast<int64_t>(llvm::PowerOf2Ceil(pieces.mostSlices())))),
        ring(b, loc, stages) {}

  void emit();

private:
  void emitTiles();
  void locate(jit::codegen::Launch &launch);
  void initBarriers();
  /// What the thread does that copies, and what the others do.
  void copySlices();
  void multiplySlices();
  /// Gives the sums after slice `number`; `scale` says whether the old ones count.
  Value multiplySlice(Value number, Value sums, NVVM::WGMMAScaleOut scale);

  int64_t stageBytes() const { return left.bytes() + right.bytes(); }
  bool hasManySums() const { return right.columns() > 128; }

  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
  Value div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
  Value rem(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, index(y)); }
  Value isEqual(Value x, int64_t y) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, index(y));
  }
  /// Where the part of the right factor begins in a stage, and stages.
  Value rightAddress(Value number) { return add(leftAddress(number), index(left.bytes())); }
  Value leftAddress(Value number) { return add(memory, mul(ring.stageOf(number), stageBytes())); }

  const jit::codegen::ProductShape &shape;
  OpBuilder &b;
  Location loc;
  SharedFactor left, right;
  jit::codegen::SumPieces pieces;
  int64_t stages;
  jit::codegen::CopyRing ring;
  /// An address in shared memory, the thread's place, and the first row and column of the tile.
  Value memory, thread, batchAt, rowOrigin, columnOrigin;
  /// The piece of the sums, its first slice, and how many it has.
  Value pieceAt, firstSlice, slices;
};
} // namespace

void WarpgroupEmitter::locate(jit::codegen::Launch &launch) {
  int64_t rowTiles = llvm::divideCeilSigned(shape.rows.count, left.columns());
  int64_t columnTiles = llvm::divideCeilSigned(shape.columns.count, right.columns());
  int64_t side = rowTiles % neighbours == 0 ? neighbours : 1;
  SmallVector<Value> at = jit::codegen::delinearize(
      b, loc, launch.blockId(),
      {pieces.count(), shape.batch.count, rowTiles / side, columnTiles, side});
  pieceAt = at[0];
  batchAt = at[1];
  thread = launch.threadId();
  rowOrigin = mul(add(mul(at[2], side), at[4]), left.columns());
  columnOrigin = mul(at[3], right.columns());
  std::tie(firstSlice, slices) = pieces.slicesOf(b, pieceAt);
  for (SharedFactor *factor : {&left, &right})
    factor->locate(b, loc, batchAt);
  Value shared = launch.dynamicShared(patternBytes + stages * stageBytes() + ring.bytes());
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, shared);
  memory = mul(div(add(address, index(patternBytes - 1)), patternBytes), patternBytes);
  ring.locate(add(memory, index(stages * stageBytes())));
}

void WarpgroupEmitter::initBarriers() {
  jit::codegen::runIf(b, loc, isEqual(thread, 0), [&] {
    ring.initBarriers(tileGroups * groupThreads / jit::codegen::warpSize);
    NVVM::FenceMbarrierInitOp::create(b, loc);
  });
  gpu::BarrierOp::create(b, loc);
}

void WarpgroupEmitter::copySlices() {
  auto loop = scf::ForOp::create(b, loc, index(0), slices, index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar(), depthAt = mul(add(firstSlice, number), slice);
  ring.awaitEmpty(number);
  Value full = ring.expect(number, stageBytes());
  left.copy(b, loc, leftAddress(number), depthAt, rowOrigin, full);
  right.copy(b, loc, rightAddress(number), depthAt, columnOrigin, full);
}

Value WarpgroupEmitter::multiplySlice(Value number, Value sums, NVVM::WGMMAScaleOut scale) {
  ring.awaitFull(number);
  Value groupRow =
      mul(arith::SubIOp::create(b, loc, div(thread, groupThreads), index(1)), groupRows);
  Value rowAt = add(leftAddress(number), left.rowOffset(b, loc, groupRow));
  return jit::codegen::multiplySlices(b, loc, {left, rowAt}, {right, rightAddress(number)}, slice,
                                      sums, scale);
}

void WarpgroupEmitter::multiplySlices() {
  // What comes first adds to nothing: a loop that begins with zeros would write registers between
  // instructions that are under way.
  Value none = LLVM::UndefOp::create(b, loc, jit::codegen::sumsOfGroup(b, right.columns()));
  Value first = multiplySlice(index(0), none, NVVM::WGMMAScaleOut::zero);
  auto loop = scf::ForOp::create(b, loc, index(1), slices, index(1), first);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value number = loop.getInductionVar();
    Value after = multiplySlice(number, loop.getRegionIterArg(0), NVVM::WGMMAScaleOut::one);
    // This slice is multiplied while the next one is waited for; the one before is done.
    NVVM::WgmmaWaitGroupSyncOp::create(b, loc, uint64_t(1));
    ring.leave(thread, arith::SubIOp::create(b, loc, number, index(1)));
    scf::YieldOp::create(b, loc, after);
  }
  NVVM::WgmmaWaitGroupSyncOp::create(b, loc, uint64_t(0));
  // The warps that multiply begin with the fifth.
  Value warp = arith::SubIOp::create(b, loc, div(thread, jit::codegen::warpSize),
                                     index(groupThreads / jit::codegen::warpSize));
  jit::codegen::finishSums(pieces, b, loop.getResult(0), warp, rem(thread, jit::codegen::warpSize),
                           {pieceAt, {batchAt, rowOrigin, columnOrigin}}, right.columns());
}

void WarpgroupEmitter::emit() {
  pieces.allocate(b);
  emitTiles();
  pieces.join(b);
}

void WarpgroupEmitter::emitTiles() {
  int64_t blocks = pieces.count() * shape.batch.count *
                   llvm::divideCeilSigned(shape.rows.count, left.columns()) *
                   llvm::divideCeilSigned(shape.columns.count, right.columns());
  jit::codegen::Launch launch(b, loc, "wgmma", blocks, threads);
  locate(launch);
  initBarriers();
  Value isCopier = isEqual(div(thread, groupThreads), 0);
  auto branch = scf::IfOp::create(b, loc, isCopier, /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  if (hasManySums())
    NVVM::SetMaxRegisterOp::create(b, loc, jit::codegen::fewRegisters,
                                   NVVM::SetMaxRegisterAction::decrease);
  jit::codegen::runIf(b, loc, isEqual(thread, 0), [&] { copySlices(); });
  b.setInsertionPointToStart(branch.elseBlock());
  if (hasManySums())
    NVVM::SetMaxRegisterOp::create(b, loc, jit::codegen::manyRegisters,
                                   NVVM::SetMaxRegisterAction::increase);
  multiplySlices();
}

bool jit::codegen::emitWarpgroupProduct(ProductGroup &group, OpBuilder &b,
                                        const GpuMachine &machine) {
  const ProductShape &shape = group.shape;
  if (!machine.hasWarpgroupProducts || !isForWarpgroups(group))
    return false;
  linalg::LinalgOp op = group.product;
  OpOperand &left = *op.getDpsInputOperand(0), &right = *op.getDpsInputOperand(1);
  auto first = FactorMatrix::of(op, left, shape, shape.rows);
  auto second = FactorMatrix::of(op, right, shape, shape.columns);
  if (!first || !second)
    return false;
  int64_t columns = chooseTileColumns(shape, machine.multiprocessors);
  WarpgroupEmitter(group, b, SharedFactor(left, *first, tileRows, slice),
                   SharedFactor(right, *second, columns, slice), machine.multiprocessors)
      .emit();
  return true;
}
