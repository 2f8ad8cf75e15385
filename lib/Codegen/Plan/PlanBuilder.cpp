//===- PlanBuilder.cpp - the host's part of an entry, as data -------------===//
#include "Plan/PlanBuilder.h"
#include "Analysis/HostSizes.h"
#include "Analysis/SourcePlace.h"
#include "Buffers/EntryLayout.h"
#include "Buffers/OpenBuffers.h"
#include "Kernels/Launch.h"
#include "Kernels/LibraryCall.h"
#include "Kernels/LibraryConvolution.h"
#include "Kernels/LibraryProduct.h"
#include "Kernels/TensorMaps.h"
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Dialect/Jit/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace jit::runtime;

namespace {
/// Writes the plan of one function.
class PlanBuilder {
public:
  PlanBuilder(func::FuncOp func, const llvm::StringMap<uint32_t> &kernels)
      : func(func), kernels(kernels) {}

  FailureOr<jit::runtime::DevicePlan> build();

private:
  LogicalResult addSteps(Block &block, PlanSteps &steps);
  LogicalResult add(Operation *op, PlanSteps &steps);
  LogicalResult add(gpu::LaunchFuncOp op, PlanSteps &steps);
  LogicalResult add(memref::CopyOp op, PlanSteps &steps);
  LogicalResult add(linalg::GenericOp op, PlanSteps &steps);
  LogicalResult add(memref::LoadOp op, PlanSteps &steps);
  LogicalResult add(scf::ForOp op, PlanSteps &steps);
  LogicalResult add(scf::IfOp op, PlanSteps &steps);
  LogicalResult add(scf::WhileOp op, PlanSteps &steps);
  LogicalResult add(jit::GuardOp op, PlanSteps &steps);
  LogicalResult add(UnrealizedConversionCastOp op, PlanSteps &steps);
  LogicalResult addSize(Operation *op, PlanSteps &steps);
  /// Gives `to` the values `from`, all at once.
  LogicalResult addSet(ValueRange to, ValueRange from, PlanSteps &steps);
  FailureOr<PlanOperand> operandOf(Value value);
  FailureOr<PlanOperand> computeOperand(Value value);
  FailureOr<PlanOperand> sizeOperand(memref::DimOp dim);
  /// Words of their own for values that steps set.
  void addWords(ValueRange values);

  func::FuncOp func;
  const llvm::StringMap<uint32_t> &kernels;
  llvm::DenseMap<Value, PlanOperand> operands;
  /// The numbers that the host computes, and the words of the arguments' first open sizes.
  llvm::DenseSet<Value> hostSizes;
  llvm::DenseMap<Value, int32_t> openSizes;
  int32_t words = 0;
};
} // namespace

void PlanBuilder::addWords(ValueRange values) {
  for (Value value : values)
    operands[value] = {words++, 0};
}

