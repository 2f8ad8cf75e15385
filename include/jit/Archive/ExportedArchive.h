//===- ExportedArchive.h - what torch.export saved, opened ------*- C++ -*-===//
//
// Both layouts of a `.pt2` file: the one since torch 2.7, with a model, weights and constants in
// folders, and the one before, with torch.save's archives inside. Sample inputs are never read.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_EXPORTEDARCHIVE_H
#define JIT_ARCHIVE_EXPORTEDARCHIVE_H

#include "jit/Archive/ArchiveValue.h"
#include "jit/Archive/ExportedProgram.h"

#include <memory>
#include <string>
#include <string_view>

namespace jit {

/// A handle: copies share one archive; tensors' bytes live on by themselves.
class ExportedArchive {
public:
  /// Whether the zip at \p path names what torch.export writes; false for what is no zip.
  static bool recognizes(SharedBytes bytes, const std::string &name);

  static Result<ExportedArchive> open(const std::string &path, const ArchiveLimits &limits = {});
  /// The same for bytes in memory. \p name stands for the path in errors.
  static Result<ExportedArchive> openBytes(SharedBytes bytes, const std::string &name,
                                           const ArchiveLimits &limits = {});

  const exported::Program &program() const;
  /// The parameter, buffer or constant \p name; null if there is none.
  const ArchiveTensor *findTensor(std::string_view name) const;

private:
  class Impl;
  explicit ExportedArchive(std::shared_ptr<const Impl> impl) : impl(std::move(impl)) {}
  std::shared_ptr<const Impl> impl;
};

} // namespace jit

#endif // JIT_ARCHIVE_EXPORTEDARCHIVE_H
