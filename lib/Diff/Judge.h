//===- Judge.h - how far a result may be from what is expected --*- C++ -*-===//
#ifndef JIT_LIB_DIFF_JUDGE_H
#define JIT_LIB_DIFF_JUDGE_H

#include "jit/Diff/Diff.h"

namespace jit {

/// What the results of an operator may be, by what it gives in f64.
class Expectation {
public:
  /// Calls `reference`, whose floats are f64 if `isWide`, with the operands, and with operands that
  /// differ from them by what rounding may have done: how far its results then move is how far the
  /// right ones may be off. `isPointwise`: that is told for each element, not for all together.
  static Result<Expectation> make(runtime::Executor &reference,
                                  std::span<const runtime::Value> operands, bool isWide,
                                  bool isPointwise);

  /// Whether a result is not that; `fast`: products may lose what docs allow them.
  std::optional<Mismatch> judge(size_t result, const runtime::Value &got, bool isFast) const;

  const std::vector<runtime::Value> &values() const { return expected; }

private:
  double moved(size_t result, int64_t element) const;
  bool flips(size_t result, int64_t element) const;
  double allowed(size_t result, int64_t element, ScalarType type) const;

  std::vector<runtime::Value> expected;
  /// The results of operands moved up and down, in pairs.
  std::vector<std::pair<std::vector<runtime::Value>, std::vector<runtime::Value>>> pairs;
  /// Of each result: how far its elements have moved at most, and the largest of them.
  std::vector<double> movedMost, largestOf;
  bool isPointwise = false;
};

/// Compares two values that differ by roundings; `plain` is a third, made otherwise in the same
/// precision: how far that is off says what rounding does here.
std::optional<Mismatch> compareByPlain(const runtime::Value &expected, const runtime::Value &got,
                                       const runtime::Value &plain);

/// Compares with what PyTorch has made from the same arguments: all roundings on the way count.
std::optional<Mismatch> compareWithRecorded(const runtime::Tensor &expected,
                                            const runtime::Value &got);

} // namespace jit

#endif // JIT_LIB_DIFF_JUDGE_H
