//===- LoopPhases.cpp - a loop of kernels as phases of one ----------------===//
#include "Kernels/LoopPhases.h"
#include "Analysis/BufferRoots.h"
#include "Kernels/Launch.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using jit::codegen::Footprint;
using jit::codegen::Phase;

/// Bytes that a kernel can declare for a block to share.
static constexpr int64_t mostSharedBytes = 48 * 1024;

void Footprint::add(const Footprint &other) {
  read.insert_range(other.read);
  written.insert_range(other.written);
  readsAny |= other.readsAny;
  writesAny |= other.writesAny;
}

static bool isEmpty(const Footprint &touches) {
  return touches.read.empty() && touches.written.empty() && !touches.readsAny && !touches.writesAny;
}

/// True if `later` may depend on `earlier`, or overwrite what it reads.
static bool conflict(const Footprint &earlier, const Footprint &later) {
  if ((earlier.writesAny && !isEmpty(later)) || (later.writesAny && !isEmpty(earlier)) ||
      (earlier.readsAny && !later.written.empty()) || (later.readsAny && !earlier.written.empty()))
    return true;
  auto overlap = [](const auto &written, const auto &touched) {
    return llvm::any_of(written, [&](Value root) { return touched.contains(root); });
  };
  return overlap(earlier.written, later.written) || overlap(earlier.written, later.read) ||
         overlap(later.written, earlier.read);
}

/// Adds what `op` does by `buffer`, one of its operands.
static void addAccess(Footprint &touches, Operation *op, Value buffer) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  bool isWriting = !effects || hasEffect<MemoryEffects::Write>(op, buffer);
  bool isReading = !effects || hasEffect<MemoryEffects::Read>(op, buffer);
  Value root = jit::codegen::viewedBuffer(buffer);
  // Constants of the program stay what they are.
  if (root.getDefiningOp<memref::GetGlobalOp>() && !isWriting)
    return;
  bool isKnown = jit::codegen::isDistinctRoot(root);
  if (isWriting && isKnown)
    touches.written.insert(root);
  if (isReading && isKnown)
    touches.read.insert(root);
  touches.writesAny |= isWriting && !isKnown;
  touches.readsAny |= isReading && !isKnown;
}

static Footprint footprintOf(Operation *phase) {
  Footprint touches;
  phase->walk([&](Operation *op) {
    if (isMemoryEffectFree(op) || isa<gpu::LaunchOp>(op))
      return;
    for (Value operand : op->getOperands())
      // What a block shares is no memory of the program's.
      if (auto type = dyn_cast<MemRefType>(operand.getType()); type && !type.getMemorySpace())
        addAccess(touches, op, operand);
  });
  return touches;
}

std::optional<jit::codegen::LaunchSize> jit::codegen::sizeOf(gpu::LaunchOp launch) {
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (Value size : {grid.y, grid.z, block.y, block.z})
    if (!isConstantIntValue(size, 1))
      return std::nullopt;
  Value bytes = launch.getDynamicSharedMemorySize();
  std::optional<int64_t> blocks = getConstantIntValue(grid.x),
                         threads = getConstantIntValue(block.x),
                         dynamic = bytes ? getConstantIntValue(bytes) : 0;
  if (!blocks || !threads || !dynamic)
    return std::nullopt;
  return LaunchSize{*blocks, *threads, *dynamic};
}

/// Groups of four warps share registers and barriers for a whole kernel, the host makes maps of
/// tensors for a launch, and blocks that wait for each other are those of a launch.
static bool ownsItsKernel(gpu::LaunchOp launch) {
  return launch->hasAttr(jit::codegen::registersAttrName) ||
         launch->hasAttr(jit::codegen::cooperativeAttrName) ||
         launch
             .walk([](Operation *op) {
               // To round is a thread's own affair.
               if (isa<NVVM::ConvertFloatToTF32Op>(op))
                 return WalkResult::advance();
               bool isOwn = isa<NVVM::NVVMDialect, LLVM::LLVMDialect>(op->getDialect()) ||
                            isa<nvgpu::TmaCreateDescriptorOp, nvgpu::MBarrierCreateOp,
                                UnrealizedConversionCastOp>(op);
               return isOwn ? WalkResult::interrupt() : WalkResult::advance();
             })
             .wasInterrupted();
}

