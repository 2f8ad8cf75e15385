//===- Compile.cpp - programs and variants, compiled or found -------------===//

#include "SessionImpl.h"
#include "jit/Codegen/Cpu.h"
#include "jit/Dialect/Aten/Custom.h"
#include "jit/Dialect/Jit/Declarations.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Import/TextProgram.h"
#include "jit/Pipeline/Explain.h"
#include "jit/Pipeline/Registration.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace jit {
using namespace codegen;
using namespace runtime;

//===----------------------------------------------------------------------===//
// The compiler
//===----------------------------------------------------------------------===//

/// LLVM ends the process where it gets no memory, unless it is told what else to do.
static void throwFromLLVM() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_bad_alloc_error_handler(
        [](void *, const char *, bool) { throw std::bad_alloc(); });
  });
}

Session::Impl::Impl(const SessionOptions &options, int device,
                    std::shared_ptr<const CustomOperators> operators)
    : options(options), device(device), pool(options.threads), operators(std::move(operators)),
      variants({.maxVariants = options.maxVariants}), shared({.maxVariants = options.maxVariants}),
      context(MLIRContext::Threading::DISABLED) {
  throwFromLLVM();
  DialectRegistry registry;
  registerDialects(registry);
  CustomOperators::add(this->operators, registry);
  context.appendDialectRegistry(registry);
  // Who loads code that was compiled before asks the dialect for them.
  if (!this->operators->all().empty())
    context.loadDialect<aten::AtenDialect>();
  timing.setEnabled(options.time);
  timing.setDisplayMode(DefaultTimingManager::DisplayMode::Tree);
  timing.setOutput(createOutputStrategy(DefaultTimingManager::OutputFormat::Text, timesStream));
}

Phase::Phase(Session::Impl &session, const std::string &what, StringRef name)
    : session(session), root(session.timing.getRootScope()), scope(root.nest(name)) {
  if (session.options.progress)
    session.options.progress(what + ": " + name.str());
}

LogicalResult Session::Impl::run(const Stage &stage, ModuleOp module, const PipelineOptions &what) {
  Phase phase(*this, what.entry, stage.name);
  return runStage(stage, module, what, options.verifyStages, phase.timing(), options.bundle);
}

std::string Session::Impl::timeReport() {
  auto lock = lockCompiler();
  if (options.time)
    timing.print();
  return std::exchange(times, {});
}

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

void Session::Impl::listen() {
  if (!options.explain && !store)
    return;
  explainTo(context, [this](StringRef line) {
    explained.push_back(line.str());
    if (options.explain && !isRepeating)
      options.explain(line.str());
  });
}

