//===- MachineCode.cpp - LLVM's optimiser and in-process linker -----------===//
#include "MachineCode.h"
#include "OptimizeModule.h"

#include "jit/Runtime/Call.h"
#include "jit/Runtime/Emulation.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <mutex>
#include <optional>
#include <thread>

using namespace llvm;

static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser();
  });
}

Expected<orc::JITTargetMachineBuilder> jit::machineFor(const CodegenOptions &options) {
  initializeTarget();
  Expected<orc::JITTargetMachineBuilder> host = orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  if (!options.cpu.empty()) {
    host->setCPU(options.cpu);
    // The host's own features would undo the choice.
    host->getFeatures() = SubtargetFeatures();
  }
  if (!options.features.empty()) {
    SmallVector<StringRef> features;
    StringRef(options.features).split(features, ',', -1, /*KeepEmpty=*/false);
    for (StringRef feature : features)
      host->getFeatures().AddFeature(feature.ltrim('+'), !feature.starts_with("-"));
  }
  host->setCodeGenOptLevel(CodeGenOptLevel::Aggressive);
  return host;
}

/// The functions of the runtime by address, so that they are found in a stripped program too, and
/// the C library by search.
static Error defineCallbacks(orc::LLJIT &jit) {
  auto &session = jit.getExecutionSession();
  auto symbol = [&](auto *function) {
    return orc::ExecutorSymbolDef(orc::ExecutorAddr::fromPtr(function),
                                  JITSymbolFlags::Exported | JITSymbolFlags::Callable);
  };
  orc::SymbolMap runtime = {
      {session.intern("jit_rt_fail"), symbol(&jit_rt_fail)},
      {session.intern("jit_rt_parallel_for"), symbol(&jit_rt_parallel_for)},
      {session.intern("jit_rt_result"), symbol(&jit_rt_result)},
      {session.intern("jit_rt_scratch"), symbol(&jit_rt_scratch)},
      {session.intern("jit_rt_barrier"), symbol(&jit_rt_barrier)},
      {session.intern("jit_rt_shuffle"), symbol(&jit_rt_shuffle)},
      {session.intern("jit_rt_async_copy"), symbol(&jit_rt_async_copy)},
      {session.intern("jit_rt_async_group"), symbol(&jit_rt_async_group)},
      {session.intern("jit_rt_async_wait"), symbol(&jit_rt_async_wait)},
      {session.intern("jit_rt_load_matrices"), symbol(&jit_rt_load_matrices)},
      {session.intern("jit_rt_multiply_f16"), symbol(&jit_rt_multiply_f16)},
      {session.intern("jit_rt_multiply_bf16"), symbol(&jit_rt_multiply_bf16)},
      {session.intern("jit_rt_mbarrier_init"), symbol(&jit_rt_mbarrier_init)},
      {session.intern("jit_rt_mbarrier_arrive"), symbol(&jit_rt_mbarrier_arrive)},
      {session.intern("jit_rt_mbarrier_wait"), symbol(&jit_rt_mbarrier_wait)},
      {session.intern("jit_rt_tensor_copy"), symbol(&jit_rt_tensor_copy)},
      {session.intern("jit_rt_warpgroup_multiply"), symbol(&jit_rt_warpgroup_multiply)},
      {session.intern("jit_rt_warpgroup_commit"), symbol(&jit_rt_warpgroup_commit)},
      {session.intern("jit_rt_warpgroup_wait"), symbol(&jit_rt_warpgroup_wait)}};
  if (Error error = jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(runtime))))
    return error;
  auto library = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!library)
    return library.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*library));
  return Error::success();
}

Expected<std::unique_ptr<Module>> jit::translate(mlir::ModuleOp module, LLVMContext &context,
                                                 TargetMachine &machine) {
  std::unique_ptr<Module> code = mlir::translateModuleToLLVMIR(module, context, "jit");
  if (!code)
    return createStringError("expected a module that translates to LLVM IR");
  // Half-width vectors are LLVM's default where wide ones once cost clock speed.
  if (machine.getMCSubtargetInfo()->checkFeatures("+avx512f"))
    for (Function &function : *code)
      function.addFnAttr("prefer-vector-width", "512");
  return code;
}

