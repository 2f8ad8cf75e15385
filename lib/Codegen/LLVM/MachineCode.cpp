//===- MachineCode.cpp - LLVM's optimiser and backend ----------------------===//
#include "LLVM/MachineCode.h"
#include "Loops/KeepRolled.h"
#include "Machine/Subtarget.h"
#include "LLVM/CodeParts.h"
#include "LLVM/ExactCode.h"
#include "LLVM/OptimizeModule.h"
#include "LLVM/QuickCode.h"

#include "jit/Runtime/Exhaustion.h"
#include "mlir/IR/Threading.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <atomic>
#include <numeric>
#include <optional>
#include <thread>

using namespace llvm;
using jit::codegen::emitQuickly;

orc::JITTargetMachineBuilder jit::codegen::backendFor(const Machine &machine) {
  initializeBackends();
  orc::JITTargetMachineBuilder builder{Triple(machine.triple)};
  builder.setCPU(machine.cpu);
  builder.getFeatures() = SubtargetFeatures(machine.features);
  builder.setCodeGenOptLevel(CodeGenOptLevel::Aggressive);
  // Objects may lie far apart.
  builder.setRelocationModel(Reloc::PIC_).setCodeModel(CodeModel::Small);
  return builder;
}

Expected<std::unique_ptr<Module>>
jit::codegen::translate(mlir::ModuleOp module, LLVMContext &context, const Machine &machine) {
  // The translation trusts what it reads, and would end the process.
  if (failed(mlir::verify(module)))
    return createStringError("expected a module that is well formed before it becomes LLVM IR");
  module.walk(passMarkOn);
  std::unique_ptr<Module> code = mlir::translateModuleToLLVMIR(module, context, "jit");
  if (!code)
    return createStringError("expected a module that translates to LLVM IR");
  // Half-width vectors are LLVM's default where wide ones once cost clock speed.
  if (machine.lanes > 8)
    for (Function &function : *code)
      function.addFnAttr("prefer-vector-width", utostr(32 * machine.lanes));
  return code;
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

namespace {
/// LLVM would end the process after an error of its backends.
class ErrorCollector : public DiagnosticHandler {
public:
  explicit ErrorCollector(std::string &errors) : errors(errors) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream stream(errors);
    DiagnosticPrinterRawOStream printer(stream);
    if (!errors.empty())
      stream << "; ";
    info.print(printer);
    return true;
  }

private:
  std::string &errors;
};

/// Modules that are compiled apart, each in a context of its own.
struct Part {
  std::unique_ptr<LLVMContext> context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> code;
  std::unique_ptr<MemoryBuffer> object = {};
  std::unique_ptr<MemoryBuffer> before = {}; // what a baseline was made of, where it is kept
};

/// Compiles parts on several threads. What becomes of a part does not depend on how many these are.
class PartsCompiler {
public:
  PartsCompiler(MutableArrayRef<Part> parts, orc::JITTargetMachineBuilder builder, jit::Tier tier,
                bool keeps, mlir::TimingScope &timing)
      : parts(parts), builder(std::move(builder)), tier(tier), keeps(keeps), timing(timing),
        order(parts.size()) {
    // The largest first: the threads then end at about the same time.
    std::iota(order.begin(), order.end(), 0);
    llvm::stable_sort(order, [&](size_t a, size_t b) {
      return parts[a].code->getInstructionCount() > parts[b].code->getInstructionCount();
    });
  }

  llvm::Error run(unsigned threads);

private:
  llvm::Error compileSome();
  llvm::Error tryCompileSome();
  llvm::Error compile(Part &part, TargetMachine &machine);
  bool optimise(Part &part, TargetMachine &machine) const;

  MutableArrayRef<Part> parts;
  orc::JITTargetMachineBuilder builder;
  jit::Tier tier;
  bool keeps;
  mlir::TimingScope &timing;
  SmallVector<size_t> order;
  std::atomic<size_t> next = 0;
  std::atomic<bool> isExhausted = false;
};
} // namespace

static Expected<std::unique_ptr<MemoryBuffer>> emit(Module &code, TargetMachine &machine,
                                                    bool isQuick = false) {
  std::string errors;
  LLVMContext &context = code.getContext();
  context.setDiagnosticHandler(std::make_unique<ErrorCollector>(errors));
  // Of a list of calls, the addresses of a thousand closures are more than the allocator of
  // registers for fast code is quick with; so is a function of ten thousand instructions.
  if (jit::codegen::isTranslatedAsItStands(code))
    machine.setOptLevel(CodeGenOptLevel::None);
  // LLVM sets this with that level, and does not take it back.
  machine.setFastISel(false);
  auto object = isQuick ? emitQuickly(code, machine) : orc::SimpleCompiler(machine)(code);
  context.setDiagnosticHandler(std::make_unique<DiagnosticHandler>());
  if (object && !errors.empty())
    return createStringError(errors);
  return object;
}

Expected<std::unique_ptr<MemoryBuffer>> jit::codegen::optimisePart(const BaselinePart &part,
                                                                   const Machine &machine,
                                                                   function_ref<bool()> isStopped) {
  Expected<std::unique_ptr<TargetMachine>> backend = backendFor(machine).createTargetMachine();
  if (!backend)
    return backend.takeError();
  LLVMContext context;
  auto code = parseBitcodeFile(*part.bitcode, context);
  if (!code)
    return code.takeError();
  optimizeExact(**code, **backend, isStopped); // else a baseline would have optimised it
  if (isStopped())
    return nullptr;
  return emit(**code, **backend);
}

static std::unique_ptr<MemoryBuffer> bitcodeOf(const Module &code) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  WriteBitcodeToFile(code, stream);
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(bytes),
                                                   /*RequiresNullTerminator=*/false);
}

