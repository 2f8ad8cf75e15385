//===- Limits.h - caps on what one archive may cost -------------*- C++ -*-===//
//
// An archive is somebody else's bytes: whatever it may claim, reading it stays within these.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_LIMITS_H
#define JIT_ARCHIVE_LIMITS_H

#include "jit/TensorLimits.h"

#include <cstddef>
#include <cstdint>

namespace jit {

/// Past any of these, reading gives ErrorCode::LimitExceeded.
struct ArchiveLimits {
  /// All memory filled by inflating (or realigning) members: this much, plus ratio times the
  /// archive's size.
  uint64_t inflateBase = uint64_t(64) << 20;
  uint64_t inflateRatio = 64;
  /// One file of source code or one pickle.
  uint64_t maxSourceBytes = uint64_t(32) << 20;
  uint64_t maxPickleBytes = uint64_t(256) << 20;
  /// Nodes of one pickle, and of the tree that it stands for when shared parts are counted each
  /// time.
  uint64_t maxPickleNodes = uint64_t(1) << 20;
  uint64_t maxExpandedNodes = uint64_t(64) << 20;
  /// One JSON text, and the values in it: so many, beside one for each eight bytes, since a value
  /// in memory is far larger than a digit and a comma.
  uint64_t maxJsonBytes = uint64_t(1) << 30;
  uint64_t maxJsonNodes = uint64_t(1) << 20;
  /// Memory of one file's syntax tree.
  size_t maxAstBytes = size_t(1) << 30;
  /// Nesting of pickled values, of expressions and of statements: whoever walks them may recurse.
  uint32_t maxDepth = 256;
  uint32_t maxTensorRank = jit::maxTensorRank;
};

} // namespace jit

#endif // JIT_ARCHIVE_LIMITS_H