/// True if threads of a block, or of a warp that is not whole, do something together.
static bool needsAllThreads(gpu::LaunchOp launch, int64_t threads) {
  return launch
      .walk([&](Operation *op) {
        bool isTogether =
            isa<gpu::BarrierOp>(op) ||
            (threads % jit::codegen::warpSize != 0 &&
             (isa<gpu::ShuffleOp, nvgpu::LdMatrixOp>(op) || isa<nvgpu::MmaSyncOp>(op)));
        return isTogether ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isPhase(Operation *op, int64_t mostBlocks) {
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    auto type = cast<MemRefType>(copy.getTarget().getType());
    return type.hasStaticShape() && type.getNumElements() > 0;
  }
  auto launch = dyn_cast<gpu::LaunchOp>(op);
  if (!launch || ownsItsKernel(launch))
    return false;
  std::optional<jit::codegen::LaunchSize> size = jit::codegen::sizeOf(launch);
  return size && size->blocks <= mostBlocks;
}

/// True for what stands between phases and can be computed by each thread, or before the loop.
static bool isBetween(Operation *op) {
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return alloc.getType().hasStaticShape();
  return op->getNumRegions() == 0 && isPure(op) && !isa<UnrealizedConversionCastOp>(op);
}

/// Bytes that blocks declare for phases that have memory of a type one after the other.
static int64_t sharedBytes(ArrayRef<Phase> phases) {
  llvm::MapVector<Type, int64_t> most;
  for (const Phase &phase : phases) {
    llvm::SmallDenseMap<Type, int64_t> own;
    if (auto launch = dyn_cast<gpu::LaunchOp>(phase.op))
      for (BlockArgument memory : launch.getWorkgroupAttributions())
        ++own[memory.getType()];
    for (auto [type, count] : own)
      most[type] = std::max(most[type], count);
  }
  int64_t bytes = 0;
  for (auto [type, count] : most) {
    auto memory = cast<MemRefType>(type);
    bytes += count * memory.getNumElements() * llvm::divideCeil(memory.getElementTypeBitWidth(), 8);
  }
  return bytes;
}

/// Whether the phases can have blocks of one size: those that are smaller leave threads out.
static bool fitTogether(ArrayRef<Phase> phases) {
  int64_t most = 0;
  for (const Phase &phase : phases) {
    auto launch = dyn_cast<gpu::LaunchOp>(phase.op);
    if (!launch)
      continue;
    most = std::max(most, jit::codegen::sizeOf(launch)->threads);
  }
  return sharedBytes(phases) <= mostSharedBytes && llvm::all_of(phases, [&](const Phase &phase) {
           auto launch = dyn_cast<gpu::LaunchOp>(phase.op);
           if (!launch)
             return true;
           int64_t threads = jit::codegen::sizeOf(launch)->threads;
           return threads == most || !needsAllThreads(launch, threads);
         });
}

/// The blocks meet where a phase may depend on what was done since they last met, be it in the trip
/// before.
static void placeMeetings(MutableArrayRef<Phase> phases) {
  Footprint since;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    // Twice: what a trip leaves is met by the next one.
    for (int trip = 0; trip < 2; ++trip)
      for (Phase &phase : phases) {
        if (!phase.meets && conflict(since, phase.touches))
          phase.meets = isChanged = true;
        if (phase.meets)
          since = {};
        since.add(phase.touches);
      }
  }
}

std::optional<jit::codegen::LoopPhases> jit::codegen::findPhases(scf::ForOp loop,
                                                                 int64_t mostBlocks) {
  LoopPhases found;
  if (loop.getNumResults() != 0)
    return std::nullopt;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isBetween(&op))
      continue;
    if (!isPhase(&op, mostBlocks))
      return std::nullopt;
    found.phases.push_back({&op, footprintOf(&op)});
    found.touches.add(found.phases.back().touches);
  }
  if (found.phases.empty() || !fitTogether(found.phases))
    return std::nullopt;
  placeMeetings(found.phases);
  return found;
}
