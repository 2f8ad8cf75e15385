//===- Inside.cpp - operators in branches and loops -----------------------===//

#include "Inside.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

/// Trips that are looked at: a fault that is in a later one alone stays with the loop.
static constexpr int64_t maxTrips = 1000;

namespace {

/// A block as a program, called on what the program around it has.
class BlockProgram {
public:
  static Result<std::optional<BlockProgram>> make(const Differ &outside, Block &block) {
    BlockProgram made;
    Cutter cutter(outside.module(), [&](Value value) { return outside.givenType(value); });
    auto part = cutter.cutBlock(block, "inside", made.ends);
    if (failed(part))
      return std::optional<BlockProgram>();
    for (Value input : ArrayRef(part->inputs).drop_front(block.getNumArguments()))
      made.captured.push_back(*outside.valueOf(input));
    made.program = cutter.take();
    DiffOptions options = outside.settings();
    options.recorded = nullptr; // of the values in a trip nothing is
    auto differ = Differ::make(*made.program, "inside", options);
    if (!differ)
      return differ.takeError();
    made.differ = std::move(*differ);
    made.count = block.getTerminator()->getNumOperands();
    return std::optional(std::move(made));
  }

  /// Judges a call of the block; `given` are its arguments.
  Result<std::optional<WrongOperator>> check(std::vector<runtime::Value> given,
                                             DiffReport &report) {
    llvm::append_range(given, captured);
    return differ->check(given, report);
  }

  /// What the block ended with; None for what no call can give.
  std::vector<runtime::Value> results() const {
    std::vector<runtime::Value> all(count);
    auto given = differ->results();
    for (auto [number, value] : llvm::zip(ends, given))
      all[number] = value;
    return all;
  }

private:
  OwningOpRef<ModuleOp> program;
  std::unique_ptr<Differ> differ;
  std::vector<runtime::Value> captured;
  SmallVector<unsigned> ends;
  size_t count = 0;
};

/// The search in one operation.
class InsideCheck {
public:
  InsideCheck(const Differ &outside, Operation *op, DiffReport &report)
      : outside(outside), op(op), report(report) {}

  using Found = Result<std::optional<WrongOperator>>;

  Found check() {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return checkIf(branch);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return checkFor(loop);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return checkWhile(loop);
    return std::optional<WrongOperator>();
  }

private:
  std::optional<std::vector<runtime::Value>> valuesOf(ValueRange range) const {
    std::vector<runtime::Value> found;
    for (Value value : range) {
      auto known = outside.valueOf(value);
      if (!known)
        return std::nullopt;
      found.push_back(*known);
    }
    return found;
  }

  std::string place(StringRef what) const {
    return what.str() + " at " + describeLocation(op->getLoc());
  }

  static Found inside(Found found, std::string where) {
    if (found && *found)
      (**found).inside.insert((**found).inside.begin(), std::move(where));
    return found;
  }

  Found checkIf(scf::IfOp branch) {
    auto condition = outside.valueOf(branch.getCondition());
    const bool *isTrue = condition ? condition->getIf<bool>() : nullptr;
    if (!isTrue)
      return std::optional<WrongOperator>();
    auto block = BlockProgram::make(outside, *(*isTrue ? branch.thenBlock() : branch.elseBlock()));
    if (!block)
      return block.takeError();
    if (!*block)
      return std::optional<WrongOperator>();
    return inside((**block).check({}, report),
                  place(*isTrue ? "the first way of the branch" : "the second way of the branch"));
  }

  Found checkFor(scf::ForOp loop) {
    auto bounds = valuesOf({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    auto carried = valuesOf(loop.getInitArgs());
    auto block = BlockProgram::make(outside, *loop.getBody());
    if (!block)
      return block.takeError();
    if (!bounds || !carried || !*block)
      return std::optional<WrongOperator>();
    auto bound = [&](int i) { return *(*bounds)[i].getIf<int64_t>(); };
    for (int64_t trip = 0, at = bound(0); trip < maxTrips && at < bound(1);
         ++trip, at += bound(2)) {
      std::vector<runtime::Value> given{runtime::Value(at)};
      llvm::append_range(given, *carried);
      auto found = (**block).check(std::move(given), report);
      if (!found || *found)
        return inside(std::move(found),
                      "trip " + std::to_string(trip) + " of " + place("the loop"));
      *carried = (**block).results();
    }
    return std::optional<WrongOperator>();
  }

  Found checkWhile(scf::WhileOp loop) {
    auto carried = valuesOf(loop.getInits());
    auto before = BlockProgram::make(outside, loop.getBefore().front());
    if (!before)
      return before.takeError();
    auto after = BlockProgram::make(outside, loop.getAfter().front());
    if (!after)
      return after.takeError();
    if (!carried || !*before || !*after)
      return std::optional<WrongOperator>();
    for (int64_t trip = 0; trip < maxTrips; ++trip) {
      std::string where = "trip " + std::to_string(trip) + " of " + place("the loop");
      auto found = (**before).check(*carried, report);
      if (!found || *found)
        return inside(std::move(found), where);
      auto results = (**before).results();
      const bool *goesOn = results[0].getIf<bool>();
      if (!goesOn || !*goesOn)
        break;
      found = (**after).check({results.begin() + 1, results.end()}, report);
      if (!found || *found)
        return inside(std::move(found), where);
      *carried = (**after).results();
    }
    return std::optional<WrongOperator>();
  }

  const Differ &outside;
  Operation *op;
  DiffReport &report;
};

} // namespace

Result<std::optional<WrongOperator>> checkInside(const Differ &outside, Operation *op,
                                                 DiffReport &report) {
  return InsideCheck(outside, op, report).check();
}

} // namespace jit
