//===- Session.cpp - open a program, call its methods ---------------------===//

#include "SessionImpl.h"
#include "SharedArguments.h"
#include "jit/Codegen/Target.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Draw/Svg.h"
#include "jit/Import/SchemaIndex.h"
#include "jit/Pipeline/Registration.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace jit {
using namespace codegen;
using namespace runtime;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Result<Method *> Session::Impl::findMethod(const std::string &name) {
  for (const std::unique_ptr<Method> &method : methods)
    if (method->info().name == name)
      return method.get();
  std::string known = llvm::join(
      llvm::map_range(methods, [](const auto &method) { return method->info().name; }), ", ");
  return Error{ErrorCode::NotFound,
               "expected one of the methods " + known + ", got '" + name + "'"};
}

Result<Method *> Session::Impl::findMethod(const std::string &name, std::span<const Value> args) {
  auto method = findMethod(name);
  for (const std::unique_ptr<Method> &overload : methods) {
    StringRef rest = overload->info().name;
    if (!method && rest.consume_front(name + "__") && !rest.empty() &&
        llvm::all_of(rest, llvm::isDigit) && overload->takes(args))
      return overload.get();
  }
  return method;
}

PipelineOptions Session::Impl::pipelineFor(const Method &method, const CallSpec &spec,
                                           GradientMode mode) const {
  bool trains = options.optimizer && options.optimizer->method == method.info().name;
  return {.entry = method.info().name,
          .args = spec.str(),
          // A GPU's kernels take no part of a buffer whose place a branch has chosen.
          .dataSqueeze = options.target == "cpu",
          .differentiate = mode != GradientMode::None,
          .split = mode == GradientMode::Split,
          // What a GPU's plan hands from trip to trip has one place.
          .carriesSizes = options.target == "cpu",
          .guardsDivision = options.target == "cpu",
          .optimizer = trains ? options.optimizer : std::nullopt};
}

/// Of one size that others share code with, before it is worth code of its own: a compilation is
/// worth some calls, and a size that comes by chance none.
static constexpr uint32_t callsUntilExact = 100;

/// Whether a variant met sizes that it is not for, and one for the call alone may be.
static bool wantsExact(const Choice &choice, const Error &error) {
  bool isOfSizes = error.code == ErrorCode::Raised && error.pythonClass == sizeGuardClass;
  return isOfSizes || (choice.isShared && error.code == ErrorCode::Unsupported);
}

Result<GradientResult> Session::Impl::call(const std::string &name, std::span<Value> args,
                                           GradientMode mode) {
  auto method = findMethod(name, args);
  if (!method)
    return method.takeError();
  if ((*method)->dependsOnStrides())
    markSharedMemory(args, (*method)->readsGaps());
  StateLock lock = state->lock((*method)->stateAccess());
  CallKind kind{.mode = mode};
  auto choice = choiceFor(**method, args, kind);
  if (!choice)
    return choice.takeError();
  note((*choice)->variant);
  if ((*choice)->isShared && ++(*choice)->calls == callsUntilExact)
    if (auto done = compileBeside(**method, args, kind); !done)
      return done.takeError();
  auto result = runVariant(*(*choice)->variant, args, *state);
  if (result || !wantsExact(**choice, result.error()))
    return result;
  auto exact = choiceFor(**method, args, {.mode = mode, .exact = true});
  if (!exact)
    return exact.takeError();
  // Later calls of these sizes go there at once.
  CallKey key;
  if (auto done = (*method)->encode(args, kind, *state, key); !done)
    return done.takeError();
  variants.replace(key.ref(), *exact);
  return runVariant(*(*exact)->variant, args, *state);
}

Result<void> Session::Impl::prepare(const std::string &name, std::span<const Value> given) {
  auto method = findMethod(name, given);
  if (!method)
    return method.takeError();
  std::vector<Value> args(given.begin(), given.end());
  if ((*method)->dependsOnStrides())
    markSharedMemory(args, (*method)->readsGaps());
  StateLock lock = state->lock((*method)->stateAccess());
  auto choice = choiceFor(**method, args, {.mode = GradientMode::None});
  return choice ? Result<void>() : choice.takeError();
}

Result<ForwardResult> Session::Impl::forward(const std::string &name, std::span<Value> args) {
  auto method = findMethod(name, args);
  if (!method)
    return method.takeError();
  if ((*method)->dependsOnStrides())
    markSharedMemory(args, (*method)->readsGaps());
  StateLock lock = state->lock((*method)->stateAccess());
  auto choice = choiceFor(**method, args, {.mode = GradientMode::Split, .exact = true});
  if (!choice)
    return choice.takeError();
  note((*choice)->variant);
  Kept kept;
  std::shared_ptr<Variant> variant = (*choice)->variant;
  auto result = runVariant(*variant, args, *state, &kept);
  if (!result)
    return result.takeError();
  ForwardResult forward;
  forward.value = std::move(result->value);
  forward.changed = std::move(result->changed);
  forward.backward = [this, variant, kept = std::move(kept)](std::span<const Value> seeds) {
    return withAllMemory([&] {
      auto partial = backwardWithout(*variant, absentSeeds(*variant, kept, seeds));
      return runBackward(partial ? *partial : *variant, kept, seeds);
    });
  };
  return forward;
}

