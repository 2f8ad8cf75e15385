//===- Differ.cpp - a program's operators, each judged on its own ---------===//

#include "Differ.h"
#include "Inside.h"
#include "Judge.h"
#include "Numbers.h"
#include "Whole.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace jit {

Differ::Differ(ModuleOp program, std::string name, const DiffOptions &options)
    : program(program), entry(std::move(name)), options(options),
      func(program.lookupSymbol<func::FuncOp>(entry)), block(&func.front()) {
  if (options.recorded)
    recorded = std::make_unique<AgainstRecorded>(func, *options.recorded);
}

Result<std::unique_ptr<Differ>> Differ::make(ModuleOp program, const std::string &entry,
                                             const DiffOptions &options) {
  std::unique_ptr<Differ> made(new Differ(program, entry, options));
  if (auto done = made->compileShown(); !done)
    return done.takeError();
  made->findOperators();
  return made;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

Result<void> Differ::compileShown() {
  shown = shownValues(func);
  auto numbers = llvm::to_vector(llvm::seq<unsigned>(0, shown.size()));
  auto compiled = Compiled::make(withResults(program, entry, numbers, /*keepResults=*/true),
                                 Form::Optimised, options);
  if (!compiled)
    return compiled.takeError();
  auto executor = compiled->entry(entry);
  if (!executor)
    return executor.takeError();
  optimised = std::move(*executor);
  return {};
}

static bool isOpen(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !tensor.hasStaticSizes();
}

Type Differ::givenType(Value value) const {
  auto found = values.find(value);
  if (found == values.end())
    return {};
  auto *tensor = found->second.getIf<runtime::Tensor>();
  return tensor && isOpen(value.getType())
             ? cast<TensorType>(value.getType()).withSizes(ArrayRef(tensor->sizes()))
             : value.getType();
}

void Differ::findOperators() {
  for (Operation &op : *block) {
    Operator what{&op, {}, {}, nullptr, nullptr};
    llvm::copy_if(op.getResults(), std::back_inserter(what.results), canBeShown);
    if (!what.results.empty())
      operators.push_back(std::move(what));
  }
}

void Differ::compileOperators(MutableArrayRef<Operator> range, bool isWide) {
  if (range.empty())
    return;
  Cutter cutter(program, [this](Value value) { return givenType(value); });
  for (auto [number, what] : llvm::enumerate(range)) {
    auto part = cutter.cutOperation(what.op, "op" + std::to_string(number), isWide);
    what.whyNot.clear();
    if (succeeded(part)) {
      what.inputs = part->inputs;
      what.hasOpenSizes =
          llvm::any_of(what.inputs, [](Value input) { return isOpen(input.getType()); });
    } else
      what.whyNot = "expected operands that can be given to it";
  }
  auto compiled = Compiled::make(cutter.take(), Form::Plain, options);
  if (compiled) {
    for (auto [number, what] : llvm::enumerate(range))
      if (what.whyNot.empty())
        if (auto executor = compiled->entry("op" + std::to_string(number)))
          (isWide ? what.wide : what.own) = std::move(*executor);
  } else if (range.size() > 1) {
    compileOperators(range.take_front(range.size() / 2), isWide);
    compileOperators(range.drop_front(range.size() / 2), isWide);
  } else if (isWide) {
    compileOperators(range, /*isWide=*/false);
  } else {
    range.front().whyNot = compiled.error().str();
  }
}

void Differ::compileForCall() {
  if (!isCompiled)
    compileOperators(operators, /*isWide=*/true);
  else
    for (Operator &what : operators)
      if (what.hasOpenSizes) {
        what.wide = nullptr;
        what.own = nullptr;
        compileOperators(what, /*isWide=*/true);
      }
  isCompiled = true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Result<void> Differ::run(const std::vector<runtime::Value> &inputs) {
  auto results = optimised->run(inputs);
  if (!results)
    return results.takeError();
  values.clear();
  for (auto [argument, value] : llvm::zip(func.getArguments(), inputs))
    values[argument] = value;
  size_t first = results->size() - shown.size();
  for (auto [number, value] : llvm::enumerate(shown))
    values[value] = (*results)[first + number];
  for (auto slot : block->getOps<SlotGetOp>())
    if (isCallType(slot.getType())) {
      auto weight = options.weights(slot.getSlot().str());
      if (!weight)
        return weight.takeError();
      values[slot.getResult()] = runtime::Value(std::move(*weight));
    }
  return {};
}

std::vector<runtime::Value> Differ::results() const {
  std::vector<runtime::Value> results;
  for (Value operand : block->getTerminator()->getOperands())
    results.push_back(valueOf(operand).value_or(runtime::Value()));
  return results;
}

std::optional<runtime::Value> Differ::valueOf(Value value) const {
  auto found = values.find(value);
  if (found != values.end())
    return found->second;
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return std::nullopt;
  if (auto flag = dyn_cast<BoolAttr>(constant.getValue()))
    return runtime::Value(flag.getValue());
  if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
    return runtime::Value(integer.getInt());
  if (auto number = dyn_cast<FloatAttr>(constant.getValue()); number && number.getType().isF64())
    return runtime::Value(number.getValueAsDouble());
  return std::nullopt;
}

/// Whether a value may be that of jit.poison, given or not.
static bool mayBePoison(Value value) {
  Operation *op = value.getDefiningOp();
  auto branch = dyn_cast_or_null<scf::IfOp>(op);
  if (!branch)
    return isa_and_nonnull<PoisonOp>(op);
  unsigned number = cast<OpResult>(value).getResultNumber();
  return mayBePoison(branch.thenYield().getOperand(number)) ||
         mayBePoison(branch.elseYield().getOperand(number));
}

bool Differ::isPoison(Value value) const {
  auto branch = value.getDefiningOp<scf::IfOp>();
  if (!branch)
    return mayBePoison(value);
  auto condition = valueOf(branch.getCondition());
  const bool *isTrue = condition ? condition->getIf<bool>() : nullptr;
  if (!isTrue)
    return mayBePoison(value);
  auto yield = *isTrue ? branch.thenYield() : branch.elseYield();
  return mayBePoison(yield.getOperand(cast<OpResult>(value).getResultNumber()));
}

std::optional<std::vector<runtime::Value>> Differ::operandsOf(const Operator &what) const {
  std::vector<runtime::Value> operands;
  for (Value input : what.inputs) {
    auto found = values.find(input);
    if (found == values.end())
      return std::nullopt;
    operands.push_back(found->second);
  }
  return operands;
}

bool Differ::isSameAlone(Operator &what, std::span<const runtime::Value> operands,
                         size_t result) const {
  if (!what.own)
    const_cast<Differ *>(this)->compileOperators(what, /*isWide=*/false);
  if (!what.own)
    return false;
  auto alone = what.own->run(operands);
  return alone &&
         !compareByPlain((*alone)[result], values.lookup(what.results[result]), (*alone)[result]);
}

/// What it is in the program: elements that a list is made of come from what made the list.
static Operation *namedOperation(Operation *op) {
  while (isa<ListUnpackOp, TupleUnpackOp>(op) && op->getOperand(0).getDefiningOp())
    op = op->getOperand(0).getDefiningOp();
  return op;
}

WrongOperator describeOperation(Operation *op) {
  WrongOperator wrong;
  op = namedOperation(op);
  wrong.name = operatorNameOf(op).str();
  wrong.place = describeLocation(op->getLoc());
  llvm::raw_string_ostream text(wrong.text);
  op->print(text, OpPrintingFlags().skipRegions().elideLargeElementsAttrs().useLocalScope());
  return wrong;
}

std::optional<Mismatch> Differ::judge(Operator &what, WrongOperator &wrong) {
  auto operands = operandsOf(what);
  runtime::Executor *reference = what.wide ? what.wide.get() : what.own.get();
  if (!operands || !reference) {
    if (what.whyNot.empty())
      what.whyNot = "expected operands that a call gives";
    return std::nullopt;
  }
  bool isPointwise = isa<PointwiseOpInterface>(what.op);
  auto expected = Expectation::make(*reference, *operands, bool(what.wide), isPointwise);
  if (!expected) {
    what.whyNot = expected.error().str();
    return std::nullopt;
  }
  bool isFast =
      options.numerics == Numerics::Fast && what.op->getName().getStringRef().contains("conv");
  for (size_t i = 0; i < what.results.size(); ++i) {
    if (isPoison(what.results[i]))
      continue;
    auto mismatch = expected->judge(i, values.lookup(what.results[i]), isFast);
    if (!mismatch)
      continue;
    bool isSame = isSameAlone(what, *operands, i);
    // What overflows in the program's own precision does so by the program's fault.
    if (isSame && !std::isfinite(mismatch->got) && mismatch->note.empty())
      continue;
    wrong = describeOperation(what.op);
    wrong.result = int64_t(i);
    wrong.found = isSame ? "alone it is wrong as well: look at what makes its code"
                         : "alone it is right: look at what is done to the graph around it";
    return mismatch;
  }
  return std::nullopt;
}

std::optional<Mismatch> Differ::judgeByRecorded(Operator &what, WrongOperator &wrong) {
  auto mismatch = recorded->judge(what.op, values.lookup(what.results[0]));
  if (!mismatch)
    return std::nullopt;
  wrong = describeOperation(what.op);
  wrong.found =
      "PyTorch has recorded something else; of what it was given it makes the same in f64";
  return mismatch;
}

/// Results that no operator is to blame for by itself: the first, as what gives it.
std::optional<WrongOperator> Differ::judgeResults() const {
  auto operands = block->getTerminator()->getOperands();
  for (auto [number, operand] : llvm::enumerate(operands)) {
    auto got = valueOf(operand);
    auto mismatch = got && operand.getDefiningOp() && !isPoison(operand)
                        ? recorded->judgeResult(number, operands.size(), *got)
                        : std::nullopt;
    if (!mismatch)
      continue;
    WrongOperator wrong = describeOperation(operand.getDefiningOp());
    wrong.result = cast<OpResult>(operand).getResultNumber();
    wrong.mismatch = std::move(*mismatch);
    wrong.found = "PyTorch has recorded something else as result " + std::to_string(number) +
                  "; of what they are given all operators make the same in f64: look at the "
                  "stages before, and at what reads the program";
    return wrong;
  }
  return std::nullopt;
}

Result<std::optional<WrongOperator>> Differ::check(const std::vector<runtime::Value> &inputs,
                                                   DiffReport &report) {
  if (auto done = run(inputs); !done)
    return done.takeError();
  compileForCall();
  for (Operator &what : operators) {
    WrongOperator wrong;
    auto mismatch = judge(what, wrong);
    if (!mismatch && recorded)
      mismatch = judgeByRecorded(what, wrong);
    if (!what.whyNot.empty())
      report.notCompared.push_back(describeLocation(what.op->getLoc()) + ": " +
                                   operatorNameOf(what.op).str() + ": " + what.whyNot);
    else
      ++report.compared;
    if (!mismatch)
      continue;
    wrong.mismatch = std::move(*mismatch);
    if (what.op->getNumRegions()) {
      auto inner = checkInside(*this, what.op, report);
      if (inner && *inner)
        return inner;
      wrong.found += inner ? "; its operators are right when they stand alone"
                           : "; its inside cannot stand alone: " + inner.error().str();
    }
    return std::optional(std::move(wrong));
  }
  if (recorded)
    if (auto wrong = judgeResults())
      return std::optional(std::move(*wrong));
  return checkWhole(*this, inputs);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

Result<DiffReport> findWrongOperator(const CallProgram &call, const DiffOptions &options) {
  auto differ = Differ::make(*call.module, call.entry, options);
  if (!differ)
    return differ.takeError();
  DiffReport report;
  auto wrong = (*differ)->check(call.inputs, report);
  if (!wrong)
    return wrong.takeError();
  report.wrong = std::move(*wrong);
  return report;
}

} // namespace jit