Expected<std::shared_ptr<orc::LLJIT>> jit::loadModule(std::unique_ptr<Module> code,
                                                      std::unique_ptr<LLVMContext> context,
                                                      orc::JITTargetMachineBuilder builder,
                                                      TargetMachine &machine) {
  optimizeModule(*code, machine);
  auto jit = orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(builder)).create();
  if (!jit)
    return jit.takeError();
  if (Error error = defineCallbacks(**jit))
    return error;
  if (Error error = (*jit)->addIRModule(orc::ThreadSafeModule(std::move(code), std::move(context))))
    return error;
  return std::shared_ptr<orc::LLJIT>(std::move(*jit));
}

//===----------------------------------------------------------------------===//
// Large modules in parts
//===----------------------------------------------------------------------===//

/// Operations from which a second thread pays.
static constexpr int64_t leastParted = 2000;

static int64_t countOps(mlir::Operation *op) {
  int64_t count = 0;
  op->walk([&](mlir::Operation *) { ++count; });
  return count;
}

/// Moves functions of parallel loops, about half of all operations, to a module of their own. Each
/// of the two declares what it needs of the other.
static mlir::OwningOpRef<mlir::ModuleOp> splitOff(mlir::ModuleOp module) {
  int64_t left = countOps(module) / 2;
  if (2 * left < leastParted)
    return {};
  mlir::OwningOpRef<mlir::ModuleOp> part = mlir::ModuleOp::create(module.getLoc());
  mlir::OpBuilder b(module.getContext());
  SmallVector<mlir::LLVM::LLVMFuncOp> functions(module.getOps<mlir::LLVM::LLVMFuncOp>());
  for (mlir::LLVM::LLVMFuncOp function : functions) {
    bool isEntry = function->hasAttr("jit.arena_bytes");
    bool isAlone =
        !function
             .walk([](mlir::Operation *op) {
               bool refers = mlir::isa<mlir::LLVM::AddressOfOp, mlir::LLVM::CallOp>(op);
               return refers ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
             })
             .wasInterrupted();
    int64_t size = countOps(function);
    if (isEntry || !isAlone || function.isExternal() || size > left)
      continue;
    left -= size;
    b.setInsertionPoint(function);
    auto declaration =
        mlir::cast<mlir::LLVM::LLVMFuncOp>(b.cloneWithoutRegions(*function.getOperation()));
    declaration.setLinkage(mlir::LLVM::Linkage::External);
    function.setLinkage(mlir::LLVM::Linkage::External);
    function->moveBefore(part->getBody(), part->getBody()->end());
  }
  return part;
}

using Object = Expected<std::unique_ptr<MemoryBuffer>>;

static Object compile(Module &code, orc::JITTargetMachineBuilder builder) {
  // Objects may lie far apart.
  builder.setRelocationModel(Reloc::PIC_).setCodeModel(CodeModel::Small);
  Expected<std::unique_ptr<TargetMachine>> machine = builder.createTargetMachine();
  if (!machine)
    return machine.takeError();
  jit::optimizeModule(code, **machine);
  return orc::SimpleCompiler(**machine)(code);
}

static Expected<std::shared_ptr<orc::LLJIT>>
loadParts(Module &first, Module &second, const orc::JITTargetMachineBuilder &builder) {
  std::optional<Object> other;
  std::thread thread([&] { other.emplace(compile(second, builder)); });
  Object own = compile(first, builder);
  thread.join();
  if (Error error = joinErrors(own.takeError(), other->takeError()))
    return error;
  auto jit = orc::LLJITBuilder().setJITTargetMachineBuilder(builder).create();
  if (!jit)
    return jit.takeError();
  Error defined = defineCallbacks(**jit);
  for (Object *object : {&own, &*other})
    if (!defined)
      defined = (*jit)->addObjectFile(std::move(**object));
  if (defined)
    return defined;
  return std::shared_ptr<orc::LLJIT>(std::move(*jit));
}

Expected<std::shared_ptr<orc::LLJIT>> jit::loadMachineCode(mlir::ModuleOp module,
                                                           const CodegenOptions &options) {
  Expected<orc::JITTargetMachineBuilder> builder = machineFor(options);
  if (!builder)
    return builder.takeError();
  Expected<std::unique_ptr<TargetMachine>> machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  mlir::OwningOpRef<mlir::ModuleOp> part = splitOff(module);
  auto context = std::make_unique<LLVMContext>(), partContext = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<Module>> code = translate(module, *context, **machine);
  if (!code)
    return code.takeError();
  if (!part)
    return loadModule(std::move(*code), std::move(context), std::move(*builder), **machine);
  Expected<std::unique_ptr<Module>> partCode = translate(*part, *partContext, **machine);
  if (!partCode)
    return partCode.takeError();
  return loadParts(**code, **partCode, *builder);
}
