//===- SplitReduction.cpp - long reductions to few numbers, in two steps --===//
//
// The reduced points are cut into pieces so that there is work for the whole device; what the
// pieces reduce to lies in memory until a second kernel joins it, piece after piece. Sums of
// gradients over broadcast dimensions are of this kind. No atomics: two calls give the same bits.
//
//===----------------------------------------------------------------------===//
#include "Analysis/LoopOrder.h"
#include "Kernels/KernelEmitters.h"
#include "Kernels/Reducer.h"
#include "Loops/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
  void joinByWarps();
  void joinByThreads();
  /// Reduces every `step`-th point of piece `piece`, from `first` on.
  SmallVector<Value> reducePiece(Value output, Value piece, Value first, int64_t step);
  /// Joins every `step`-th piece of an output's, from `first` on.
  SmallVector<Value> joinPieces(Value output, Value first, int64_t step);
  SmallVector<Value> pointOf(Value output);
  void storeIf(Value condition, llvm::function_ref<void()> store);
  void storePiece(ValueRange values, Value output, Value piece);
  void storeOutput(ValueRange values, Value output);
  Value isFirst(Value thread) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread, index(0));
  }
  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }

  linalg::LinalgOp op;
  jit::codegen::Reducer reducer;
  OpBuilder &b;
  Location loc;
  const jit::codegen::GpuMachine &machine;
  jit::codegen::ElementEmitter element;
  SmallVector<unsigned> parallel, reductions;
  SmallVector<int64_t> outputSizes, lengthSizes;
  int64_t outputs = 1, length = 1, pieces = 1, pieceLength = 1;
  /// Whether neighbours along the reduction are neighbours in memory.
  bool isContiguous = false;
  /// What pieces reduce to, for each result: pieces by outputs.
  SmallVector<Value> partial;
};
} // namespace

SplitReduction::SplitReduction(linalg::LinalgOp op, jit::codegen::Reducer reducer, OpBuilder &b,
                               const jit::codegen::GpuMachine &machine)
    : op(op), reducer(std::move(reducer)), b(b), loc(op.getLoc()), machine(machine),
      element(op, b) {
  op.getParallelDims(parallel);
  op.getReductionDims(reductions);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned dim : parallel) {
    outputSizes.push_back(sizes[dim]);
    outputs *= sizes[dim];
  }
  for (unsigned dim : reductions) {
    lengthSizes.push_back(sizes[dim]);
    length *= sizes[dim];
  }
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

SmallVector<Value> SplitReduction::pointOf(Value output) {
  SmallVector<Value> point(op.getNumLoops(), index(0));
  for (auto [dim, value] :
       llvm::zip(parallel, jit::codegen::delinearize(b, loc, output, outputSizes)))
    point[dim] = value;
  return point;
}

SmallVector<Value> SplitReduction::reducePiece(Value output, Value piece, Value first,
                                               int64_t step) {
  Value begin = arith::MulIOp::create(b, loc, piece, index(pieceLength));
  Value end = arith::AddIOp::create(b, loc, begin, index(pieceLength));
  if (length % pieceLength != 0)
    end = arith::MinUIOp::create(b, loc, end, index(length));
  begin = arith::AddIOp::create(b, loc, begin, first);
  SmallVector<Value> point = pointOf(output);
  auto loop = scf::ForOp::create(b, loc, begin, end, index(step), reducer.neutral(b));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  for (auto [dim, value] : llvm::zip(
           reductions, jit::codegen::delinearize(b, loc, loop.getInductionVar(), lengthSizes)))
    point[dim] = value;
  scf::YieldOp::create(b, loc, element.emitBody(point, loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value> SplitReduction::joinPieces(Value output, Value first, int64_t step) {
  auto loop = scf::ForOp::create(b, loc, first, index(pieces), index(step), reducer.neutral(b));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> values;
  for (Value from : partial)
    values.push_back(
        memref::LoadOp::create(b, loc, from, ValueRange{loop.getInductionVar(), output}));
  scf::YieldOp::create(b, loc, reducer.combine(b, loop.getRegionIterArgs(), values));
  return SmallVector<Value>(loop.getResults());
}

void SplitReduction::storeIf(Value condition, llvm::function_ref<void()> store) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(scf::IfOp::create(b, loc, condition).thenBlock());
  store();
}

void SplitReduction::storePiece(ValueRange values, Value output, Value piece) {
  for (auto [value, to] : llvm::zip(values, partial))
    memref::StoreOp::create(b, loc, value, to, ValueRange{piece, output});
}

void SplitReduction::storeOutput(ValueRange values, Value output) {
  SmallVector<Value> point = pointOf(output);
  element.store(reducer.combine(b, element.loadOutputs(point), values), point);
}

void SplitReduction::emitByBlocks() {
  jit::codegen::Launch launch(b, loc, "pieces", outputs * pieces, blockThreads);
  SmallVector<Value> at = jit::codegen::delinearize(b, loc, launch.blockId(), {outputs, pieces});
  SmallVector<Value> own = reducePiece(at[0], at[1], launch.threadId(), blockThreads);
  SmallVector<Value> all = reducer.acrossBlock(b, launch, own, blockThreads);
  storeIf(isFirst(launch.threadId()), [&] { storePiece(all, at[0], at[1]); });
}

/// Neighbouring threads have neighbouring outputs.
void SplitReduction::emitByThreads() {
  jit::codegen::launchForEach(
      b, loc, "pieces", outputs * pieces, machine.multiprocessors, [&](Value id) {
        SmallVector<Value> at = jit::codegen::delinearize(b, loc, id, {pieces, outputs});
        storePiece(reducePiece(at[1], at[0], index(0), 1), at[1], at[0]);
      });
}

void SplitReduction::joinByWarps() {
  jit::codegen::Launch launch(b, loc, "joined", outputs, jit::codegen::warpSize);
  SmallVector<Value> own = joinPieces(launch.blockId(), launch.threadId(), jit::codegen::warpSize);
  SmallVector<Value> all = reducer.acrossLanes(b, own, jit::codegen::warpSize);
  storeIf(isFirst(launch.threadId()), [&] { storeOutput(all, launch.blockId()); });
}

void SplitReduction::joinByThreads() {
  jit::codegen::launchForEach(
      b, loc, "joined", outputs, machine.multiprocessors,
      [&](Value output) { storeOutput(joinPieces(output, index(0), 1), output); });
}

void SplitReduction::emit() {
  for (Value init : op.getDpsInits())
    partial.push_back(memref::AllocOp::create(
        b, loc, MemRefType::get({pieces, outputs}, getElementTypeOrSelf(init))));
  if (isContiguous) {
    emitByBlocks();
    joinByWarps();
  } else {
    emitByThreads();
    joinByThreads();
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
