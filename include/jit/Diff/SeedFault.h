//===- SeedFault.h - miscompiles on purpose, for tests ----------*- C++ -*-===//
#ifndef JIT_DIFF_SEEDFAULT_H
#define JIT_DIFF_SEEDFAULT_H

#include "jit/Diff/Diff.h"

namespace jit {

/// Makes the optimised program wrong, so that tests see what tells of it: `text` is "after=STAGE"
/// and then what is done to which operator (SeedFault.cpp). Empty: leaves it alone.
Result<void> seedFault(const std::string &text, DiffOptions &options);

} // namespace jit

#endif // JIT_DIFF_SEEDFAULT_H
