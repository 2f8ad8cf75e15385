//===- InliningLimits.h - how far a program may grow ------------*- C++ -*-===//
//
// A few functions that call each other twice stand for more operations than any memory holds.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_INLININGLIMITS_H
#define JIT_INLININGLIMITS_H

#include <cstdint>

namespace jit {

/// Operations that inlining may make, beside so many for each that the program has.
inline constexpr int64_t maxInlinedOperations = 262'144;
inline constexpr int64_t maxInlinedPerOperation = 16;
/// Calls within calls, and branches, loops and calls within each other once all are inlined: stages
/// walk them by recursion.
inline constexpr unsigned maxCallDepth = 1000;
inline constexpr unsigned maxRegionDepth = 512;

} // namespace jit

#endif // JIT_INLININGLIMITS_H
