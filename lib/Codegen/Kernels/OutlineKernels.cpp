//===- OutlineKernels.cpp - launches become functions of a gpu.module -----===//
#include "Buffers/OpenBuffers.h"
#include "Kernels/Launch.h"
#include "Kernels/TensorMaps.h"
#include "jit/Codegen/Kernels/Passes.h"
#include "jit/Dialect/Jit/Remarks.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/StringExtras.h"

#include <limits>

namespace jit::codegen {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Views, constants and arithmetic are cheaper to repeat than to pass. A view of the arena is a
/// pointer of its own: the host adds its offset. So is a map: the host makes it.
static bool isRepeated(Operation *op) {
  return op->getNumRegions() == 0 && isPure(op) &&
         !isa<memref::ViewOp, UnrealizedConversionCastOp>(op);
}

namespace {
/// Makes the kernels of one module.
class Outliner {
public:
  explicit Outliner(ModuleOp module) : module(module), b(module.getContext()) {}

  LogicalResult outline(gpu::LaunchOp launch);

private:
  gpu::GPUModuleOp kernels();
  gpu::GPUFuncOp createKernel(gpu::LaunchOp launch, ValueRange captured);
  void fillKernel(gpu::GPUFuncOp kernel, gpu::LaunchOp launch, ValueRange captured);
  /// The kernel that does the same already, or `kernel` under a name of its own.
  gpu::GPUFuncOp share(gpu::GPUFuncOp kernel, gpu::LaunchOp launch);
  void copyConstants(gpu::GPUFuncOp kernel);

  ModuleOp module;
  gpu::GPUModuleOp gpuModule;
  OpBuilder b;
  /// By their text.
  llvm::StringMap<gpu::GPUFuncOp> known;
};
} // namespace

static SmallVector<int32_t> constantSizes(const gpu::KernelDim3 &sizes) {
  SmallVector<int32_t> values;
  for (Value size : {sizes.x, sizes.y, sizes.z})
    values.push_back(static_cast<int32_t>(*getConstantIntValue(size)));
  return values;
}

gpu::GPUModuleOp Outliner::kernels() {
  if (gpuModule)
    return gpuModule;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  gpuModule = gpu::GPUModuleOp::create(b, module.getLoc(), "kernels");
  SymbolTable(module).insert(gpuModule);
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), b.getUnitAttr());
  return gpuModule;
}

gpu::GPUFuncOp Outliner::createKernel(gpu::LaunchOp launch, ValueRange captured) {
  SmallVector<Type> shared;
  for (BlockArgument memory : launch.getWorkgroupAttributions())
    shared.push_back(memory.getType());
  b.setInsertionPointToEnd(kernels().getBody());
  auto kernel = gpu::GPUFuncOp::create(b, launch.getLoc(), "kernel",
                                       b.getFunctionType(captured.getTypes(), {}), shared);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  auto block = constantSizes(launch.getBlockSizeOperandValues());
  kernel.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr(block));
  DenseI32ArrayAttr grid = b.getDenseI32ArrayAttr(constantSizes(launch.getGridSizeOperandValues()));
  // Of blocks that run side by side there may be fewer.
  if (launch->hasAttr(jit::codegen::cooperativeAttrName))
    kernel->setAttr(jit::codegen::cooperativeAttrName, grid);
  else
    kernel.setKnownGridSizeAttr(grid);
  if (Value bytes = launch.getDynamicSharedMemorySize())
    kernel->setAttr(jit::codegen::dynamicSharedAttrName,
                    b.getI64IntegerAttr(*getConstantIntValue(bytes)));
  if (Attribute registers = launch->getAttr(jit::codegen::registersAttrName))
    kernel->setAttr(jit::codegen::registersAttrName, registers);
  SmallVector<int32_t> maps;
  for (auto [i, value] : llvm::enumerate(captured))
    if (isa<LLVM::LLVMPointerType>(value.getType()))
      maps.push_back(static_cast<int32_t>(i));
  if (!maps.empty())
    kernel->setAttr(jit::codegen::tensorMapsAttrName, b.getDenseI32ArrayAttr(maps));
  // Accesses of whole vectors need more than the elements' own alignment.
  for (unsigned i = 0; i < shared.size(); ++i)
    kernel.setWorkgroupAttributionAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                                       b.getI64IntegerAttr(16));
  return kernel;
}

void Outliner::fillKernel(gpu::GPUFuncOp kernel, gpu::LaunchOp launch, ValueRange captured) {
  Location loc = launch.getLoc();
  Block *body = &kernel.getBody().front();
  b.setInsertionPointToStart(body);
  IRMapping map;
  map.map(captured, body->getArguments().take_front(captured.size()));
  map.map(launch.getWorkgroupAttributions(), kernel.getWorkgroupAttributions());
  gpu::KernelDim3 blocks = launch.getBlockIds(), threads = launch.getThreadIds();
  auto identify = [&](Value inside, auto op, gpu::Dimension dimension) {
    using OpT = decltype(op);
    if (!inside.use_empty())
      map.map(inside, OpT::create(b, loc, dimension).getResult());
  };
  for (auto [value, dimension] :
       {std::pair(blocks.x, gpu::Dimension::x), std::pair(blocks.y, gpu::Dimension::y),
        std::pair(blocks.z, gpu::Dimension::z)})
    identify(value, gpu::BlockIdOp(), dimension);
  for (auto [value, dimension] :
       {std::pair(threads.x, gpu::Dimension::x), std::pair(threads.y, gpu::Dimension::y),
        std::pair(threads.z, gpu::Dimension::z)})
    identify(value, gpu::ThreadIdOp(), dimension);
  for (Operation &op : launch.getBody().front().without_terminator())
    b.clone(op, map);
  gpu::ReturnOp::create(b, loc);
}