static int64_t bytesOf(MemRefType type) {
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// The size of an argument, or of memory that a step asks for.
FailureOr<PlanOperand> PlanBuilder::sizeOperand(memref::DimOp dim) {
  Value source = dim.getSource();
  auto type = dyn_cast<MemRefType>(source.getType());
  std::optional<int64_t> at = dim.getConstantIndex();
  if (!type || !at)
    return dim.emitOpError("expected the size of a dimension that is known");
  if (!type.isDynamicDim(*at))
    return PlanOperand{PlanOperand::none, type.getDimSize(*at)};
  int64_t before = llvm::count_if(type.getShape().take_front(*at), ShapedType::isDynamic);
  if (auto found = openSizes.find(source); found != openSizes.end())
    return PlanOperand{found->second + static_cast<int32_t>(before), 0};
  auto memory = source.getDefiningOp<UnrealizedConversionCastOp>();
  if (!memory)
    return jit::refuse(
        dim.emitOpError("expected the size of an argument or of memory of the runtime's"));
  return operandOf(memory.getInputs()[before]);
}

FailureOr<PlanOperand> PlanBuilder::computeOperand(Value value) {
  if (auto constant = getConstantIntValue(value))
    return PlanOperand{PlanOperand::none,
                       value.getType().isInteger(1) ? int64_t(*constant != 0) : *constant};
  Operation *def = value.getDefiningOp();
  if (auto dim = dyn_cast_or_null<memref::DimOp>(def))
    return sizeOperand(dim);
  if (auto view = dyn_cast_or_null<memref::ViewOp>(def)) {
    FailureOr<PlanOperand> base = operandOf(view.getSource());
    auto shift = getConstantIntValue(view.getByteShift());
    if (succeeded(base) && shift)
      return PlanOperand{base->word, base->offset + *shift};
  } else if (auto view = dyn_cast_or_null<ViewLikeOpInterface>(def)) {
    // The offset in the type counts from the beginning of the buffer that is viewed.
    while (auto source = view.getViewSource().getDefiningOp<ViewLikeOpInterface>()) {
      if (isa<memref::ViewOp>(source))
        break;
      view = source;
    }
    FailureOr<PlanOperand> base = operandOf(view.getViewSource());
    auto type = dyn_cast<MemRefType>(value.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (succeeded(base) && type && succeeded(type.getStridesAndOffset(strides, offset)) &&
        !ShapedType::isDynamic(offset))
      return PlanOperand{base->word, base->offset + offset * bytesOf(type)};
  } else if (isa_and_nonnull<arith::IndexCastOp, arith::TruncIOp>(def)) {
    // Of numbers that were read: they have all their bits already.
    return operandOf(def->getOperand(0));
  }
  return jit::refuse(
      emitError(value.getLoc())
      << "expected a buffer at a constant place or a number that the host knows, got "
      << value.getType());
}

FailureOr<PlanOperand> PlanBuilder::operandOf(Value value) {
  if (auto found = operands.find(value); found != operands.end())
    return found->second;
  FailureOr<PlanOperand> operand = computeOperand(value);
  if (succeeded(operand))
    operands[value] = *operand;
  return operand;
}

LogicalResult PlanBuilder::addSet(ValueRange to, ValueRange from, PlanSteps &steps) {
  jit::runtime::SetStep set;
  for (auto [target, source] : llvm::zip_equal(to, from)) {
    // Numbers that loops and branches carry are in cells, but for sizes that are asked of buffers.
    bool isSize = isa_and_nonnull<scf::IfOp>(target.getDefiningOp()) && target.getType().isIndex();
    if (!isa<MemRefType>(target.getType()) && !(isSize && !target.use_empty()))
      continue;
    FailureOr<PlanOperand> operand = operandOf(source);
    if (failed(operand))
      return failure();
    set.words.emplace_back(operands.lookup(target).word, *operand);
  }
  if (!set.words.empty())
    steps.push_back({std::move(set)});
  return success();
}

LogicalResult PlanBuilder::add(gpu::LaunchFuncOp op, PlanSteps &steps) {
  jit::runtime::LaunchStep launch{kernels.lookup(op.getKernelName()), {}};
  for (Value value : op.getKernelOperands()) {
    if (auto described = jit::codegen::describeTensorMap(value)) {
      value = described->first;
      launch.maps.push_back(described->second);
      launch.maps.back().argument = launch.arguments.size();
    }
    FailureOr<PlanOperand> operand = operandOf(value);
    if (failed(operand))
      return failure();
    launch.arguments.push_back(*operand);
  }
  steps.push_back({std::move(launch)});
  return success();
}

LogicalResult PlanBuilder::add(memref::CopyOp op, PlanSteps &steps) {
  auto type = cast<MemRefType>(op.getTarget().getType());
  if (llvm::is_contained(cast<MemRefType>(op.getSource().getType()).getShape(), 0))
    return success();
  FailureOr<PlanOperand> to = operandOf(op.getTarget()), from = operandOf(op.getSource());
  if (failed(to) || failed(from))
    return failure();
  steps.push_back({jit::runtime::CopyStep{*to, *from, type.getNumElements() * bytesOf(type)}});
  return success();
}

LogicalResult PlanBuilder::add(linalg::GenericOp op, PlanSteps &steps) {
  if (!jit::codegen::isLibraryCall(op))
    return op.emitOpError("expected a kernel");
  SmallVector<PlanOperand> buffers;
  for (Value buffer : op->getOperands()) {
    FailureOr<PlanOperand> operand = operandOf(buffer);
    if (failed(operand))
      return failure();
    buffers.push_back(*operand);
  }
  if (op->hasAttr(jit::codegen::libraryConvolutionAttrName))
    steps.push_back({jit::runtime::ConvolutionStep{jit::codegen::libraryConvolutionOf(op),
                                                   buffers[0], buffers[1], buffers[2]}});
  else
    steps.push_back({jit::runtime::ProductStep{jit::codegen::libraryProductOf(op), buffers[0],
                                               buffers[1], buffers[2]}});
  return success();
}

LogicalResult PlanBuilder::add(memref::LoadOp op, PlanSteps &steps) {
  FailureOr<PlanOperand> from = operandOf(op.getMemref());
  if (failed(from))
    return failure();
  Type type = op.getType();
  // A byte that is not a number of the program's own is a boolean.
  auto scalar = type.isInteger(1) ? jit::ScalarType::Bool : jit::typeToDtype(type);
  if (!scalar)
    return op.emitOpError() << "expected a number that the host knows, got " << type;
  addWords(op.getResult());
  steps.push_back({jit::runtime::ReadStep{operands.lookup(op.getResult()).word, *from, *scalar}});
  return success();
}

LogicalResult PlanBuilder::add(scf::ForOp op, PlanSteps &steps) {
  FailureOr<PlanOperand> lower = operandOf(op.getLowerBound());
  FailureOr<PlanOperand> upper = operandOf(op.getUpperBound()), by = operandOf(op.getStep());
  if (failed(lower) || failed(upper) || failed(by))
    return failure();
  addWords(op.getInductionVar());
  jit::runtime::LoopStep loop{operands.lookup(op.getInductionVar()).word, *lower, *upper, *by, {}};
  addWords(ValueRange(op.getRegionIterArgs()));
  for (auto [result, carried] : llvm::zip_equal(op.getResults(), op.getRegionIterArgs()))
    operands[result] = operands.lookup(carried);
  ValueRange carried(op.getRegionIterArgs());
  if (failed(addSet(carried, op.getInitArgs(), steps)) ||
      failed(addSteps(*op.getBody(), loop.body)) ||
      failed(addSet(carried, op.getYieldedValues(), loop.body)))
    return failure();
  steps.push_back({std::move(loop)});
  return success();
}

LogicalResult PlanBuilder::add(scf::IfOp op, PlanSteps &steps) {
  FailureOr<PlanOperand> condition = operandOf(op.getCondition());
  if (failed(condition))
    return failure();
  jit::runtime::BranchStep branch{*condition, {}, {}};
  addWords(op.getResults());
  for (auto [region, part] : {std::pair(&op.getThenRegion(), &branch.then),
                              std::pair(&op.getElseRegion(), &branch.otherwise)}) {
    if (region->empty())
      continue;
    Block &block = region->front();
    if (failed(addSteps(block, *part)) ||
        failed(addSet(op.getResults(), block.getTerminator()->getOperands(), *part)))
      return failure();
  }
  steps.push_back({std::move(branch)});
  return success();
}

LogicalResult PlanBuilder::add(scf::WhileOp op, PlanSteps &steps) {
  ValueRange before(op.getBeforeArguments()), after(op.getAfterArguments());
  addWords(before);
  addWords(after);
  for (auto [result, forwarded] : llvm::zip_equal(op.getResults(), after))
    operands[result] = operands.lookup(forwarded);
  jit::runtime::WhileStep loop;
  if (failed(addSet(before, op.getInits(), steps)) ||
      failed(addSteps(*op.getBeforeBody(), loop.before)) ||
      failed(addSet(after, op.getConditionOp().getArgs(), loop.before)) ||
      failed(addSteps(*op.getAfterBody(), loop.body)) ||
      failed(addSet(before, op.getYieldOp().getOperands(), loop.body)))
    return failure();
  FailureOr<PlanOperand> condition = operandOf(op.getConditionOp().getCondition());
  if (failed(condition))
    return failure();
  loop.condition = *condition;
  steps.push_back({std::move(loop)});
  return success();
}

LogicalResult PlanBuilder::add(jit::GuardOp op, PlanSteps &steps) {
  FailureOr<PlanOperand> condition = operandOf(op.getCondition());
  if (failed(condition))
    return failure();
  jit::runtime::GuardStep guard{*condition,
                                op.getPythonClass().str(),
                                op.getMessage().str(),
                                jit::codegen::sourcePlace(op.getLoc()),
                                {}};
  for (Value value : op.getArgs()) {
    FailureOr<PlanOperand> operand = operandOf(value);
    if (failed(operand))
      return failure();
    jit_arg_kind kind = isa<FloatType>(value.getType()) ? JIT_ARG_FLOAT
                        : value.getType().isInteger(1)  ? JIT_ARG_BOOL
                                                        : JIT_ARG_INT;
    guard.arguments.emplace_back(kind, *operand);
  }
  steps.push_back({std::move(guard)});
  return success();
}

LogicalResult PlanBuilder::add(UnrealizedConversionCastOp op, PlanSteps &steps) {
  bool isResult = jit::codegen::isOpenBuffer(op, jit::codegen::openResultAttr);
  if (!isResult && !jit::codegen::isOpenBuffer(op, jit::codegen::openScratchAttr))
    return success();
  std::vector<PlanOperand> sizes;
  for (Value size : op.getInputs()) {
    FailureOr<PlanOperand> operand = operandOf(size);
    if (failed(operand))
      return failure();
    sizes.push_back(*operand);
  }
  addWords(op.getResult(0));
  int32_t word = operands.lookup(op.getResult(0)).word;
  auto number = op->getAttrOfType<IntegerAttr>(isResult ? jit::codegen::openResultAttr
                                                        : jit::codegen::openScratchAttr);
  auto index = static_cast<size_t>(number.getInt());
  if (isResult) {
    steps.push_back({jit::runtime::ResultStep{word, index, std::move(sizes)}});
    return success();
  }
  auto type = cast<MemRefType>(op.getType(0));
  int64_t bytes = bytesOf(type);
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size) && llvm::MulOverflow(bytes, size, bytes))
      return op.emitOpError("expected memory that a device has");
  steps.push_back({jit::runtime::ScratchStep{word, index, bytes, std::move(sizes)}});
  return success();
}

