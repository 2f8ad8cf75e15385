//===- PersistentLoops.cpp - a loop of kernels becomes one kernel ---------===//
#include "Analysis/BufferRoots.h"
#include "Kernels/Launch.h"
#include "Kernels/LoopPhases.h"
#include "jit/Codegen/Kernels/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace jit::codegen {
#define GEN_PASS_DEF_PERSISTENTLOOPS
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;
using jit::codegen::constantIndex;
using jit::codegen::LoopPhases;
using jit::codegen::Phase;

/// Blocks of a phase for each multiprocessor, at most. Work that fills the device for longer gains
/// little by one launch less, and every phase has the registers of the one that needs most.
static constexpr int64_t blocksPerMultiprocessor = 8;

namespace {
/// Makes the kernel of one loop.
class LoopKernel {
public:
  LoopKernel(scf::ForOp loop, LoopPhases found, int64_t multiprocessors)
      : loop(loop), found(std::move(found)), multiprocessors(multiprocessors), b(loop),
        loc(loop.getLoc()) {}

  void build();

private:
  void launchCopies();
  void dropNcLoads();
  void hoistBuffers();
  /// A number in memory, 0 when the kernel starts: how often blocks have come to a meeting.
  void createArrivals();
  void createLaunch();
  void fillLoop(scf::ForOp inside);
  void addPhase(gpu::LaunchOp phase);
  void replaceIds(gpu::LaunchOp phase, Value block);
  /// Phases have the memory that they share one after the other.
  void replaceShared(gpu::LaunchOp phase);
  /// Has all blocks wait until each has come; gives how many arrivals there are then.
  Value meet(Value before);

  scf::ForOp loop;
  LoopPhases found;
  int64_t multiprocessors;
  OpBuilder b;
  Location loc;
  gpu::LaunchOp launch;
  int64_t threads = 0;
  Value arrivals, blocks;
};
} // namespace

/// The driver's copies as computations.
void LoopKernel::launchCopies() {
  for (Phase &phase : found.phases) {
    auto copy = dyn_cast<memref::CopyOp>(phase.op);
    if (!copy)
      continue;
    auto type = cast<MemRefType>(copy.getTarget().getType());
    b.setInsertionPoint(copy);
    jit::codegen::launchForEach(
        b, loc, "copy", type.getNumElements(), multiprocessors, [&](Value id) {
          SmallVector<Value> at = jit::codegen::delinearize(b, loc, id, type.getShape());
          Value element = memref::LoadOp::create(b, loc, copy.getSource(), at);
          memref::StoreOp::create(b, loc, element, copy.getTarget(), at);
        });
    phase.op = copy->getPrevNode();
    copy.erase();
  }
}

/// Memory that another phase writes changes while the kernel runs.
void LoopKernel::dropNcLoads() {
  for (Phase &phase : found.phases)
    phase.op->walk([&](Operation *op) {
      if (!op->hasAttr(jit::codegen::ncAttrName))
        return;
      Value root = jit::codegen::viewedBuffer(op->getOperand(0));
      if (!jit::codegen::isDistinctRoot(root) || found.touches.writes(root))
        op->removeAttr(jit::codegen::ncAttrName);
    });
}

void LoopKernel::hoistBuffers() {
  for (auto alloc : llvm::make_early_inc_range(loop.getBody()->getOps<memref::AllocOp>()))
    alloc->moveBefore(loop);
}

void LoopKernel::createArrivals() {
  b.setInsertionPoint(loop);
  arrivals = memref::AllocOp::create(b, loc, MemRefType::get({}, b.getI32Type()));
  jit::codegen::launchOnce(b, loc, [&] {
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
    memref::StoreOp::create(b, loc, zero, arrivals);
  });
}

void LoopKernel::createLaunch() {
  int64_t grid = 1, dynamicBytes = 0;
  for (const Phase &phase : found.phases) {
    auto size = *jit::codegen::sizeOf(phase.launch());
    grid = std::max(grid, size.blocks);
    threads = std::max(threads, size.threads);
    dynamicBytes = std::max(dynamicBytes, size.dynamicBytes);
  }
  b.setInsertionPoint(loop);
  Value one = constantIndex(b, loc, 1), bytes;
  if (dynamicBytes)
    bytes = arith::ConstantIntOp::create(b, loc, dynamicBytes, 32);
  launch = gpu::LaunchOp::create(b, loc, constantIndex(b, loc, grid), one, one,
                                 constantIndex(b, loc, threads), one, one, bytes);
  launch->setAttr(jit::codegen::kernelAttrName, b.getStringAttr("loop"));
  launch->setAttr(jit::codegen::cooperativeAttrName, b.getUnitAttr());
  b.setInsertionPointToStart(&launch.getBody().front());
  gpu::TerminatorOp::create(b, loc);
  b.setInsertionPointToStart(&launch.getBody().front());
  // The device may have room for fewer.
  blocks = gpu::GridDimOp::create(b, loc, gpu::Dimension::x);
}

