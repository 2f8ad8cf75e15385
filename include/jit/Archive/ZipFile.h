//===- ZipFile.h - members of a PyTorch archive -----------------*- C++ -*-===//
//
// PyTorch's archives are zips with everything in one root folder; the flatbuffer form holds the
// same things as they are. Stored members are used where
// they lie in the mapped file; deflated ones are inflated, within a budget that grows with the
// archive.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_ZIPFILE_H
#define JIT_ARCHIVE_ZIPFILE_H

#include "jit/Archive/Limits.h"
#include "jit/Archive/SharedBytes.h"
#include "jit/Result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jit {

/// Where a zip's members lie.
enum class ZipLayout {
  OneFolder, ///< all in one root folder, as PyTorch's own writer puts them
  Flat,      ///< anywhere: there is no root folder
};

/// A part of a file that is no zip.
struct StoredMember {
  std::string name;
  uint64_t offset = 0;
  uint64_t size = 0;
};

/// A handle: copies share one open archive. Not for use by several threads at once.
class ZipFile {
public:
  static Result<ZipFile> open(const std::string &path, const ArchiveLimits &limits = {});
  /// The same for bytes in memory. \p name stands for the path in errors.
  static Result<ZipFile> openBytes(SharedBytes bytes, const std::string &name,
                                   const ArchiveLimits &limits = {},
                                   ZipLayout layout = ZipLayout::OneFolder);
  /// Parts of \p bytes as members without a root folder.
  static Result<ZipFile> ofStored(SharedBytes bytes, const std::string &name,
                                  std::vector<StoredMember> members,
                                  const ArchiveLimits &limits = {});

  /// The folder that all members lie in, without the slash; empty in a flat archive.
  const std::string &root() const;
  /// Names without the root folder, in the order of the archive.
  std::vector<std::string> members() const;
  bool contains(std::string_view member) const;
  /// The bytes of \p member, 0 where there is none of the name.
  uint64_t sizeOf(std::string_view member) const;

  /// The bytes of \p member (without the root folder), refused if more than \p maxSize.
  Result<SharedBytes> read(std::string_view member, uint64_t maxSize = UINT64_MAX) const;
  /// The same, at an address divisible by 64: a stored member that lies elsewhere is copied.
  Result<SharedBytes> readAligned(std::string_view member) const;

  const ArchiveLimits &limits() const;
  /// Bytes that may be unfolded from this archive in all.
  uint64_t budget() const;

private:
  class Impl;
  explicit ZipFile(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  std::shared_ptr<Impl> impl;
};

} // namespace jit

#endif // JIT_ARCHIVE_ZIPFILE_H