/// A number that follows from sizes.
LogicalResult PlanBuilder::addSize(Operation *op, PlanSteps &steps) {
  if (jit::codegen::isSizeConversion(op) || op->use_empty())
    return success();
  SmallVector<PlanOperand> from;
  for (Value value : op->getOperands()) {
    FailureOr<PlanOperand> operand = operandOf(value);
    if (failed(operand))
      return failure();
    from.push_back(*operand);
  }
  addWords(op->getResults());
  int32_t word = operands.lookup(op->getResult(0)).word;
  if (isa<arith::SelectOp>(op))
    steps.push_back({jit::runtime::ChooseStep{word, from[0], from[1], from[2]}});
  else
    steps.push_back(
        {jit::runtime::ComputeStep{word, *jit::codegen::sizeOperationOf(op), from[0], from[1]}});
  return success();
}

LogicalResult PlanBuilder::add(Operation *op, PlanSteps &steps) {
  if (op->getNumResults() == 1 && hostSizes.contains(op->getResult(0)) && !isa<memref::DimOp>(op))
    return addSize(op, steps);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<gpu::LaunchFuncOp, memref::CopyOp, linalg::GenericOp, memref::LoadOp, scf::ForOp,
            scf::IfOp, scf::WhileOp, jit::GuardOp, UnrealizedConversionCastOp>(
          [&](auto known) { return add(known, steps); })
      .Default([&](Operation *) -> LogicalResult {
        // What is pure is found from where it is used; prefetching has kept a result till here.
        if (isPure(op) ||
            isa<memref::GetGlobalOp, memref::PrefetchOp, nvgpu::TmaCreateDescriptorOp>(op))
          return success();
        return jit::refuse(
            op->emitOpError("expected a launch, a copy or control flow on the host"));
      });
}

