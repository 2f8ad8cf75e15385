//===- Reduce.cpp - a program as small as it still fails ------------------===//

#include "jit/Diff/Reduce.h"
#include "Candidates.h"
#include "Compiled.h"
#include "Cut.h"
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace jit {

static bool isOperator(Operation *op) {
  return !isa<ModuleOp, func::FuncOp, SlotOp, SlotGetOp, ListOp>(op) &&
         !op->hasTrait<OpTrait::ConstantLike>() && !op->hasTrait<OpTrait::IsTerminator>();
}

unsigned countOperators(ModuleOp program) {
  unsigned count = 0;
  program.walk([&](Operation *op) { count += isOperator(op); });
  return count;
}

namespace {

class Reducer {
public:
  Reducer(CallProgram program, const ReduceOptions &options)
      : current(std::move(program)), options(options) {}

  Result<CallProgram> reduce() {
    if (!options.isInteresting(current))
      return Error{ErrorCode::InvalidArgument, "expected a program that shows what is looked for"};
    giveWeights();
    unsigned before;
    do {
      before = size();
      chooseResult();
      giveValues();
      takeBlocks();
      dropOperations();
      canonicalize();
      dropResults();
    } while (size() < before);
    shrinkSizes();
    return std::move(current);
  }

private:
  /// What is to become less: operations, and results.
  unsigned size() const {
    unsigned count = 0;
    ModuleOp(current.module.get()).walk([&](Operation *) { ++count; });
    return count + entryOf(current).getNumResults();
  }

  bool attempt(std::optional<CallProgram> candidate, const char *step) {
    if (!candidate)
      return false;
    {
      CapturedErrors errors(candidate->module->getContext());
      removeUnused(*candidate);
      if (failed(verify(*candidate->module)))
        return false;
    }
    if (!options.isInteresting(*candidate))
      return false;
    current = std::move(*candidate);
    if (options.progress)
      options.progress(std::string(step) + ": " + std::to_string(countOperators(*current.module)) +
                       " operators");
    return true;
  }

  /// The archive is left behind: what it holds become arguments.
  void giveWeights() {
    KnownValues weights;
    auto operations = operationsOf(current);
    for (auto [number, op] : llvm::enumerate(operations))
      if (auto slot = dyn_cast<SlotGetOp>(op); slot && isCallType(slot.getType()))
        if (auto weight = current.weights(slot.getSlot().str()))
          weights[{number, 0}] = runtime::Value(std::move(*weight));
    attempt(withArguments(current, 0, operations.size(), weights), "weights");
  }

  /// The earliest value that is enough.
  void chooseResult() {
    auto operations = operationsOf(current);
    for (auto [number, op] : llvm::enumerate(operations))
      for (unsigned i = 0; i < op->getNumResults(); ++i) {
        bool isLast = number + 1 == operations.size() && entryOf(current).getNumResults() == 1;
        if (canBeShown(op->getResult(i)) && !isLast &&
            attempt(withResult(current, {number, i}), "one result"))
          return;
      }
  }

  /// All values of a call that is not optimised; none where it fails, or would end the process.
  KnownValues valuesOfCall() {
    bool isSafe = !options.endsWell || options.endsWell([this] { runPlainly(); });
    return isSafe ? runPlainly() : KnownValues();
  }

  KnownValues runPlainly() {
    KnownValues known;
    auto shown = shownValues(entryOf(current));
    auto numbers = llvm::to_vector(llvm::seq<unsigned>(0, shown.size()));
    auto program = withResults(*current.module, current.entry, numbers, /*keepResults=*/false);
    // There are values up to where the call raises.
    program->walk([](GuardOp guard) { guard.erase(); });
    auto compiled = Compiled::make(std::move(program), Form::Plain, options.plain);
    if (!compiled)
      return known;
    auto executor = compiled->entry(current.entry);
    if (!executor)
      return known;
    auto values = (*executor)->run(current.inputs);
    if (!values)
      return known;
    size_t next = 0;
    for (auto [number, op] : llvm::enumerate(operationsOf(current)))
      for (OpResult result : op->getResults())
        if (canBeShown(result))
          known[{number, result.getResultNumber()}] = (*values)[next++];
    return known;
  }

  /// Values in place of what computes them: of many operations at once, then of fewer.
  void giveValues() {
    for (size_t chunk = operationsOf(current).size(); chunk > 0; chunk /= 2) {
      KnownValues known = valuesOfCall();
      // From the end: what the last ones read is then an argument, and all before it goes.
      for (size_t last = operationsOf(current).size(); last > 0;) {
        size_t first = last > chunk ? last - chunk : 0;
        if (attempt(withArguments(current, first, last, known), "values as arguments")) {
          known = valuesOfCall();
          last = std::min(first, operationsOf(current).size());
        } else {
          last = first;
        }
      }
    }
  }

  /// One way of a branch, one trip of a loop.
  void takeBlocks() {
    for (unsigned number = 0; number < operationsOf(current).size(); ++number)
      for (unsigned region = 0; region < operationsOf(current)[number]->getNumRegions(); ++region)
        if (attempt(withBlock(current, number, region), "one way")) {
          number = -1u; // what was inside may have blocks of its own
          break;
        }
  }

  void dropOperations() {
    for (unsigned number = 0;; ++number) {
      unsigned count = 0;
      entryOf(current).walk([&](Operation *) { ++count; });
      if (number >= count)
        return;
      while (attempt(withoutOperation(current, number), "left out"))
        ;
    }
  }

  void canonicalize() {
    CallProgram copy = copyOf(current);
    PassManager pm(copy.module->getContext());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
    unsigned before = countOperators(*copy.module);
    if (succeeded(pm.run(*copy.module)) && countOperators(*copy.module) < before)
      attempt(std::move(copy), "folded");
  }

  void dropResults() {
    for (unsigned number = entryOf(current).getNumResults(); number-- > 0;)
      attempt(withoutResult(current, number), "a result less");
  }

  void shrinkSizes() {
    llvm::SetVector<int64_t> sizes;
    for (Value argument : entryOf(current).getArguments())
      if (auto type = dyn_cast<TensorType>(argument.getType()); type && type.hasStaticSizes())
        sizes.insert(type.getSizes().begin(), type.getSizes().end());
    for (int64_t size : sizes)
      for (int64_t from = size, to = 1; to < from;)
        if (attempt(withSize(current, from, to), "smaller"))
          break;
        else
          to = to * 2 < from ? to * 2 : from;
  }

  CallProgram current;
  const ReduceOptions &options;
};

} // namespace

Result<CallProgram> reduceProgram(CallProgram program, const ReduceOptions &options) {
  return Reducer(std::move(program), options).reduce();
}

} // namespace jit
