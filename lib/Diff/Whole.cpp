//===- Whole.cpp - faults that are there only when nobody looks -----------===//

#include "Whole.h"
#include "Judge.h"
#include "Numbers.h"
#include "mlir/Transforms/RegionUtils.h"

#include <bit>
#include <cstring>

using namespace mlir;

namespace jit {

namespace {

/// Values of the program when they are the only results, against those when all are.
class WholeCheck {
public:
  WholeCheck(const Differ &shown, const std::vector<runtime::Value> &inputs)
      : shown(shown), inputs(inputs) {}

  using Found = Result<std::optional<WrongOperator>>;

  Found check() {
    auto results = runWith({}, /*keepResults=*/true, Form::Optimised);
    if (!results)
      return results.takeError();
    if (sameBits(*results, shown.results()))
      return std::optional<WrongOperator>();
    if (auto done = runPlainly(); !done)
      return done.takeError();
    Operation *end = shown.function().front().getTerminator();
    for (auto [operand, got] : llvm::zip(end->getOperands(), *results)) {
      auto mismatch = compare(operand, got);
      if (mismatch && operand.getDefiningOp())
        return walkBack(operand, std::move(*mismatch));
    }
    return std::optional<WrongOperator>();
  }

private:
  static bool sameBits(const std::vector<runtime::Value> &a, const std::vector<runtime::Value> &b) {
    return llvm::all_of(llvm::zip(a, b), [](auto pair) {
      auto &[x, y] = pair;
      auto *first = x.template getIf<runtime::Tensor>();
      auto *second = y.template getIf<runtime::Tensor>();
      if (first && second)
        return first->type() == second->type() && first->sizes() == second->sizes() &&
               !std::memcmp(first->data(), second->data(), first->byteSize());
      Numbers one(x), other(y);
      return one.size() == other.size() &&
             (!one.size() || std::bit_cast<int64_t>(one[0]) == std::bit_cast<int64_t>(other[0]));
    });
  }

  Result<std::vector<runtime::Value>> runWith(ArrayRef<unsigned> numbers, bool keepResults,
                                              Form form) {
    auto compiled = Compiled::make(
        withResults(shown.module(), shown.function().getName(), numbers, keepResults), form,
        shown.settings());
    if (!compiled)
      return compiled.takeError();
    auto executor = compiled->entry(shown.function().getName());
    return executor ? (*executor)->run(inputs) : executor.takeError();
  }

  /// All values as the program has them in its own precision, not optimised.
  Result<void> runPlainly() {
    values = shownValues(shown.function());
    auto numbers = llvm::to_vector(llvm::seq<unsigned>(0, values.size()));
    auto results = runWith(numbers, /*keepResults=*/false, Form::Plain);
    if (!results)
      return results.takeError();
    plain = std::move(*results);
    return {};
  }

  std::optional<unsigned> numberOf(Value value) const {
    const auto *found = llvm::find(values, value);
    return found == values.end() ? std::nullopt : std::optional(unsigned(found - values.begin()));
  }

  std::optional<Mismatch> compare(Value value, const runtime::Value &got) const {
    auto number = numberOf(value);
    auto expected = shown.valueOf(value);
    if (!number || !expected || shown.isPoison(value))
      return std::nullopt;
    return compareByPlain(*expected, got, plain[*number]);
  }

  /// The operands, those within lists among them, that can be results.
  void collectOperands(Operation *op, llvm::SetVector<Value> &into) const {
    llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), operands);
    for (Value operand : operands)
      if (numberOf(operand))
        into.insert(operand);
      else if (Operation *maker = operand.getDefiningOp())
        collectOperands(maker, into);
  }

  Found walkBack(Value wrong, Mismatch mismatch) {
    bool isFirst = false;
    while (!isFirst) {
      isFirst = true;
      llvm::SetVector<Value> operands;
      collectOperands(wrong.getDefiningOp(), operands);
      for (Value operand : operands) {
        auto got = runWith({*numberOf(operand)}, /*keepResults=*/false, Form::Optimised);
        if (!got)
          continue;
        auto earlier = compare(operand, got->front());
        if (!earlier)
          continue;
        wrong = operand;
        mismatch = std::move(*earlier);
        isFirst = false;
        break;
      }
    }
    WrongOperator found = describeOperation(wrong.getDefiningOp());
    found.result = cast<OpResult>(wrong).getResultNumber();
    found.mismatch = std::move(mismatch);
    found.found = "it is right while other values are results too: look at what is done to the "
                  "graph around it";
    return std::optional(std::move(found));
  }

  const Differ &shown;
  const std::vector<runtime::Value> &inputs;
  SmallVector<Value> values;
  std::vector<runtime::Value> plain;
};

} // namespace

Result<std::optional<WrongOperator>> checkWhole(const Differ &shown,
                                                const std::vector<runtime::Value> &inputs) {
  return WholeCheck(shown, inputs).check();
}

} // namespace jit