std::shared_ptr<Variant> Session::Impl::backwardWithout(Variant &variant,
                                                        const std::vector<int64_t> &absent) {
  if (absent.empty())
    return nullptr;
  std::lock_guard<std::mutex> lock(variant.partial->mutex);
  auto [found, isNew] = variant.partial->made.try_emplace(absent);
  if (!isNew)
    return found->second;
  PipelineOptions what = variant.what;
  what.absent = absent;
  if (auto made = compile(what))
    found->second = std::move(*made);
  else if (options.explain)
    options.explain(what.entry + ": gradients that are not given are zeros in its backward pass: " +
                    made.error().str());
  return found->second;
}

Result<std::string>
Session::Impl::graphFor(const std::string &name, std::span<const Value> args, bool differentiate,
                        llvm::function_ref<Result<std::string>(func::FuncOp graph)> show) {
  auto method = findMethod(name, args);
  if (!method)
    return method.takeError();
  StateLock lock = state->lock(StateAccess::Read);
  // Refuses what a call would.
  GradientMode mode = differentiate ? GradientMode::OfSum : GradientMode::None;
  CallKey key;
  if (auto done = (*method)->encode(args, {.mode = mode, .sizes = options.sizes}, *state, key);
      !done)
    return done.takeError();
  auto spec = (*method)->specOf(key, *state);
  if (!spec)
    return spec.takeError();
  return graphOf(pipelineFor(**method, *spec, mode), show);
}

Result<std::string>
Session::Impl::graphOf(const PipelineOptions &what,
                       llvm::function_ref<Result<std::string>(func::FuncOp graph)> show) {
  std::lock_guard<std::mutex> compiler(compilerMutex);
  return compiling([&]() -> Result<std::string> {
    Compilation compilation(options);
    if (auto done = importAgain(); !done)
      return done.takeError();
    auto module = compileGraph(what, "graph");
    if (!module)
      return module.takeError();
    return show((*module)->lookupSymbol<func::FuncOp>(what.entry));
  });
}

void Session::Impl::note(const std::shared_ptr<Variant> &variant) {
  if (lastSeen.load(std::memory_order_relaxed) == variant.get())
    return;
  std::lock_guard<std::mutex> lock(lastMutex);
  last = variant;
  lastSeen = variant.get();
}

Result<std::string>
Session::Impl::graphOfLast(llvm::function_ref<Result<std::string>(func::FuncOp graph)> show) {
  std::unique_lock<std::mutex> lock(lastMutex);
  std::shared_ptr<Variant> variant = last;
  lock.unlock();
  if (!variant)
    return Error{ErrorCode::NotFound, "expected a call before its graph is asked for"};
  PipelineOptions what = variant->what;
  what.split = false; // forward and backward in one
  return graphOf(what, show);
}

static Result<std::string> printGraph(func::FuncOp graph) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  graph->print(stream);
  return text;
}

static Result<std::string> drawGraph(func::FuncOp graph) {
  DiagnosticCollector diagnostics(graph.getContext());
  auto picture = drawSvg(graph);
  if (failed(picture))
    return diagnostics.toError(ErrorCode::Unsupported, "expected a graph that can be drawn");
  return std::move(*picture);
}

//===----------------------------------------------------------------------===//
// Session
//===----------------------------------------------------------------------===//

std::vector<std::string> supportedOperators() {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  SchemaIndex index(context);
  std::vector<std::string> schemas;
  for (const Overload &overload : index.overloadsInOrder())
    schemas.push_back(overload.text.str());
  return schemas;
}

Result<std::vector<std::string>> operatorsIn(const std::vector<std::string> &files) {
  auto loaded = CustomOperators::load(files);
  if (!loaded)
    return loaded.takeError();
  std::vector<std::string> schemas;
  for (const CustomOperator &op : (*loaded)->all())
    schemas.push_back(op.text);
  return schemas;
}

static std::string targetNames() {
  return llvm::join(llvm::map_range(targets(), [](const Target *target) { return target->name(); }),
                    ", ");
}

static Result<void> checkIsolation(const SessionOptions &options) {
  if (options.isolate && (options.tunes || options.time))
    return Error{ErrorCode::InvalidArgument, "expected a session that neither tunes nor measures "
                                             "times, for child processes to compile"};
  if (options.isolate && options.target != "cpu")
    return Error{ErrorCode::InvalidArgument,
                 "expected the target cpu for child processes to compile, got '" + options.target +
                     "'"};
  return {};
}

