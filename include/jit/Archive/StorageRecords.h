//===- StorageRecords.h - the bytes of tensors, by their keys ---*- C++ -*-===//
//
// A tensor's storageKey names a member of the archive, or in the older layout of torch.export a
// member of an archive within it: "serialized_state_dict.pt/data/0".
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_STORAGERECORDS_H
#define JIT_ARCHIVE_STORAGERECORDS_H

#include "jit/Archive/ZipFile.h"

#include <map>
#include <vector>

namespace jit {

/// The storage records of an archive, whichever of our formats it has. For one thread at a time.
class StorageRecords {
public:
  static Result<StorageRecords> open(const std::string &path, const ArchiveLimits &limits = {});
  /// The same for bytes in memory. \p name stands for the path in errors.
  static Result<StorageRecords> openBytes(SharedBytes bytes, const std::string &name,
                                          const ArchiveLimits &limits = {});
  explicit StorageRecords(ZipFile zip) : zip(std::move(zip)) {}

  /// The whole record, 64-byte aligned.
  Result<SharedBytes> read(const std::string &key);
  /// The archive that lies in this one as \p member.
  Result<ZipFile> openInner(const std::string &member);

  /// Bytes from which on a record holds weights: importers make no constants of its elements.
  static constexpr uint64_t largeRecord = 512 * 1024;
  /// All that a program may depend on, in parts: the names of members, and their bytes but for
  /// large records, of which it is the size.
  Result<std::vector<SharedBytes>> programParts() const;

private:
  ZipFile zip;
  std::map<std::string, ZipFile> inner;
};

} // namespace jit

#endif // JIT_ARCHIVE_STORAGERECORDS_H