LogicalResult PlanBuilder::addSteps(Block &block, PlanSteps &steps) {
  for (Operation &op : block.without_terminator())
    if (failed(add(&op, steps)))
      return failure();
  return success();
}

FailureOr<jit::runtime::DevicePlan> PlanBuilder::build() {
  jit::codegen::EntryLayout layout = jit::codegen::layoutOf(func);
  for (auto [argument, place] : llvm::zip(func.getArguments(), layout.places)) {
    operands[argument] = {static_cast<int32_t>(place), 0};
    words = std::max(words, static_cast<int32_t>(place) + 1);
  }
  for (BlockArgument argument : func.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || type.hasStaticShape())
      continue;
    openSizes[argument] = words;
    words += static_cast<int32_t>(type.getNumDynamicDims());
  }
  hostSizes = jit::codegen::findHostSizes(func);
  jit::runtime::DevicePlan plan;
  if (failed(addSteps(func.front(), plan.steps)))
    return failure();
  plan.words = words;
  return plan;
}

/// The kernels' names and sizes; fills in the number of each.
static void listKernels(ModuleOp module, jit::runtime::DeviceCode &code,
                        llvm::StringMap<uint32_t> &numbers) {
  module.walk([&](gpu::GPUFuncOp func) {
    jit::runtime::DeviceKernel kernel{.name = func.getName().str()};
    auto most = func->getAttrOfType<DenseI32ArrayAttr>(jit::codegen::cooperativeAttrName);
    kernel.isCooperative = most != nullptr;
    for (auto [size, to] :
         llvm::zip(most ? most.asArrayRef() : *func.getKnownGridSize(), kernel.grid))
      to = static_cast<uint32_t>(size);
    for (auto [size, to] : llvm::zip(*func.getKnownBlockSize(), kernel.block))
      to = static_cast<uint32_t>(size);
    if (auto bytes = func->getAttrOfType<IntegerAttr>(jit::codegen::dynamicSharedAttrName))
      kernel.dynamicSharedBytes = static_cast<uint32_t>(bytes.getInt());
    numbers[func.getName()] = static_cast<uint32_t>(code.kernels.size());
    code.kernels.push_back(std::move(kernel));
  });
}

