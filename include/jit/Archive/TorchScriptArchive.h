//===- TorchScriptArchive.h - a saved ScriptModule, opened ------*- C++ -*-===//
//
// What torch.jit.save wrote, or _save_for_lite_interpreter in either form, without libtorch: the
// tree of objects, the constants, the code parsed on demand, and where each piece of code came
// from.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_TORCHSCRIPTARCHIVE_H
#define JIT_ARCHIVE_TORCHSCRIPTARCHIVE_H

#include "jit/Archive/ArchiveValue.h"
#include "jit/Archive/DebugRanges.h"
#include "jit/Archive/Limits.h"
#include "jit/Archive/SharedBytes.h"
#include "jit/Archive/TorchScriptAst.h"
#include "jit/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jit {

/// A handle: copies share one archive, which lives as long as any of them; tensors' bytes live on
/// by themselves. Code is parsed and cached at first look-up, so one archive serves one thread at a
/// time.
class TorchScriptArchive {
public:
  static Result<TorchScriptArchive> open(const std::string &path, const ArchiveLimits &limits = {});
  /// The same for bytes in memory. \p name stands for the path in errors.
  static Result<TorchScriptArchive> openBytes(SharedBytes bytes, const std::string &name,
                                              const ArchiveLimits &limits = {});

  /// Whether it is the flatbuffer form, which is no zip.
  static bool recognizesMobile(const SharedBytes &bytes);

  /// The file format's version, which also says which operator upgraders apply.
  int64_t version() const;
  /// The module that was saved.
  const ArchiveObject &root() const;
  /// `CONSTANTS.cN` is element N.
  std::span<const ArchiveValue> constants() const;
  /// All members' names without the root folder, in the archive's order.
  std::vector<std::string> members() const;
  /// The bytes of one member, e.g. "extra/notes.txt".
  Result<SharedBytes> read(std::string_view member) const;

  /// The class or function `__torch__.a.b.C`, which stands in code/__torch__/a/b.py. NotFound if
  /// the file or the name in it is missing; the parser's error if the file is bad.
  Result<const torchscript::ClassDef *> findClass(std::string_view qualifiedName) const;
  Result<const torchscript::FunctionDef *> findFunction(std::string_view qualifiedName) const;
  /// The file of `__torch__.a.b.C`, parsed.
  Result<const torchscript::SourceFile *> findFile(std::string_view qualifiedName) const;

  /// Where the code at \p position of \p file came from in the user's Python; nothing if the
  /// archive does not say.
  std::optional<PythonLocation> locate(const torchscript::SourceFile &file,
                                       torchscript::Position position) const;

private:
  class Impl;
  explicit TorchScriptArchive(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  std::shared_ptr<Impl> impl;
};

} // namespace jit

#endif // JIT_ARCHIVE_TORCHSCRIPTARCHIVE_H
