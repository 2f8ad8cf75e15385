//===- MachineCode.cpp - LLVM's optimiser and in-process linker -----------===//
#include "MachineCode.h"
#include "OptimizeModule.h"

#include "jit/Runtime/Call.h"
#include "jit/Runtime/Emulation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <mutex>

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
      {session.intern("jit_rt_multiply_bf16"), symbol(&jit_rt_multiply_bf16)}};
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

Expected<std::shared_ptr<orc::LLJIT>> jit::loadMachineCode(mlir::ModuleOp module,
                                                           const CodegenOptions &options) {
  Expected<orc::JITTargetMachineBuilder> builder = machineFor(options);
  if (!builder)
    return builder.takeError();
  Expected<std::unique_ptr<TargetMachine>> machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto context = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<Module>> code = translate(module, *context, **machine);
  if (!code)
    return code.takeError();
  return loadModule(std::move(*code), std::move(context), std::move(*builder), **machine);
}
