//===- DebugRanges.h - from printed code to the user's Python ---*- C++ -*-===//
//
// Reads code/**.py.debug_pkl: which part of which original file each byte of the code came from.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_DEBUGRANGES_H
#define JIT_ARCHIVE_DEBUGRANGES_H

#include "jit/Archive/Limits.h"
#include "jit/Archive/SharedBytes.h"
#include "jit/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jit {

/// A place in the original program.
struct PythonLocation {
  std::string file;
  /// From 1.
  int64_t line = 0;
  int64_t column = 0;
  /// That line, without the newline.
  std::string text;
};

class DebugRanges {
public:
  /// \p member names the bytes in errors.
  static Result<DebugRanges> read(std::string_view member, SharedBytes bytes,
                                  const ArchiveLimits &limits = {});

  /// Where the code at byte \p offset came from; nothing if it is not known.
  std::optional<PythonLocation> find(uint32_t offset) const;

private:
  struct Entry {
    int64_t offset;
    int64_t begin;
    uint32_t source;
  };
  /// A piece of an original file: consecutive lines, by index into texts.
  struct Source {
    std::vector<uint32_t> pieces;
    std::string_view file;
    int64_t firstLine;
  };

  friend class DebugRangesReader;
  SharedBytes keep;
  std::vector<std::string_view> texts;
  std::vector<Source> sources;
  std::vector<Entry> entries;
};

} // namespace jit

#endif // JIT_ARCHIVE_DEBUGRANGES_H