FailureOr<std::shared_ptr<jit::runtime::Artifact>>
jit::codegen::planEntries(ModuleOp module, std::vector<Entry> entries,
                          std::shared_ptr<DeviceCode> code) {
  llvm::StringMap<uint32_t> numbers;
  listKernels(module, *code, numbers);
  for (Entry &entry : entries) {
    auto func = module.lookupSymbol<func::FuncOp>(entry.name);
    FailureOr<DevicePlan> plan = PlanBuilder(func, numbers).build();
    if (failed(plan))
      return failure();
    EntryLayout layout = layoutOf(func);
    entry.plan = std::move(*plan);
    entry.arenaBytes = layout.arenaBytes;
    entry.packedBytes.assign(layout.packedBytes.begin(), layout.packedBytes.end());
    auto init = module.lookupSymbol<func::FuncOp>(entry.name + ".init");
    if (!init)
      continue;
    FailureOr<DevicePlan> initPlan = PlanBuilder(init, numbers).build();
    if (failed(initPlan))
      return failure();
    entry.initPlan = std::move(*initPlan);
    entry.initArenaBytes = layoutOf(init).arenaBytes;
  }
  auto artifact = std::make_shared<Artifact>();
  artifact->entries = std::move(entries);
  artifact->device = std::move(code);
  return artifact;
}
