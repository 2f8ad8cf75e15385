//===- SplitReduction.cpp - long reductions to few numbers, in two steps --===//
//
// The reduced points are cut into pieces so that there is work for the whole device; a second
// kernel joins what the pieces reduce to. Sums of gradients over broadcast dimensions are of this
// kind.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LoopOrder.h"
#include "Kernels/KernelEmitters.h"
#include "Kernels/ReducedPieces.h"
#include "Loops/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// What a piece has at least, where a block and where a thread reduces it.
static constexpr int64_t leastOfBlock = 4096, leastOfThread = 64;
static constexpr int64_t blockThreads = 256, threadsOfMultiprocessor = 1024;
static constexpr int64_t blocksOfMultiprocessor = 4;

namespace {
class SplitReduction {
public:
  SplitReduction(linalg::LinalgOp op, jit::codegen::Reducer reducer, OpBuilder &b,
                 const jit::codegen::GpuMachine &machine);

  bool pays() const { return pieces > 1; }
  void emit();

private:
  void emitByBlocks();
  void emitByThreads();
  /// Reduces every `step`-th point of piece `piece`, from `first` on.
  SmallVector<Value> reducePiece(Value output, Value piece, Value first, int64_t step);
  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }

  linalg::LinalgOp op;
  jit::codegen::Reducer reducer;
  OpBuilder &b;
  Location loc;
  const jit::codegen::GpuMachine &machine;
  jit::codegen::ElementEmitter element;
  SmallVector<unsigned> reductions;
  SmallVector<int64_t> lengthSizes;
  int64_t outputs = 1, length = 1, pieces = 1, pieceLength = 1;
  /// Whether neighbours along the reduction are neighbours in memory.
  bool isContiguous = false;
  std::optional<jit::codegen::ReducedPieces> reduced;
};
} // namespace

SplitReduction::SplitReduction(linalg::LinalgOp op, jit::codegen::Reducer reducer, OpBuilder &b,
                               const jit::codegen::GpuMachine &machine)
    : op(op), reducer(std::move(reducer)), b(b), loc(op.getLoc()), machine(machine),
      element(op, b) {
  op.getReductionDims(reductions);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned dim : reductions) {
    lengthSizes.push_back(sizes[dim]);
    length *= sizes[dim];
  }
  outputs = llvm::product_of(sizes) / length;
  isContiguous = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    return isa<MemRefType>(operand->get().getType()) &&
           jit::codegen::strideAlong(op, *operand, reductions.back()) == 1;
  });
  int64_t least = isContiguous ? leastOfBlock : leastOfThread;
  int64_t wanted = isContiguous ? machine.multiprocessors * blocksOfMultiprocessor
                                : machine.multiprocessors * threadsOfMultiprocessor;
  // As many as the device has room for, none of them too small.
  pieces = std::max<int64_t>(1, std::min(length / least, wanted / outputs));
  pieceLength = llvm::divideCeilSigned(length, pieces);
  pieces = llvm::divideCeilSigned(length, pieceLength);
}

SmallVector<Value> SplitReduction::reducePiece(Value output, Value piece, Value first,
                                               int64_t step) {
  Value begin = arith::MulIOp::create(b, loc, piece, index(pieceLength));
  Value end = arith::AddIOp::create(b, loc, begin, index(pieceLength));
  if (length % pieceLength != 0)
    end = arith::MinUIOp::create(b, loc, end, index(length));
  begin = arith::AddIOp::create(b, loc, begin, first);
  SmallVector<Value> point = reduced->pointOf(output);
  auto loop = scf::ForOp::create(b, loc, begin, end, index(step), reducer.neutral(b));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  for (auto [dim, value] : llvm::zip(
           reductions, jit::codegen::delinearize(b, loc, loop.getInductionVar(), lengthSizes)))
    point[dim] = value;
  scf::YieldOp::create(b, loc, element.emitBody(point, loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

void SplitReduction::emitByBlocks() {
  jit::codegen::Launch launch(b, loc, "pieces", outputs * pieces, blockThreads);
  SmallVector<Value> at = jit::codegen::delinearize(b, loc, launch.blockId(), {outputs, pieces});
  SmallVector<Value> own = reducePiece(at[0], at[1], launch.threadId(), blockThreads);
  SmallVector<Value> all = reducer.acrossBlock(b, launch, own, blockThreads);
  reduced->storeOfFirst(launch.threadId(), all, at[0], at[1]);
}

/// Neighbouring threads have neighbouring outputs.
void SplitReduction::emitByThreads() {
  jit::codegen::launchForEach(
      b, loc, "pieces", outputs * pieces, machine.multiprocessors, [&](Value id) {
        SmallVector<Value> at = jit::codegen::delinearize(b, loc, id, {pieces, outputs});
        reduced->store(reducePiece(at[1], at[0], index(0), 1), at[1], at[0]);
      });
}

void SplitReduction::emit() {
  reduced.emplace(op, reducer, pieces, b);
  if (isContiguous) {
    emitByBlocks();
    reduced->joinByWarps();
  } else {
    emitByThreads();
    reduced->joinByThreads(machine);
  }
}

bool jit::codegen::emitSplitReduction(linalg::LinalgOp op, OpBuilder &b,
                                      const GpuMachine &machine) {
  std::optional<Reducer> reducer = Reducer::of(op);
  if (op.getNumReductionLoops() == 0 || !reducer)
    return false;
  SplitReduction split(op, std::move(*reducer), b, machine);
  if (!split.pays())
    return false;
  split.emit();
  return true;
}
