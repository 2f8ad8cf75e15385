//===- CacheFolder.h - where records may be kept ----------------*- C++ -*-===//
#ifndef JIT_LIB_SESSION_CACHEFOLDER_H
#define JIT_LIB_SESSION_CACHEFOLDER_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"

#include <optional>
#include <string>

namespace jit {

struct CacheFolder {
  std::string path;
  uint64_t limit; ///< bytes of all that is kept
};

/// What DiskCache::open says of a setting. The folder is there.
std::optional<CacheFolder> cacheFolder(const std::string &setting);

/// Why somebody else could have written what is there: nothing where nobody could.
std::optional<std::string> refusalOf(const llvm::sys::fs::file_status &status,
                                     llvm::sys::fs::file_type expected);

/// Says on stderr why there is no cache; the first time that this is called.
void warnOnce(const llvm::Twine &why);

} // namespace jit

#endif // JIT_LIB_SESSION_CACHEFOLDER_H