void Session::Impl::explainAgain(const ExplainedLines &lines) {
  for (const std::string &line : lines)
    if (options.explain)
      options.explain(line);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

Result<OwningOpRef<ModuleOp>> Session::Impl::import() {
  DiagnosticCollector diagnostics(&context);
  context.loadAllAvailableDialects();
  {
    Phase phase(*this, file.path, "import");
    program = importFile(file, context);
  }
  auto fail = [&](const char *otherwise) {
    program = nullptr;
    return diagnostics.toError(ErrorCode::Unsupported, otherwise);
  };
  if (!program || failed(checkTextProgram(*program)))
    return fail("expected a program that can be imported");
  int index = 0;
  dump("program", index++, "import", *program);
  PipelineOptions whole;
  whole.optimizer = options.optimizer;
  for (const Stage &stage : programStages()) {
    if (failed(run(stage, *program, whole)))
      return fail("expected a program that can be compiled");
    dump("program", index++, stage.name, *program);
  }
  return declareProgram(*program);
}

Result<void> Session::Impl::importAgain() {
  if (program)
    return {};
  // All that there is to say was said when the program was opened.
  isRepeating = true;
  llvm::scope_exit end([&] { isRepeating = false; });
  auto declarations = import();
  return declarations ? Result<void>() : declarations.takeError();
}

std::optional<KeptProgram> Session::Impl::findProgram(const VariantStore &store) {
  Phase phase(*this, file.path, "cache");
  auto kept = store.findProgram(context);
  if (kept)
    explainAgain(kept->explained);
  return kept;
}

Result<OwningOpRef<ModuleOp>> Session::Impl::findOrImport() {
  if (store)
    if (auto kept = findProgram(*store))
      return std::move(kept->declarations);
  auto declarations = exchange ? importApart() : import();
  if (declarations && store)
    store->keepProgram(**declarations, explained);
  return declarations;
}

Result<void> Session::Impl::open(const std::string &path) {
  auto opened = ProgramFile::open(path);
  if (!opened)
    return opened.takeError();
  file = std::move(*opened);
  store = VariantStore::open(options, operators->digest(), file);
  if (options.isolate) {
    auto made = VariantStore::makeTemporary(options, operators->digest(), file);
    if (!made)
      return made.takeError();
    exchange = std::move(*made);
  }
  listen();
  use.emplace();
  llvm::scope_exit end([&] { use.reset(); });
  Compilation compilation(options);
  auto declarations = findOrImport();
  if (!declarations)
    return declarations.takeError();
  // Where it was when the record was made is past.
  if (file.isArchive())
    (**declarations)->setAttr(archiveAttr, StringAttr::get(&context, file.path));
  auto slots = ModuleState::create(**declarations, file);
  if (!slots)
    return slots.takeError();
  state = std::move(*slots);
  for (func::FuncOp entry : (*declarations)->getOps<func::FuncOp>()) {
    auto method = Method::create(entry, uint32_t(methods.size()), *state);
    if (!method)
      return method.takeError();
    methods.push_back(std::move(*method));
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

/// The stages between a call's spec and what is lowered.
static ArrayRef<Stage> graphStages() { return variantStages().drop_back(); }

Result<OwningOpRef<ModuleOp>> Session::Impl::compileGraph(const PipelineOptions &what,
                                                          const std::string &dumpName,
                                                          StringRef last) {
  DiagnosticCollector diagnostics(&context);
  OwningOpRef<ModuleOp> module = program->clone();
  for (auto [index, stage] : llvm::enumerate(graphStages())) {
    if (failed(run(stage, *module, what)))
      return diagnostics.toError(ErrorCode::Unsupported, "expected a call that can be compiled");
    dump(dumpName, index, stage.name, *module);
    if (stage.name == last)
      break;
  }
  return module;
}

Result<void> Session::Impl::checkOperators(ModuleOp graph, const std::string &target) {
  if (target == "cpu")
    return {};
  DiagnosticCollector diagnostics(graph.getContext());
  WalkResult walk = graph.walk([&](aten::CustomOp op) {
    op.emitError(op.getSignature()) << ": expected the target cpu, got '" << target << "'";
    return WalkResult::interrupt();
  });
  return walk.wasInterrupted() ? diagnostics.toError(ErrorCode::Unsupported, "") : Result<void>();
}

Result<void> Session::Impl::lower(ModuleOp module, const PipelineOptions &what,
                                  const std::string &dumpName) {
  DiagnosticCollector diagnostics(&context);
  const Stage &lower = variantStages().back();
  if (failed(run(lower, module, what)))
    return diagnostics.toError(ErrorCode::Unsupported, "expected a graph that can be lowered");
  dump(dumpName, int(graphStages().size()), lower.name, module);
  return {};
}

Result<std::shared_ptr<Variant>> Session::Impl::compile(const PipelineOptions &what) {
  std::lock_guard<std::mutex> lock(compilerMutex);
  return compiling([&] { return compileLocked(what); });
}

CodegenOptions Session::Impl::codegenOptions() {
  CodegenOptions codegen;
  codegen.chip = options.chip.empty() && device != 0 ? hostChip(device) : options.chip;
  codegen.gpuNcLoads = options.gpuNcLoads;
  codegen.gpuTf32 = options.gpuTf32;
  codegen.gpuLibraries = options.gpuLibraries;
  codegen.numerics = options.numerics;
  // A child process leaves what it compiles at its end.
  codegen.tier = exchange && options.tier == Tier::Both ? Tier::Optimised : options.tier;
  codegen.tuning = tuner.tuning();
  codegen.verify = options.verifyStages;
  codegen.bundle = options.bundle;
  return codegen;
}

static std::string backwardOf(const PipelineOptions &what) { return what.entry + ".backward"; }

Result<std::shared_ptr<Variant>> Session::Impl::describe(const PipelineOptions &what,
                                                         ModuleOp specialised) {
  auto variant = std::make_shared<Variant>();
  variant->what = what;
  auto entry = specialised.lookupSymbol<func::FuncOp>(what.entry);
  if (auto done = readSignature(entry, *state, *variant); !done)
    return done.takeError();
  auto isReshaped = [](const Output &output) { return output.offset.has_value(); };
  if (what.differentiate && llvm::any_of(variant->outputs, isReshaped))
    return Error{ErrorCode::Unsupported, "expected arguments that keep their sizes where gradients "
                                         "are asked for, got a program that changes them in place"};
  if (what.split)
    if (auto done =
            readBackward(specialised.lookupSymbol<func::FuncOp>(backwardOf(what)), *variant);
        !done)
      return done.takeError();
  return variant;
}

Result<void> Session::Impl::addCode(const PipelineOptions &what,
                                    std::shared_ptr<const Artifact> artifact, Variant &variant) {
  auto weight = [this](const std::string &path) { return state->weight(path); };
  if (what.absent.empty()) {
    auto executor = Executor::create(artifact, what.entry, weight, &pool, device);
    if (!executor)
      return executor.takeError();
    variant.executor = std::move(*executor);
  }
  if (what.split) {
    auto second = Executor::create(artifact, backwardOf(what), weight, &pool, device);
    if (!second)
      return second.takeError();
    variant.backward->executor = std::move(*second);
  }
  ++made;
  return {};
}

std::shared_ptr<Variant> Session::Impl::findKept(const PipelineOptions &what,
                                                 const VariantStore &from, const Beside &beside) {
  Phase phase(*this, what.entry, "cache");
  CodegenOptions codegen = codegenOptions();
  auto kept = from.findVariant(what, codegen, context);
  if (!kept || (codegen.tier == Tier::Optimised && !kept->image.baseline.empty()))
    return nullptr;
  auto artifact = findTarget(options.target)->load(kept->image);
  if (!artifact) {
    llvm::consumeError(artifact.takeError());
    return nullptr;
  }
  auto variant = describe(what, *kept->signatures);
  if (!variant)
    return nullptr; // compiling says why
  bool isMade = &from != store.get();
  if (isMade && store)
    store->keepVariant(what, codegen, *kept);
  ExplainedLines lines = kept->explained;
  if (!finish(what, std::move(*artifact), std::move(*kept), *variant, beside))
    return nullptr;
  explainAgain(lines);
  loaded += !isMade;
  return std::move(*variant);
}

Result<std::shared_ptr<Variant>> Session::Impl::compileLocked(const PipelineOptions &what,
                                                              const Beside &beside) {
  if (auto done = tuner.checkCpus(hostMachine().cpu); !done)
    return done.takeError();
  // LLVM cannot ask for it where memory is short.
  BufferPool::process().trim();
  Compilation compilation(options);
  if (store)
    if (auto variant = findKept(what, *store, beside))
      return variant;
  return exchange ? compileApart(what) : compileHere(what, store.get(), beside);
}

Result<std::shared_ptr<Variant>>
Session::Impl::compileHere(const PipelineOptions &what, VariantStore *into, const Beside &beside) {
  if (auto done = importAgain(); !done)
    return done.takeError();
  explained.clear();
  std::string dumpName = what.entry + "-" + std::to_string(made);
  auto module = compileGraph(what, dumpName);
  if (!module)
    return module.takeError();
  if (auto done = checkOperators(**module, options.target); !done)
    return done.takeError();
  auto variant = describe(what, **module);
  if (!variant)
    return variant;
  KeptVariant kept{declarationsOf(**module), {}, {}};
  if (!what.absent.empty()) // the forward function is there already
    (**module).lookupSymbol(what.entry)->erase();
  if (auto done = lower(**module, what, dumpName); !done)
    return done.takeError();
  DiagnosticCollector diagnostics(&context);
  CodegenOptions codegen = codegenOptions();
  // Beside calls it is made in steps, which the end of the process need not wait for.
  if (beside && options.target == "cpu")
    codegen.tier = Tier::Both;
  auto artifact = [&] {
    Phase phase(*this, what.entry, "codegen");
    codegen.timing = phase.timing();
    codegen.image = into || codegen.tier == Tier::Both ? &kept.image : nullptr;
    return findTarget(options.target)->emit(**module, codegen); // open() has checked it
  }();
  if (failed(artifact))
    return diagnostics.toError(ErrorCode::Internal, "expected a graph that code can be made for");
  dump(dumpName, int(variantStages().size()), "codegen", **module);
  kept.explained = std::move(explained);
  if (into)
    into->keepVariant(what, codegen, kept);
  if (auto done = finish(what, std::move(*artifact), std::move(kept), *variant, beside); !done)
    return done.takeError();
  return variant;
}

} // namespace jit
