//===- Diff.h - which operator is wrong -------------------------*- C++ -*-===//
//
// A program is run optimised, with all values between its operators as further results. Each
// operator is then judged by what it was given there: it alone, not optimised and in f64, makes the
// value that is expected of it.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIFF_DIFF_H
#define JIT_DIFF_DIFF_H

#include "jit/Session/CallProgram.h"

#include <functional>
#include <optional>

namespace jit {

namespace runtime {
class ThreadPool;
} // namespace runtime

class RecordedValues;

struct DiffOptions {
  Numerics numerics = Numerics::Fast;
  runtime::ThreadPool *pool = nullptr; ///< null: one thread
  runtime::WeightSource weights;
  /// What the operators have to give, as far as it says that; null: nothing more than they do
  /// alone.
  const RecordedValues *recorded = nullptr;
  /// The stage of the pipeline that the optimised program begins with: the one after that which
  /// made the program.
  std::string firstStage = "simplify";
  /// Called after each stage of the optimised program, for tests that make it wrong.
  std::function<llvm::LogicalResult(llvm::StringRef stage, mlir::ModuleOp module)> afterStage = {};
};

/// An element that is not what it has to be.
struct Mismatch {
  std::string type;              ///< "f32[3,4]"
  std::vector<int64_t> position; ///< of the element that is furthest off
  double expected = 0, got = 0, allowed = 0;
  int64_t beyond = 0, elements = 0; ///< how many are off, and of how many
  std::string note = {};            ///< where there are no elements to compare
};

/// The first operator whose result is not what it makes of its operands.
struct WrongOperator {
  std::string name;  ///< "aten.sub.Tensor"
  std::string place; ///< "model.py:12"; empty where nobody knows
  std::string text;  ///< the operation
  int64_t result = 0;
  Mismatch mismatch;
  std::vector<std::string> inside = {}; ///< "trip 3 of the loop at model.py:10", outermost first
  std::string found;                    ///< how it was told that it is wrong
};

/// What a comparison has come to.
struct DiffReport {
  std::optional<WrongOperator> wrong;
  unsigned compared = 0;                     ///< operators
  std::vector<std::string> notCompared = {}; ///< others: "model.py:3: aten.x: why not"
};

/// Finds the first operator that is wrong, in the order of the program. Fails where the program
/// cannot be compiled, or a call of it raises.
Result<DiffReport> findWrongOperator(const CallProgram &program, const DiffOptions &options);

/// Compiles the program optimised and calls it.
Result<std::vector<runtime::Value>> runOptimised(const CallProgram &program,
                                                 const DiffOptions &options);

/// The report as text for people.
std::string describe(const WrongOperator &wrong);

} // namespace jit

#endif // JIT_DIFF_DIFF_H
