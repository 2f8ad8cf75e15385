//===- LinkedCode.cpp - machine code in this process ----------------------===//
#include "LLVM/LinkedCode.h"

#include "jit/Runtime/Call.h"
#include "jit/Runtime/Exhaustion.h"
#include "jit/Runtime/Operator.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace llvm;
using namespace jit::codegen;

/// The functions of the runtime by address, so that they are found in a stripped program too, and
/// the C library by search.
static llvm::Error defineCallbacks(orc::LLJIT &jit, ArrayRef<NamedFunction> more) {
  using orc::ExecutorAddr;
  orc::SymbolMap runtime;
  auto define = [&](const NamedFunction &function) {
    runtime[jit.mangleAndIntern(function.first)] = {function.second, JITSymbolFlags::Exported |
                                                                         JITSymbolFlags::Callable};
  };
  define({"jit_rt_fail", ExecutorAddr::fromPtr(&jit_rt_fail)});
  define({"jit_rt_parallel_for", ExecutorAddr::fromPtr(&jit_rt_parallel_for)});
  define({"jit_rt_operator", ExecutorAddr::fromPtr(&jit_rt_operator)});
  define({"jit_rt_result", ExecutorAddr::fromPtr(&jit_rt_result)});
  define({"jit_rt_scratch", ExecutorAddr::fromPtr(&jit_rt_scratch)});
  llvm::for_each(more, define);
  if (llvm::Error error = jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(runtime))))
    return error;
  auto library = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!library)
    return library.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*library));
  return llvm::Error::success();
}

/// The system's refusal of memory is one error of many; here it is thrown, as LLVM's own are.
static llvm::Error unlessExhausted(llvm::Error error) {
  bool isExhausted = false;
  visitErrors(error, [&](const ErrorInfoBase &info) {
    isExhausted |= info.convertToErrorCode() == std::errc::not_enough_memory;
  });
  if (!isExhausted)
    return error;
  consumeError(std::move(error));
  jit::runtime::failForMemory();
}

LinkedCode::LinkedCode(std::unique_ptr<orc::LLJIT> jit) : jit(std::move(jit)) {
  this->jit->getExecutionSession().setErrorReporter(
      [this](llvm::Error error) { causes = joinErrors(std::move(causes), std::move(error)); });
}

LinkedCode::~LinkedCode() {
  jit.reset(); // may have more to report
  consumeError(std::move(causes));
}

llvm::Error LinkedCode::add(const Objects &objects, ArrayRef<NamedFunction> more) {
  if (llvm::Error error = defineCallbacks(*jit, more))
    return error;
  for (const std::unique_ptr<MemoryBuffer> &object : objects)
    if (llvm::Error error = jit->addObjectFile(MemoryBuffer::getMemBufferCopy(object->getBuffer())))
      return error;
  return llvm::Error::success();
}

Expected<orc::ExecutorAddr> LinkedCode::lookup(StringRef name) {
  Expected<orc::ExecutorAddr> address = jit->lookup(name);
  if (address)
    return address;
  return unlessExhausted(
      joinErrors(std::exchange(causes, llvm::Error::success()), address.takeError()));
}

Expected<std::shared_ptr<LinkedCode>> jit::codegen::linkMachineCode(const Objects &objects,
                                                                    ArrayRef<NamedFunction> more) {
  auto jit = orc::LLJITBuilder().setJITTargetMachineBuilder(backendFor(hostMachine())).create();
  if (!jit)
    return unlessExhausted(jit.takeError());
  auto code = std::make_shared<LinkedCode>(std::move(*jit));
  if (llvm::Error error = code->add(objects, more))
    return unlessExhausted(std::move(error));
  return code;
}

Expected<std::shared_ptr<LinkedCode>> jit::codegen::loadMachineCode(mlir::ModuleOp module,
                                                                    const CodegenOptions &options,
                                                                    ArrayRef<NamedFunction> more) {
  auto objects = compileMachineCode(module, options.machine, 0, options.tier, options.timing);
  if (!objects)
    return objects.takeError();
  return linkMachineCode(*objects, more);
}
