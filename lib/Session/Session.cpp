//===- Session.cpp - open a program, call its methods ---------------------===//

#include "jit/Session/Session.h"
#include "Diagnostics.h"
#include "Variant.h"
#include "jit/Codegen/Target.h"
#include "jit/Import/Importers.h"
#include "jit/Pipeline/Pipeline.h"
#include "jit/Pipeline/Registration.h"
#include "jit/Runtime/ThreadPool.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <list>
#include <unordered_map>

using namespace mlir;

namespace jit {

class Session::Impl {
public:
  explicit Impl(const SessionOptions &options)
      : options(options), context(MLIRContext::Threading::DISABLED), pool(options.threads) {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  Result<void> open(const std::string &path);
  Result<Variant *> variantFor(const std::string &method, std::span<const Value> args,
                               bool differentiate);
  Result<std::string> specFor(func::FuncOp entry, std::span<const Value> args);
  Result<OwningOpRef<ModuleOp>> compileGraph(const std::string &method, const std::string &spec,
                                             const std::string &dumpName);
  Result<func::FuncOp> findMethod(const std::string &method);

  SessionOptions options;
  MLIRContext context;
  ThreadPool pool;
  OwningOpRef<ModuleOp> program;
  std::optional<ModuleState> state;
  size_t compiled = 0;

private:
  Result<std::unique_ptr<Variant>> compile(const PipelineOptions &what);
  void dump(const std::string &folder, int index, StringRef stage, ModuleOp module);

  /// Most recently used first; the map finds a variant by method and spec.
  std::list<std::pair<std::string, std::unique_ptr<Variant>>> variants;
  std::unordered_map<std::string, decltype(variants)::iterator> byKey;
};

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

void Session::Impl::dump(const std::string &folder, int index, StringRef stage, ModuleOp module) {
  if (options.dumpDir.empty())
    return;
  std::string dir = options.dumpDir + "/" + folder;
  std::error_code error = llvm::sys::fs::create_directories(dir);
  llvm::raw_fd_ostream file(dir + "/" + std::to_string(index) + "-" + stage.str() + ".mlir", error);
  if (error)
    emitWarning(UnknownLoc::get(&context),
                "cannot write the IR to " + dir + ": " + error.message());
  else
    module.print(file, OpPrintingFlags().elideLargeElementsAttrs().enableDebugInfo(true, false));
}

Result<void> Session::Impl::open(const std::string &path) {
  DiagnosticCollector diagnostics(&context);
  program = importFile(path, context);
  if (!program)
    return diagnostics.toError(ErrorCode::Unsupported, "expected a program that can be imported");
  int index = 0;
  dump("program", index++, "import", *program);
  for (const Stage &stage : programStages()) {
    if (failed(runStage(stage, *program, {}, options.verifyStages)))
      return diagnostics.toError(ErrorCode::Unsupported, "expected a program that can be compiled");
    dump("program", index++, stage.name, *program);
  }
  auto slots = ModuleState::create(*program);
  if (!slots)
    return slots.takeError();
  state.emplace(std::move(*slots));
  return {};
}

Result<OwningOpRef<ModuleOp>> Session::Impl::compileGraph(const std::string &method,
                                                          const std::string &spec,
                                                          const std::string &dumpName) {
  DiagnosticCollector diagnostics(&context);
  OwningOpRef<ModuleOp> module = program->clone();
  const Stage &specialize = variantStages().front();
  if (failed(runStage(specialize, *module, {method, spec}, options.verifyStages)))
    return diagnostics.toError(ErrorCode::Unsupported, "expected a call that can be compiled");
  dump(dumpName, 0, specialize.name, *module);
  return module;
}

Result<std::unique_ptr<Variant>> Session::Impl::compile(const PipelineOptions &what) {
  const std::string &method = what.entry, &spec = what.args;
  std::string dumpName = method + "-" + std::to_string(compiled);
  auto module = compileGraph(method, spec, dumpName);
  if (!module)
    return module.takeError();
  auto variant = std::make_unique<Variant>();
  DiagnosticCollector diagnostics(&context);
  int index = 1;
  for (const Stage &stage : variantStages().drop_front()) {
    if (stage.name == "lower") {
      auto entry = (*module)->lookupSymbol<func::FuncOp>(method);
      if (auto done = readSignature(entry, *variant); !done)
        return done.takeError();
    }
    if (failed(runStage(stage, **module, what, options.verifyStages)))
      return diagnostics.toError(ErrorCode::Unsupported, "expected a graph that can be lowered");
    dump(dumpName, index++, stage.name, **module);
  }
  const Target *target = findTarget(options.target);
  if (!target)
    return Error{ErrorCode::InvalidArgument,
                 "expected a known target, got '" + options.target + "'"};
  auto artifact = target->emit(**module, {});
  if (failed(artifact))
    return diagnostics.toError(ErrorCode::Internal, "expected a graph that code can be made for");
  dump(dumpName, index, "codegen", **module);
  auto executor = Executor::create(
      *artifact, method, [this](const std::string &path) { return state->weight(path); }, &pool);
  if (!executor)
    return executor.takeError();
  variant->executor = std::move(*executor);
  ++compiled;
  return variant;
}

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

Result<func::FuncOp> Session::Impl::findMethod(const std::string &method) {
  auto entry = program->lookupSymbol<func::FuncOp>(method);
  if (entry && entry.isPublic())
    return entry;
  std::string known;
  for (func::FuncOp func : program->getOps<func::FuncOp>())
    if (func.isPublic())
      known += (known.empty() ? "" : ", ") + func.getName().str();
  return Error{ErrorCode::NotFound,
               "expected one of the methods " + known + ", got '" + method + "'"};
}

/// The spec of the call's arguments and then of the module state that the entry takes.
Result<std::string> Session::Impl::specFor(func::FuncOp entry, std::span<const Value> args) {
  auto spec = specOf(args);
  if (!spec)
    return spec;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    auto slot = entry.getArgAttrOfType<StringAttr>(i, "jit.slot");
    if (!slot) {
      if (i >= args.size())
        *spec += *spec == "" ? "default" : ",default";
      continue;
    }
    if (i < args.size())
      return Error{ErrorCode::InvalidArgument, "expected at most " + std::to_string(i) +
                                                   " arguments for '" + entry.getName().str() +
                                                   "', got " + std::to_string(args.size())};
    auto value = state->get(slot.str());
    if (!value)
      return value.takeError();
    auto slotSpec = specOf({&*value, 1});
    if (!slotSpec)
      return slotSpec;
    *spec += (spec->empty() ? "" : ",") + *slotSpec;
  }
  if (args.size() > entry.getNumArguments())
    return Error{ErrorCode::InvalidArgument, "expected at most " +
                                                 std::to_string(entry.getNumArguments()) +
                                                 " arguments for '" + entry.getName().str() +
                                                 "', got " + std::to_string(args.size())};
  return spec;
}

Result<Variant *> Session::Impl::variantFor(const std::string &method, std::span<const Value> args,
                                            bool differentiate) {
  auto entry = findMethod(method);
  if (!entry)
    return entry.takeError();
  auto spec = specFor(*entry, args);
  if (!spec)
    return spec.takeError();
  std::string key = method + (differentiate ? "'" : "") + "(" + *spec + ")";
  if (auto found = byKey.find(key); found != byKey.end()) {
    variants.splice(variants.begin(), variants, found->second);
    return found->second->second.get();
  }
  auto variant = compile({method, *spec, differentiate});
  if (!variant)
    return variant.takeError();
  if (variants.size() >= std::max<size_t>(options.maxVariants, 1)) {
    byKey.erase(variants.back().first);
    variants.pop_back();
  }
  variants.emplace_front(key, std::move(*variant));
  byKey[key] = variants.begin();
  return variants.front().second.get();
}

//===----------------------------------------------------------------------===//
// Session
//===----------------------------------------------------------------------===//

Session::Session(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::open(const std::string &path,
                                               const SessionOptions &options) {
  auto impl = std::make_unique<Impl>(options);
  if (auto done = impl->open(path); !done)
    return done.takeError();
  return std::unique_ptr<Session>(new Session(std::move(impl)));
}

std::vector<MethodInfo> Session::methods() const {
  std::vector<MethodInfo> methods;
  for (func::FuncOp func : impl->program->getOps<func::FuncOp>()) {
    if (!func.isPublic())
      continue;
    MethodInfo info{func.getName().str(), {}};
    for (unsigned i = 0; i < func.getNumArguments(); ++i) {
      auto name = func.getArgAttrOfType<StringAttr>(i, "jit.name");
      if (func.getArgAttr(i, "jit.slot"))
        continue;
      std::string text = name ? name.str() : "arg" + std::to_string(i);
      llvm::raw_string_ostream(text) << ": " << func.getArgumentTypes()[i];
      info.arguments.push_back(text + (func.getArgAttr(i, "jit.default") ? " = default" : ""));
    }
    methods.push_back(std::move(info));
  }
  return methods;
}

Result<Value> Session::run(const std::string &method, std::span<Value> args) {
  auto variant = impl->variantFor(method, args, /*differentiate=*/false);
  if (!variant)
    return variant.takeError();
  auto result = runVariant(**variant, args, *impl->state);
  if (!result)
    return result.takeError();
  return std::move(result->value);
}

Result<GradientResult> Session::runWithGradients(const std::string &method, std::span<Value> args) {
  auto variant = impl->variantFor(method, args, /*differentiate=*/true);
  if (!variant)
    return variant.takeError();
  return runVariant(**variant, args, *impl->state);
}

Result<std::string> Session::graphFor(const std::string &method, std::span<const Value> args) {
  auto entry = impl->findMethod(method);
  if (!entry)
    return entry.takeError();
  auto spec = impl->specFor(*entry, args);
  if (!spec)
    return spec;
  auto module = impl->compileGraph(method, *spec, "graph");
  if (!module)
    return module.takeError();
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*module)->lookupSymbol(method)->print(stream);
  return text;
}

Result<Value> Session::state(const std::string &path) { return impl->state->get(path); }
void Session::resetState() { impl->state->reset(); }
size_t Session::compiledVariants() const { return impl->compiled; }

} // namespace jit