gpu::GPUFuncOp Outliner::share(gpu::GPUFuncOp kernel, gpu::LaunchOp launch) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel->print(stream, OpPrintingFlags().useLocalScope());
  auto [place, isNew] = known.try_emplace(text, kernel);
  if (!isNew) {
    kernel.erase();
    return place->second;
  }
  auto what = launch->getAttrOfType<StringAttr>(jit::codegen::kernelAttrName);
  std::string name = launch->getParentOfType<func::FuncOp>().getName().str() + "_" +
                     (what ? what.str() : "kernel") + "_" + std::to_string(known.size() - 1);
  // An identifier for the assembler.
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  kernel.setName(name);
  copyConstants(kernel);
  return kernel;
}

void Outliner::copyConstants(gpu::GPUFuncOp kernel) {
  kernel.walk([&](memref::GetGlobalOp get) {
    if (gpuModule.lookupSymbol(get.getName()))
      return;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(gpuModule.getBody());
    b.clone(*module.lookupSymbol<memref::GlobalOp>(get.getName()));
  });
}

/// A kernel takes a buffer of open sizes as where it begins, and the sizes.
static void splitOpenBuffers(gpu::LaunchOp launch) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(launch.getBody(), captured);
  Location loc = launch.getLoc();
  OpBuilder outside(launch), inside = OpBuilder::atBlockBegin(&launch.getBody().front());
  for (Value buffer : captured) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type || type.hasStaticShape() || !type.getLayout().isIdentity())
      continue;
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(memref::DimOp::create(outside, loc, buffer, dim));
    SmallVector<OpFoldResult> one = {outside.getIndexAttr(1)};
    Value root =
        memref::ReinterpretCastOp::create(outside, loc, MemRefType::get({1}, type.getElementType()),
                                          buffer, outside.getIndexAttr(0), one, one);
    Value whole = jit::codegen::shapeOpenBuffer(inside, loc, type, root, sizes);
    replaceAllUsesInRegionWith(buffer, whole, launch.getBody());
  }
}

/// What the driver takes of any kernel. Of maps there are few, as the runtime encodes them in
/// place.
static LogicalResult checkParameters(gpu::LaunchOp launch, ValueRange captured) {
  constexpr int64_t mostBytes = 4096, mostMaps = 8, mapBytes = 128, wordBytes = 8;
  int64_t maps = llvm::count_if(
      captured, [](Value value) { return isa<LLVM::LLVMPointerType>(value.getType()); });
  int64_t bytes = maps * mapBytes + (int64_t(captured.size()) - maps) * wordBytes;
  if (bytes <= mostBytes && maps <= mostMaps)
    return success();
  return jit::refuse(launch.emitOpError()
                     << "expected a kernel of at most " << mostBytes << " bytes of parameters and "
                     << mostMaps << " maps among them, got " << bytes << " and " << maps);
}

/// Blocks are counted in 31 bits.
static LogicalResult checkGrid(gpu::LaunchOp launch) {
  constexpr int64_t mostBlocks = std::numeric_limits<int32_t>::max();
  int64_t blocks = *getConstantIntValue(launch.getGridSizeOperandValues().x);
  if (blocks <= mostBlocks)
    return success();
  return jit::refuse(launch.emitOpError()
                     << "expected a kernel of at most " << mostBlocks << " blocks, got " << blocks);
}

LogicalResult Outliner::outline(gpu::LaunchOp launch) {
  jit::codegen::hoistTensorMaps(launch);
  jit::codegen::sinkInto(launch, isRepeated);
  splitOpenBuffers(launch);
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(launch.getBody(), captured);
  for (Value value : captured) {
    auto buffer = dyn_cast<MemRefType>(value.getType());
    bool isPointer = buffer && buffer.hasStaticShape() && buffer.getLayout().isIdentity();
    if (!isPointer && !jit::codegen::describeTensorMap(value) &&
        !value.getType().isIntOrIndexOrFloat())
      return jit::refuse(launch.emitOpError()
                         << "expected to use whole buffers and numbers, got " << value.getType());
  }
  if (failed(checkParameters(launch, captured.getArrayRef())) || failed(checkGrid(launch)))
    return failure();
  gpu::GPUFuncOp kernel = createKernel(launch, captured.getArrayRef());
  fillKernel(kernel, launch, captured.getArrayRef());
  kernel = share(kernel, launch);
  b.setInsertionPoint(launch);
  gpu::LaunchFuncOp::create(b, launch.getLoc(), kernel, launch.getGridSizeOperandValues(),
                            launch.getBlockSizeOperandValues(), launch.getDynamicSharedMemorySize(),
                            captured.getArrayRef());
  launch.erase();
  return success();
}

namespace {
struct OutlineKernels : jit::codegen::impl::OutlineKernelsBase<OutlineKernels> {
  void runOnOperation() override {
    SmallVector<gpu::LaunchOp> launches;
    getOperation().walk([&](gpu::LaunchOp launch) { launches.push_back(launch); });
    Outliner outliner(getOperation());
    for (gpu::LaunchOp launch : launches)
      if (failed(outliner.outline(launch)))
        return signalPassFailure();
  }
};
} // namespace
