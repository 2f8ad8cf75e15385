//===- ArchiveWriter.h - small archives for tests ---------------*- C++ -*-===//
//
// Writes zips and pickles byte by byte, so that tests can also write bad ones.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_UNITTESTS_ARCHIVE_ARCHIVEWRITER_H
#define JIT_UNITTESTS_ARCHIVE_ARCHIVEWRITER_H

#include "jit/Archive/TorchScriptArchive.h"
#include "jit/Archive/ZipFile.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jit::test {

struct Member {
  std::string name;
  std::string bytes;
  bool deflate = false;
};

/// A zip of \p members, named as given (with their root folder).
std::string writeZip(const std::vector<Member> &members);

/// Overwrites the little-endian number of \p size bytes at \p at.
void patch(std::string &bytes, size_t at, uint64_t value, unsigned size);
/// Where the local and the central header of \p name begin in the zip \p bytes.
size_t findLocalHeader(const std::string &bytes, const std::string &name);
size_t findCentralHeader(const std::string &bytes, const std::string &name);

/// Pieces of pickles: each leaves one value on the stack.
std::string pickleText(const std::string &text);
std::string pickleInt(int64_t value);
std::string pickleGlobal(const std::string &module, const std::string &name);
std::string pickleTuple(const std::vector<std::string> &items);
std::string pickleList(const std::vector<std::string> &items);
std::string pickleCall(const std::string &module, const std::string &name, const std::string &args);
/// \p attributes are names and values.
std::string pickleObject(const std::string &module, const std::string &name,
                         const std::vector<std::pair<std::string, std::string>> &attributes);
std::string pickleStorage(const std::string &storageClass, const std::string &key, int64_t count);
std::string pickleTensor(const std::string &storage, int64_t offset,
                         const std::vector<int64_t> &sizes, const std::vector<int64_t> &strides);
/// A whole pickle of one value.
std::string pickle(const std::string &value);

/// The members of a module of class __torch__.M, with these attributes and this code.
struct ModuleFiles {
  std::string data = pickle(pickleObject("__torch__", "M", {}));
  std::string constants = pickle(")");
  std::string code = "class M(Module):\n  def forward(self: __torch__.M) -> int:\n    return 1\n";
  std::string version = "3\n";
  std::vector<Member> more;

  std::vector<Member> members() const;
};

Result<TorchScriptArchive> openArchive(const ModuleFiles &files, const ArchiveLimits &limits = {});
Result<ZipFile> openZip(const std::string &bytes, const ArchiveLimits &limits = {});

} // namespace jit::test

#endif // JIT_UNITTESTS_ARCHIVE_ARCHIVEWRITER_H
