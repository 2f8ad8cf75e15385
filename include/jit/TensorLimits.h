//===- TensorLimits.h - how large a tensor may be ---------------*- C++ -*-===//
#ifndef JIT_TENSORLIMITS_H
#define JIT_TENSORLIMITS_H

#include <cstdint>

namespace jit {

/// PyTorch's own operators take no more. Every reader refuses what has more, since time and memory
/// of most stages grow with the rank.
inline constexpr uint32_t maxTensorRank = 64;

/// The bytes of so many elements, and of any part of them, can be counted whatever their type.
inline constexpr int64_t maxTensorElements = int64_t(1) << 58;

} // namespace jit

#endif // JIT_TENSORLIMITS_H