Value LoopKernel::meet(Value before) {
  Value more = arith::IndexCastOp::create(b, loc, b.getI32Type(), blocks);
  Value expected = arith::AddIOp::create(b, loc, before, more);
  gpu::BarrierOp::create(b, loc);
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, launch.getThreadIds().x,
                                        constantIndex(b, loc, 0));
  auto first = scf::IfOp::create(b, loc, isFirst);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(first.thenBlock());
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
    Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
    // The backend for GPUs writes no order into atomics.
    auto fence = [&] {
      LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::acq_rel, StringRef("device"));
    };
    fence();
    memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::addi, one, arrivals, ValueRange());
    scf::WhileOp::create(
        b, loc, TypeRange(), ValueRange(),
        [&](OpBuilder &, Location, ValueRange) {
          Value come = memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::addi, zero,
                                                   arrivals, ValueRange());
          // The count wraps around, but no block is ahead of another by more than a meeting.
          Value ahead = arith::SubIOp::create(b, loc, come, expected);
          Value isMissing = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, ahead, zero);
          scf::ConditionOp::create(b, loc, isMissing, ValueRange());
        },
        [&](OpBuilder &, Location, ValueRange) { scf::YieldOp::create(b, loc); });
    fence();
  }
  gpu::BarrierOp::create(b, loc);
  return expected;
}

void LoopKernel::replaceIds(gpu::LaunchOp phase, Value block) {
  Value zero = constantIndex(b, loc, 0);
  for (auto [id, value] : {std::pair(phase.getBlockIds(), block),
                           std::pair(phase.getThreadIds(), Value(launch.getThreadIds().x))}) {
    id.x.replaceAllUsesWith(value);
    id.y.replaceAllUsesWith(zero);
    id.z.replaceAllUsesWith(zero);
  }
  for (auto [inside, value] :
       {std::pair(phase.getGridSize(), phase.getGridSizeOperandValues()),
        std::pair(phase.getBlockSize(), phase.getBlockSizeOperandValues())}) {
    inside.x.replaceAllUsesWith(value.x);
    inside.y.replaceAllUsesWith(value.y);
    inside.z.replaceAllUsesWith(value.z);
  }
}

void LoopKernel::replaceShared(gpu::LaunchOp phase) {
  SmallVector<BlockArgument> rest(launch.getWorkgroupAttributions());
  for (BlockArgument memory : phase.getWorkgroupAttributions()) {
    auto found = llvm::find_if(
        rest, [&](BlockArgument other) { return other.getType() == memory.getType(); });
    if (found == rest.end()) {
      memory.replaceAllUsesWith(launch.addWorkgroupAttribution(memory.getType(), loc));
    } else {
      memory.replaceAllUsesWith(*found);
      rest.erase(found);
    }
  }
}

/// Walks the phase's grid, as many blocks at a time as there are.
void LoopKernel::addPhase(gpu::LaunchOp phase) {
  auto size = *jit::codegen::sizeOf(phase);
  OpBuilder::InsertionGuard guard(b);
  auto walk = scf::ForOp::create(b, loc, launch.getBlockIds().x, constantIndex(b, loc, size.blocks),
                                 blocks);
  b.setInsertionPointToStart(walk.getBody());
  replaceIds(phase, walk.getInductionVar());
  // The next block writes what this one's threads may still read.
  bool isSharing = phase.getNumWorkgroupAttributions() > 0 || size.dynamicBytes > 0;
  if (isSharing)
    gpu::BarrierOp::create(b, loc);
  replaceShared(phase);
  Operation *before = walk.getBody()->getTerminator();
  if (size.threads < threads) {
    Value isInside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, launch.getThreadIds().x,
                              constantIndex(b, loc, size.threads));
    before = scf::IfOp::create(b, loc, isInside).thenBlock()->getTerminator();
  }
  for (Operation &op : llvm::make_early_inc_range(phase.getBody().front().without_terminator()))
    op.moveBefore(before);
  phase.erase();
}

void LoopKernel::fillLoop(scf::ForOp inside) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(inside.getBody());
  loop.getInductionVar().replaceAllUsesWith(inside.getInductionVar());
  Value come = inside.getRegionIterArg(0);
  Phase *phase = found.phases.begin();
  for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    if (&op != phase->op) {
      op.moveBefore(inside.getBody(), b.getInsertionPoint());
      continue;
    }
    if (phase->meets)
      come = meet(come);
    addPhase(phase->launch());
    if (++phase == found.phases.end())
      break;
  }
  scf::YieldOp::create(b, loc, come);
}

void LoopKernel::build() {
  dropNcLoads();
  launchCopies();
  hoistBuffers();
  createArrivals();
  createLaunch();
  Value none = arith::ConstantIntOp::create(b, loc, 0, 32);
  auto inside =
      scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), none);
  fillLoop(inside);
  loop.erase();
}

namespace {
struct PersistentLoops : jit::codegen::impl::PersistentLoopsBase<PersistentLoops> {
  using PersistentLoopsBase::PersistentLoopsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop->getParentOfType<gpu::LaunchOp>())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (auto found = jit::codegen::findPhases(loop, multiprocessors * blocksPerMultiprocessor))
        LoopKernel(loop, std::move(*found), multiprocessors).build();
  }
};
} // namespace
