//===- PackageBuilder.cpp - every variant that calls can reach ------------===//

#include "PackageBuilder.h"
#include "jit-c/Values.h"
#include "jit/Codegen/Cpu.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <deque>

using namespace mlir;
using jit::package::CompiledEntry;
using jit::package::Site;

namespace jit {
using namespace codegen;
using namespace runtime;

/// More kinds of state than this are taken as no end of them: there is code for the first.
static constexpr size_t maxStates = 64;

PackageBuilder::PackageBuilder(Session::Impl &session, const PackageOptions &options,
                               std::string name)
    : name(std::move(name)), session(session), options(options) {}

Result<void> PackageBuilder::checkTarget() {
  auto refuse = [](const std::string &message) {
    return Error{ErrorCode::InvalidArgument, message};
  };
  target = package::findPackageTarget(options.target);
  if (!target)
    return refuse("expected the target cpu or cuda, got '" + options.target + "'");
  if (!findTarget(options.target))
    return refuse("expected a build of the compiler with the target " + options.target +
                  ", got one without");
  if (!target->choosesCpus && !session.options.tiles.empty())
    return refuse("expected no tiles for the target " + options.target + ", got '" +
                  session.options.tiles + "'");
  if (!target->choosesCpus && options.cpu != "native")
    return refuse("expected no cpu for the target " + options.target + ", got '" + options.cpu +
                  "'");
  if (auto done = findMachines(); !done)
    return done;
  if (!target->choosesChip && !options.chip.empty())
    return refuse("expected no chip for the target " + options.target + ", got '" + options.chip +
                  "'");
  if (auto done = findChips(); !done)
    return done;
  std::vector<std::string> cpus;
  for (const Machine &machine : machines)
    cpus.push_back(machine.cpu);
  return session.tuner.checkCpus(cpus);
}

Result<void> PackageBuilder::findMachines() {
  llvm::StringRef names = target->choosesCpus ? llvm::StringRef(options.cpu) : "generic";
  for (llvm::StringRef cpu : llvm::split(names, ',')) {
    llvm::Expected<Machine> machine =
        cpu == "native" ? llvm::Expected<Machine>(hostMachine()) : describeMachine(cpu);
    if (!machine || !package::hasRuntimeFor(*machine)) {
      if (!machine)
        llvm::consumeError(machine.takeError());
      return Error{ErrorCode::InvalidArgument,
                   "expected the name of a CPU, such as native or x86-64-v3, got '" + cpu.str() +
                       "'"};
    }
    machines.push_back(std::move(*machine));
  }
  return {};
}

Result<void> PackageBuilder::findChips() {
  std::string names = options.chip;
  if (target->choosesChip && names.empty())
    names = hostChip();
  // What only this one has is not in later ones.
  if (options.chip.empty() && names == "sm_90a")
    names += ",sm_90";
  for (llvm::StringRef chip : llvm::split(names, ',')) {
    if (target->choosesChip)
      if (auto known = describeGpu(chip); !known)
        return Error{ErrorCode::InvalidArgument, llvm::toString(known.takeError())};
    chips.push_back(chip.str());
  }
  return {};
}

Result<void> PackageBuilder::build() {
  if (auto done = checkTarget(); !done)
    return done;
  bool isDone = false;
  while (!isDone) {
    packages.clear();
    code = std::make_unique<package::Code>(name);
    for (const Machine &machine : machines) {
      auto built = buildFor(machine);
      if (!built)
        return built.takeError();
      isDone = *built;
      if (!isDone)
        break;
      packages.push_back(std::move(package));
    }
  }
  return {};
}

Result<bool> PackageBuilder::buildFor(const Machine &machine) {
  package = {};
  package.machine = machine;
  if (!packages.empty())
    package.blobs = packages.back().blobs;
  calls.clear();
  if (auto done = prepareCalls(); !done)
    return done.takeError();
  auto explored = explore();
  if (!explored || !*explored)
    return explored;
  if (auto done = slots->finish(package); !done)
    return done.takeError();
  finish();
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

size_t PackageBuilder::entryFor(const PackagedCall &asked, const Method &method) {
  std::string name = asked.method + (asked.gradients ? ".grad" : "");
  for (size_t i = 0; i < package.methods.size(); ++i)
    if (package.methods[i].name == name)
      return i;
  package::Method entry;
  entry.name = name;
  for (const std::string &argument : method.info().arguments)
    entry.argumentNames.push_back(argument.substr(0, argument.find(':')));
  entry.readsState = method.stateAccess() != StateAccess::None;
  entry.writesState = method.stateAccess() == StateAccess::Write;
  entry.dependsOnStrides = method.asksForStrides();
  entry.showsGaps = method.readsGaps();
  package.methods.push_back(std::move(entry));
  return package.methods.size() - 1;
}

/// As the package compares the arguments of a call, and as it is compiled for them.
Result<void> PackageBuilder::addArguments(Call &call, std::vector<ValueSpec> given) {
  if (call.method->readsGaps())
    nameMemories(given);
  call.hasOpenStrides = sayStrides(given) && !strided.count(call.asked);
  call.sharesMemory = shareMemory(given);
  for (ValueSpec &argument : given) {
    ValueSpec pattern = patternOf(argument);
    call.arguments.push_back(call.hasOpenStrides ? withAnyStrides(std::move(pattern))
                                                 : std::move(pattern));
    call.spec.arguments.push_back(call.hasOpenStrides ? withoutStrides(std::move(argument))
                                                      : std::move(argument));
  }
  Result<void> checked = checkPatterns(call.arguments);
  if (checked && !target->hasOpenSizes && !openSizes(call.arguments).empty())
    checked =
        Error{ErrorCode::Unsupported, "expected known sizes for the target " + options.target};
  if (checked)
    return {};
  Error error = checked.takeError();
  error.message += ", got '" + call.asked->arguments + "'";
  return error;
}

Result<PackageBuilder::Call> PackageBuilder::prepare(const PackagedCall &asked) {
  auto method = session.findMethod(asked.method);
  if (!method)
    return method.takeError();
  auto spec = CallSpec::parse(asked.arguments);
  if (!spec)
    return spec.takeError();
  std::vector<ValueSpec> &given = spec->arguments;
  while (!given.empty() && given.back().kind == ValueSpec::Kind::Default)
    given.pop_back();
  size_t count = (*method)->info().arguments.size();
  if (given.size() > count)
    return Error{ErrorCode::InvalidArgument, asked.method + ": expected at most " +
                                                 std::to_string(count) + " arguments, got " +
                                                 std::to_string(given.size())};
  Call call{.asked = &asked, .method = *method, .entry = entryFor(asked, **method)};
  if (auto done = addArguments(call, std::move(given)); !done)
    return done.takeError();
  call.spec.arguments.resize(count, {.kind = ValueSpec::Kind::Default});
  return call;
}

Result<void> PackageBuilder::prepareCalls() {
  std::set<unsigned> touched;
  for (const PackagedCall &asked : options.calls) {
    auto call = prepare(asked);
    if (!call)
      return call.takeError();
    touched.insert(call->method->stateSlots().begin(), call->method->stateSlots().end());
    calls.push_back(std::move(*call));
  }
  // A call finds the first code that it fits: that for its own sizes, if there is such.
  llvm::stable_sort(calls, [](const Call &a, const Call &b) {
    return openSizes(a.arguments).size() < openSizes(b.arguments).size();
  });
  slots.emplace(*session.state, std::vector<unsigned>(touched.begin(), touched.end()), opened);
  return slots->addInitial();
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

Error PackageBuilder::tooManyStates(const std::vector<int32_t> &state) const {
  int32_t varied = slots->mostVaried();
  return Error{ErrorCode::Unsupported, "expected module state of at most " +
                                           std::to_string(maxStates) + " kinds, got more: '" +
                                           session.state->path(slots->slots()[varied]) + "' is " +
                                           slots->textOfKind(varied, state[varied]) + " by then"};
}

/// From the saved state on, every call in every state that calls lead to.
Result<bool> PackageBuilder::explore() {
  std::vector<int32_t> initial(slots->slots().size(), 0);
  std::set<std::vector<int32_t>> seen = {initial};
  std::deque<std::vector<int32_t>> open = {initial};
  while (!open.empty()) {
    std::vector<int32_t> state = std::move(open.front());
    open.pop_front();
    bool isLast = seen.size() > maxStates;
    for (Call &call : calls) {
      std::vector<int32_t> own = ownOf(call, state);
      if (!call.made.count(own)) {
        Result<bool> isMade = isLast ? tooManyStates(state) : make(call, state);
        if (!isMade && isMade.error().code == ErrorCode::Unsupported)
          refuse(call, state, isMade.takeError());
        else if (!isMade || !*isMade)
          return isMade;
      }
      if (isLast)
        continue;
      auto after = statesAfter(call.made.at(own), state);
      if (!after)
        return after.takeError();
      for (const std::vector<int32_t> &next : *after)
        if (seen.insert(next).second)
          open.push_back(next);
    }
  }
  return checkServed();
}

/// Fails where there is no code for a call, whatever calls come before it.
Result<bool> PackageBuilder::checkServed() {
  for (Call &call : calls)
    if (llvm::none_of(call.made, [](auto &made) { return made.second.refusal.empty(); }))
      return std::move(*call.refused);
  return true;
}

std::vector<int32_t> PackageBuilder::ownOf(const Call &call,
                                           const std::vector<int32_t> &state) const {
  std::vector<int32_t> own;
  for (unsigned slot : call.method->stateSlots())
    own.push_back(state[slots->indexOf(slot)]);
  return own;
}

std::vector<jit_slot_kind> PackageBuilder::needsOf(const Call &call,
                                                   const std::vector<int32_t> &state) const {
  std::vector<jit_slot_kind> needs;
  for (unsigned slot : call.method->stateSlots()) {
    int32_t index = slots->indexOf(slot);
    needs.push_back({index, state[index]});
  }
  return needs;
}

void PackageBuilder::refuse(Call &call, const std::vector<int32_t> &state, Error error) {
  package::Variant refused;
  refused.arguments = call.arguments;
  refused.needs = needsOf(call, state);
  refused.refusal = error.str();
  call.made.emplace(ownOf(call, state), std::move(refused));
  if (!call.refused)
    call.refused = std::move(error);
}

CallSpec PackageBuilder::specOf(const Call &call, const std::vector<int32_t> &state) const {
  CallSpec spec = call.spec;
  for (unsigned slot : call.method->stateSlots()) {
    int32_t index = slots->indexOf(slot);
    spec.arguments.push_back(slots->pattern(index, state[index]));
  }
  return spec;
}

static std::optional<ValueSpec> constantOf(mlir::Value value) {
  IntegerAttr number;
  if (!matchPattern(value, m_Constant(&number)))
    return std::nullopt;
  if (number.getType().isInteger(1))
    return ValueSpec{.kind = ValueSpec::Kind::Bool, .boolValue = !number.getValue().isZero()};
  return ValueSpec{.kind = ValueSpec::Kind::Int, .intValue = number.getInt()};
}

Error PackageBuilder::explained(const Call &call, Error error) const {
  if (openSizes(call.arguments).empty() || error.code != ErrorCode::Unsupported)
    return error;
  error.message +=
      " in " + call.asked->method + "(" + call.asked->arguments +
      "), whose sizes are open: not every operator is compiled for those; write them as "
      "numbers";
  return error;
}

/// Whether arguments have other sizes, and so strides, after the call.
static bool changesSizes(const Variant &signature) {
  return llvm::any_of(signature.outputs,
                      [](const Output &output) { return output.offset.has_value(); });
}

/// Whether what a call does may follow from how its arguments lie in memory.
static bool dependsOnStrides(const Method &method, func::FuncOp entry, const Variant &signature,
                             bool sharesMemory) {
  bool writes =
      llvm::any_of(signature.outputs, [](const Output &output) { return !output.mutates.empty(); });
  return method.asksForStrides() || entry->hasAttr(dependsOnStridesAttr) ||
         (writes && sharesMemory) || changesSizes(signature);
}

Result<bool> PackageBuilder::make(Call &call, const std::vector<int32_t> &state) {
  for (jit_slot_kind need : needsOf(call, state))
    if (hasOpenSize(slots->pattern(need.slot, need.kind)))
      return refuseOpenState(need.slot, need.kind);
  PipelineOptions what =
      session.pipelineFor(*call.method, specOf(call, state),
                          call.asked->gradients ? GradientMode::OfSum : GradientMode::None);
  what.keepsArgumentMemory = true; // it is the caller's
  // In a state that other calls lead to the program may raise where it does not as it was saved.
  what.raises = llvm::any_of(state, [](int32_t kind) { return kind != 0; });
  std::string symbol = what.entry + "." + std::to_string(made++);
  auto graph = session.compileGraph(what, symbol);
  auto withItsStrides = [&] {
    strided.insert(call.asked);
    return false;
  };
  if (!graph && call.hasOpenStrides)
    return withItsStrides();
  if (!graph)
    return explained(call, graph.takeError());
  if (auto done = Session::Impl::checkOperators(**graph, options.target); !done)
    return done.takeError();
  auto entry = (*graph)->lookupSymbol<func::FuncOp>(what.entry);
  Variant signature;
  if (auto done = readSignature(entry, *session.state, signature); !done)
    return done.takeError();
  if (call.hasOpenStrides && dependsOnStrides(*call.method, entry, signature, call.sharesMemory))
    return withItsStrides();
  package.methods[call.entry].dependsOnStrides |=
      entry->hasAttr(dependsOnStridesAttr) || changesSizes(signature);
  if (call.asked->gradients && changesSizes(signature))
    return Error{ErrorCode::Unsupported, "expected arguments that keep their sizes where gradients "
                                         "are asked for, got a program that changes them in place"};
  std::vector<Known> known;
  OperandRange results = entry.front().getTerminator()->getOperands();
  for (mlir::Value result : results)
    known.push_back({constantOf(result), int32_t(llvm::find(results, result) - results.begin())});
  if (auto done = session.lower(**graph, what, symbol); !done)
    return explained(call, done.takeError());
  auto compiled = compile(**graph, symbol);
  if (!compiled)
    return compiled.takeError();
  package::Variant result;
  result.symbol = symbol;
  result.arguments = call.arguments;
  auto isDescribed = describe(result, call, state, signature, *compiled, known);
  if (!isDescribed || !*isDescribed)
    return isDescribed;
  result.needs = needsOf(call, state);
  call.made.emplace(ownOf(call, state), std::move(result));
  return true;
}

Result<CompiledEntry> PackageBuilder::compile(ModuleOp module, const std::string &symbol) {
  DiagnosticCollector diagnostics(&session.mlirContext());
  if (!options.keepPlaces)
    module->walk([&](Operation *op) { op->setLoc(UnknownLoc::get(op->getContext())); });
  auto weight = [&](const std::string &name) -> llvm::Expected<const void *> {
    auto tensor = session.state->weight(name);
    if (!tensor)
      return llvm::createStringError(tensor.error().str());
    return tensor->data();
  };
  Phase phase(session, symbol, "codegen");
  CodegenOptions codegen;
  codegen.machine = package.machine;
  codegen.tuning = session.tuner.tuning();
  codegen.numerics = session.options.numerics;
  codegen.sharesLoopSizes = false; // compiled once, and called more often
  codegen.verify = session.options.verifyStages;
  codegen.timing = phase.timing();
  std::optional<CompiledEntry> all;
  for (const std::string &chip : chips) {
    codegen.chip = chip;
    OwningOpRef<ModuleOp> copy = chip == chips.back() ? nullptr : module.clone();
    auto compiled = target->compile(*code, copy ? *copy : module, symbol, codegen, weight);
    if (failed(compiled))
      return diagnostics.toError(ErrorCode::Internal, "expected a graph that code can be made for");
    if (all)
      llvm::append_range(all->devices, compiled->devices);
    else
      all = std::move(*compiled);
  }
  return std::move(*all);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static void describeVariant(llvm::raw_ostream &os, const package::Method &method,
                            const package::Variant &variant) {
  os << method.name << '(';
  llvm::interleaveComma(llvm::enumerate(variant.arguments), os, [&](const auto &argument) {
    os << method.argumentNames[argument.index()] << ": ";
    os << argument.value().str();
  });
  os << ") -> " << variant.structure;
  std::vector<const package::Output *> results(variant.resultCount);
  for (const package::Output &output : variant.outputs)
    if (output.to.place == JIT_PLACE_RESULT)
      results[output.to.index] = &output;
  for (auto [i, output] : llvm::enumerate(results)) {
    os << (i ? ", %" : " where %") << i << ": " << output->type.str();
  }
  os << '\n';
}

/// Behind a call's line, each reason once, and few of them.
void PackageBuilder::describeRefusals(llvm::raw_ostream &os, const Call &call) const {
  constexpr size_t maxSaid = 4;
  std::set<llvm::StringRef> said;
  for (const auto &[state, variant] : call.made) {
    llvm::StringRef why = llvm::StringRef(variant.refusal).split('\n').first;
    if (why.empty() || said.size() == maxSaid || !said.insert(why).second)
      continue;
    std::string with;
    llvm::raw_string_ostream text(with);
    llvm::interleaveComma(variant.needs, text, [&](const jit_slot_kind &need) {
      text << session.state->path(slots->slots()[need.slot]) << " = "
           << slots->textOfKind(need.slot, need.kind);
    });
    os << "  but not with " << with << ": " << why << '\n';
    if (options.warn && packages.empty()) // else it was said of the first CPU
      options.warn("expected code for each state that calls lead to, got none for " +
                   package.methods[call.entry].name + " with " + with + ": " + why.str());
  }
}

void PackageBuilder::finish() {
  auto settle = [&](Site &location) {
    if (location.place != JIT_PLACE_CELL)
      return;
    location.index = slots->firstCell(location.index) + location.path[0];
    location.path.clear();
  };
  llvm::raw_string_ostream description(package.description);
  for (Call &call : calls) {
    const auto &served =
        *llvm::find_if(call.made, [](auto &made) { return made.second.refusal.empty(); });
    describeVariant(description, package.methods[call.entry], served.second);
    describeRefusals(description, call);
    for (auto &[state, variant] : call.made) {
      for (package::Operand &operand : variant.operands)
        settle(operand.from);
      for (package::Output &output : variant.outputs)
        settle(output.to);
      for (package::Copy &copy : variant.copies)
        settle(copy.to);
      package.methods[call.entry].variants.push_back(std::move(variant));
    }
  }
}

} // namespace jit