/// Whether that was quick. Code is made exact in either tier: that is what makes their values the
/// same.
bool PartsCompiler::optimise(Part &part, TargetMachine &machine) const {
  Module &code = *part.code;
  bool isExact = jit::codegen::makeExact(code);
  bool isQuick = isExact && tier != jit::Tier::Optimised;
  if (isQuick && keeps)
    part.before = bitcodeOf(code);
  machine.setOptLevel(isQuick ? CodeGenOptLevel::Default : CodeGenOptLevel::Aggressive);
  if (isQuick)
    jit::codegen::optimizeQuickly(code, machine);
  else if (isExact)
    jit::codegen::optimizeExact(code, machine);
  else
    jit::codegen::optimizeModule(code, machine);
  return isQuick;
}

llvm::Error PartsCompiler::compile(Part &part, TargetMachine &machine) {
  std::string name;
  for (const Function &function : *part.code)
    if (!function.isDeclaration() && name.empty())
      name = (function.getName() + ", " + Twine(part.code->getInstructionCount())).str();
  mlir::TimingScope scope = timing.nest(name);
  mlir::TimingScope optimising = scope.nest("optimise");
  bool isQuick = optimise(part, machine);
  optimising.stop();
  mlir::TimingScope emitting = scope.nest("emit");
  auto object = emit(*part.code, machine, isQuick);
  if (!object)
    return object.takeError();
  part.object = std::move(*object);
  part.code.reset();
  part.context.reset();
  return llvm::Error::success();
}

llvm::Error PartsCompiler::compileSome() {
  Expected<std::unique_ptr<TargetMachine>> machine = builder.createTargetMachine();
  if (!machine)
    return machine.takeError();
  for (size_t i = next++; i < order.size(); i = next++)
    if (llvm::Error error = compile(parts[order[i]], **machine))
      return error;
  return llvm::Error::success();
}

/// Notes where memory is exhausted: no thread may end by that while others use the parts.
llvm::Error PartsCompiler::tryCompileSome() {
  std::optional<llvm::Error> error;
  if (!jit::runtime::completes([&] { error.emplace(compileSome()); }))
    isExhausted = true;
  return error ? std::move(*error) : llvm::Error::success();
}

llvm::Error PartsCompiler::run(unsigned most) {
  if (most == 0)
    most = std::max(1U, std::thread::hardware_concurrency());
  size_t count = std::min<size_t>(parts.size(), most);
  std::vector<std::optional<llvm::Error>> errors(count);
  std::vector<std::thread> threads;
  threads.reserve(count);
  // Where the system has no more threads, those that are there do all.
  for (size_t i = 1; i < count; ++i)
    if (!jit::runtime::completes([&] {
          threads.emplace_back([this, &error = errors[i]] { error.emplace(tryCompileSome()); });
        }))
      break;
  llvm::Error all = tryCompileSome();
  for (std::thread &thread : threads)
    thread.join();
  for (std::optional<llvm::Error> &error : errors)
    if (error)
      all = joinErrors(std::move(all), std::move(*error));
  if (isExhausted) {
    consumeError(std::move(all));
    jit::runtime::failForMemory();
  }
  return all;
}

/// Side by side where MLIR's context has threads.
static llvm::Error translateAll(ArrayRef<mlir::ModuleOp> modules,
                                const jit::codegen::Machine &machine, MutableArrayRef<Part> parts) {
  std::vector<std::string> errors(parts.size());
  std::atomic<bool> isExhausted = false;
  auto translateOne = [&](size_t i) {
    auto code = jit::codegen::translate(modules[i], *parts[i].context, machine);
    if (code)
      parts[i].code = std::move(*code);
    else
      errors[i] = toString(code.takeError());
  };
  mlir::ModuleOp any = modules.front();
  mlir::parallelFor(any.getContext(), 0, parts.size(), [&](size_t i) {
    if (!jit::runtime::completes([&] { translateOne(i); }))
      isExhausted = true;
  });
  if (isExhausted)
    jit::runtime::failForMemory();
  auto first = llvm::find_if(errors, [](const std::string &error) { return !error.empty(); });
  return first == errors.end() ? llvm::Error::success() : createStringError(*first);
}

Expected<jit::codegen::Objects>
jit::codegen::compileObjects(ArrayRef<mlir::ModuleOp> modules, const Machine &machine,
                             unsigned threads, Tier tier, mlir::TimingScope &timing,
                             function_ref<void(Module &)> prepare, BaselineParts *baseline) {
  std::vector<Part> parts(modules.size());
  mlir::TimingScope translating = timing.nest("translate");
  if (modules.empty())
    return Objects();
  if (llvm::Error error = translateAll(modules, machine, parts))
    return error;
  for (Part &part : parts)
    prepare(*part.code);
  translating.stop();
  if (llvm::Error error =
          PartsCompiler(parts, backendFor(machine), tier, baseline, timing).run(threads))
    return error;
  Objects objects;
  for (Part &part : parts) {
    if (part.before)
      baseline->push_back({objects.size(), std::move(part.before)});
    objects.push_back(std::move(part.object));
  }
  return objects;
}

Expected<jit::codegen::Objects>
jit::codegen::compileMachineCode(mlir::ModuleOp module, const Machine &machine, unsigned threads,
                                 Tier tier, mlir::TimingScope *times, BaselineParts *baseline) {
  mlir::TimingScope timing = times ? times->nest("machine code") : mlir::TimingScope();
  SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> parts = splitCode(module);
  SmallVector<mlir::ModuleOp> modules = {module};
  for (mlir::OwningOpRef<mlir::ModuleOp> &part : parts)
    modules.push_back(*part);
  return compileObjects(modules, machine, threads, tier, timing, [](Module &) {}, baseline);
}
