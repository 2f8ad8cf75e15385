//===- SeededFault.h - miscompiles on purpose, for tests --------*- C++ -*-===//
#ifndef JIT_TOOLS_JIT_DIFF_SEEDEDFAULT_H
#define JIT_TOOLS_JIT_DIFF_SEEDEDFAULT_H

#include "jit/Diff/Diff.h"

namespace jit {

/// Makes the optimised program wrong: `text` is "after=STAGE" and the options of the pass
/// `jit-seed-fault`. Empty: leaves it alone.
Result<void> seedFault(const std::string &text, DiffOptions &options);

} // namespace jit

#endif // JIT_TOOLS_JIT_DIFF_SEEDEDFAULT_H
