//===- DiskCache.h - what processes leave each other ------------*- C++ -*-===//
//
// Records in a folder of the user's, found by a digest of all that they were made from. Any number
// of processes may use it, and end at any moment: a record appears whole or not at all, and one
// that was altered is none.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_SESSION_DISKCACHE_H
#define JIT_SESSION_DISKCACHE_H

#include "jit/Result.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/MemoryBuffer.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jit {

using CacheKey = std::array<uint8_t, 32>;

/// Makes a key of texts. Each counts with its length: no two lists of texts are the same bytes.
class CacheKeyBuilder {
public:
  CacheKeyBuilder &add(llvm::StringRef text);
  CacheKeyBuilder &add(uint64_t number);
  CacheKey key() const { return hash.final<32>(); }

private:
  mutable llvm::BLAKE3 hash;
};

/// A record that was found: what it says of itself, and what it was made of.
struct CacheRecord {
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  std::vector<llvm::StringRef> parts;
};

class DiskCache {
public:
  /// What a list of all records says of one.
  struct Listed {
    std::string label;
    uint64_t bytes;
    llvm::sys::TimePoint<> used;
  };

  /// The cache that `setting` names: a folder; "off"; or "", the user's own: what the environment's
  /// JIT_CACHE says, else `jit` where the user's programs keep such things. Null where there is
  /// none. A folder that others could have written to is refused, with one warning.
  static std::unique_ptr<DiskCache> open(const std::string &setting);
  /// One that is this object's alone, in a folder that ends with it.
  static Result<std::unique_ptr<DiskCache>> makeTemporary();
  ~DiskCache();

  /// The record of this key, whole and as it was stored, or none.
  std::optional<CacheRecord> find(const CacheKey &key) const;
  /// Keeps a record; `label` is for people. What has been unused for longest goes where the cache
  /// is full. That it cannot be kept is no error.
  void store(const CacheKey &key, llvm::StringRef label, llvm::ArrayRef<llvm::StringRef> parts);

  const std::string &folder() const { return path; }
  /// The one used last comes first. Without the remains of processes that were ended.
  std::vector<Listed> list() const;
  /// Removes all; gives how many records there were.
  Result<size_t> clear();

private:
  DiskCache(std::string path, uint64_t limit, bool isTemporary = false)
      : path(std::move(path)), limit(limit), isTemporary(isTemporary) {}
  std::string fileOf(const CacheKey &key) const;
  void prune() const;

  std::string path;
  uint64_t limit;
  bool isTemporary;
};

} // namespace jit

#endif // JIT_SESSION_DISKCACHE_H