/// The number behind "cuda:", which it takes from the target's name.
static int takeDevice(std::string &target) {
  StringRef name = target, digits = name;
  int number = 0;
  if (!digits.consume_front("cuda:") || digits.getAsInteger(10, number) || number < 0)
    return 0;
  target = "cuda";
  return number;
}

Session::Session(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::open(const std::string &path,
                                               const SessionOptions &given) {
  return orOutOfMemory([&]() -> Result<std::unique_ptr<Session>> {
    SessionOptions options = given;
    int device = takeDevice(options.target);
    if (auto done = BufferPool::checkEnvironment(); !done)
      return done.takeError();
    if (!findTarget(options.target))
      return Error{ErrorCode::InvalidArgument, "expected one of the targets " + targetNames() +
                                                   ", got '" + options.target + "'"};
    if (options.target != "cpu" && (options.tunes || !options.tiles.empty()))
      return Error{ErrorCode::InvalidArgument,
                   "expected the target cpu for tiles, got '" + options.target + "'"};
    if (auto done = checkIsolation(options); !done)
      return done.takeError();
    auto operators = CustomOperators::load(options.operators);
    if (!operators)
      return operators.takeError();
    auto impl = std::make_unique<Impl>(options, device, std::move(*operators));
    if (auto done = impl->tuner.open(options.tiles, options.tunes); !done)
      return done.takeError();
    if (auto done = impl->open(path); !done)
      return done.takeError();
    return std::unique_ptr<Session>(new Session(std::move(impl)));
  });
}

std::vector<MethodInfo> Session::methods() const {
  std::vector<MethodInfo> methods;
  for (const std::unique_ptr<Method> &method : impl->methods)
    methods.push_back(method->info());
  return methods;
}

std::vector<std::string> Session::parameters() const { return impl->state->parameters(); }

Result<Value> Session::run(const std::string &method, std::span<Value> args,
                           ChangedArguments *changed) {
  return withAllMemory([&]() -> Result<Value> {
    auto result = impl->call(method, args, GradientMode::None);
    if (!result)
      return result.takeError();
    if (changed)
      *changed = std::move(result->changed);
    return std::move(result->value);
  });
}

Result<void> Session::prepare(const std::string &method, std::span<const Value> args) {
  return orOutOfMemory([&]() -> Result<void> { return impl->prepare(method, args); });
}

Result<GradientResult> Session::runWithGradients(const std::string &method, std::span<Value> args) {
  return withAllMemory(
      [&]() -> Result<GradientResult> { return impl->call(method, args, GradientMode::OfSum); });
}

Result<ForwardResult> Session::forward(const std::string &method, std::span<Value> args) {
  return withAllMemory([&]() -> Result<ForwardResult> { return impl->forward(method, args); });
}

Result<std::string> Session::graphFor(const std::string &method, std::span<const Value> args,
                                      bool differentiate) {
  return orOutOfMemory([&]() -> Result<std::string> {
    return impl->graphFor(method, args, differentiate, printGraph);
  });
}

Result<std::string> Session::drawGraph(const std::string &method, std::span<const Value> args,
                                       bool differentiate) {
  return orOutOfMemory([&]() -> Result<std::string> {
    return impl->graphFor(method, args, differentiate, jit::drawGraph);
  });
}

Result<std::string> Session::drawLastGraph() {
  return orOutOfMemory([&] { return impl->graphOfLast(jit::drawGraph); });
}

Result<Value> Session::state(const std::string &path) {
  return orOutOfMemory([&]() -> Result<Value> {
    auto slot = impl->state->find(path);
    if (!slot)
      return slot.takeError();
    StateLock lock = impl->state->lock(StateAccess::Read);
    return impl->state->get(*slot);
  });
}

void Session::resetState() {
  StateLock lock = impl->state->lock(StateAccess::Write);
  impl->state->reset();
}

Result<std::string> Session::tune(const std::string &tablePath) {
  return orOutOfMemory([&]() -> Result<std::string> {
    if (!impl->tuner.isListening())
      return Error{ErrorCode::InvalidArgument, "expected a session that was opened to tune"};
    auto lock = impl->lockCompiler();
    // A path that cannot be written shows before the minutes of measuring.
    if (auto done = impl->tuner.result().write(tablePath); !done)
      return done.takeError();
    auto report = impl->tuner.measure(impl->pool, impl->options.progress);
    if (report)
      if (auto done = impl->tuner.result().write(tablePath); !done)
        return done.takeError();
    return report;
  });
}

std::string Session::timeReport() { return impl->timeReport(); }

CacheStatistics Session::statistics() const {
  CacheStatistics counts = impl->variants.statistics();
  counts.compiles = impl->made;
  counts.loads = impl->loaded;
  counts.generic = impl->served;
  counts.optimised = impl->optimised;
  counts.stayed = impl->stayed;
  return counts;
}

} // namespace jit
