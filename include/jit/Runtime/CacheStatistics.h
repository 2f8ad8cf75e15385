//===- CacheStatistics.h - what became of look-ups --------------*- C++ -*-===//
#ifndef JIT_RUNTIME_CACHESTATISTICS_H
#define JIT_RUNTIME_CACHESTATISTICS_H

#include <cstdint>

namespace jit::runtime {

/// Each look-up counts once as a hit, a miss, a wait or generic.
struct CacheStatistics {
  uint64_t hits = 0;      ///< found
  uint64_t misses = 0;    ///< compiled by this call, or failed to
  uint64_t waits = 0;     ///< found while another thread was compiling it
  uint64_t generic = 0;   ///< sent to the generic variant
  uint64_t compiles = 0;  ///< variants made, the generic one too
  uint64_t loads = 0;     ///< those of them that were found in a cache on disk
  uint64_t failures = 0;  ///< compilations that gave an error
  uint64_t evictions = 0; ///< variants given up for others
  uint64_t optimised = 0; ///< variants whose optimised code has taken a baseline's place
  uint64_t stayed = 0;    ///< those that stay with a baseline's: optimising it gave an error
};

} // namespace jit::runtime

#endif // JIT_RUNTIME_CACHESTATISTICS_H
