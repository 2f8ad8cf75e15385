//===- Reduce.h - a program as small as it still fails ----------*- C++ -*-===//
#ifndef JIT_DIFF_REDUCE_H
#define JIT_DIFF_REDUCE_H

#include "jit/Diff/Diff.h"

namespace jit {

struct ReduceOptions {
  /// Whether a candidate still shows what is looked for. It may crash: ask it in a child.
  std::function<bool(const CallProgram &)> isInteresting;
  /// Whether this ends as it should: asked before it is done in this process.
  std::function<bool(const std::function<void()> &)> endsWell = {};
  /// For values that are taken for operators: how programs are run that are not optimised.
  DiffOptions plain;
  /// Told after each step that made the program smaller.
  std::function<void(const std::string &)> progress = {};
};

/// Makes a program small: fewer results, values of a call as arguments in place of what computes
/// them, operators left out, one way of a branch, one trip of a loop, smaller sizes.
/// InvalidArgument where the program is not interesting to begin with.
Result<CallProgram> reduceProgram(CallProgram program, const ReduceOptions &options);

/// The operators of a program: what is no constant, list, argument or end of a block.
unsigned countOperators(mlir::ModuleOp program);

/// Writes a program as MLIR text, `comment` before it, and the tensors of its inputs beside it as
/// PREFIX.N.npy; gives what --input says of each.
Result<std::vector<std::string>> writeProgram(const CallProgram &program, const std::string &path,
                                              const std::string &comment);

} // namespace jit

#endif // JIT_DIFF_REDUCE_H
