//===- RestoredObjects.h - what __setstate__ makes of a state ---*- C++ -*-===//
#ifndef JIT_LIB_IMPORT_RESTOREDOBJECTS_H
#define JIT_LIB_IMPORT_RESTOREDOBJECTS_H

#include "Program.h"
#include "llvm/ADT/DenseMap.h"

#include <deque>

namespace jit {

/// Objects that were saved by a __getstate__ of their class, with the attributes that its
/// __setstate__ gives them. Owns what it makes.
class RestoredObjects {
public:
  explicit RestoredObjects(const TorchScriptArchive &archive) : archive(archive) {}

  /// The object with its attributes: the very same for the same object, and for one that was saved
  /// by its attributes. Null, with a reason, where __setstate__ does more than to assign parts of
  /// the state.
  const ArchiveObject *restored(const ArchiveObject &object,
                                const torchscript::ClassDef &definition, std::string &reason);

private:
  class Execution;

  const TorchScriptArchive &archive;
  llvm::DenseMap<const ArchiveObject *, const ArchiveObject *> known;
  std::deque<ArchiveObject> objects;
  std::deque<ArchiveTuple> tuples;
  std::deque<ArchiveList> lists;
  std::deque<ArchiveString> strings;
};

} // namespace jit

#endif // JIT_LIB_IMPORT_RESTOREDOBJECTS_H
