//===- Tier.h - how much is done for a call's code ---------------*- C++ -*-===//
#ifndef JIT_TIER_H
#define JIT_TIER_H

namespace jit {

/// How much LLVM does for the code of calls on a CPU. All give the same values, bit by bit, but
/// for which NaN a NaN is.
enum class Tier {
  Baseline,  ///< its optimiser is left out where no value depends on it
  Optimised, ///< all that it can do
  Both,      ///< a baseline's, until optimised code is there
};

} // namespace jit

#endif // JIT_TIER_H
