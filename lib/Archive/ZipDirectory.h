//===- ZipDirectory.h - where a zip's members lie in the file ---*- C++ -*-===//
//
// libzip does not tell where a member's data begins, and without that a stored member cannot be
// used in place. So the central directory is walked here as well, with every bound checked.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_ARCHIVE_ZIPDIRECTORY_H
#define JIT_LIB_ARCHIVE_ZIPDIRECTORY_H

#include "jit/Result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jit {

struct ZipEntry {
  /// A view into the archive's bytes.
  std::string_view name;
  uint16_t flags = 0;
  uint16_t method = 0;
  uint64_t compressedSize = 0;
  uint64_t size = 0;
  /// The data is [dataOffset, dataOffset + compressedSize), which lies inside the archive.
  uint64_t dataOffset = 0;
};

/// All entries in the order of the central directory. \p archive names the bytes in errors.
Result<std::vector<ZipEntry>> readZipDirectory(std::span<const std::byte> bytes,
                                               const std::string &archive);

} // namespace jit

#endif // JIT_LIB_ARCHIVE_ZIPDIRECTORY_H
