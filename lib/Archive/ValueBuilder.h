//===- ValueBuilder.h - values from an inert pickle -------------*- C++ -*-===//
#ifndef JIT_LIB_ARCHIVE_VALUEBUILDER_H
#define JIT_LIB_ARCHIVE_VALUEBUILDER_H

#include "TensorStorage.h"

#include <deque>
#include <optional>
#include <vector>

namespace jit {

/// Owns the compound values of one archive.
struct ArchiveValues {
  std::deque<ArchiveString> strings;
  std::deque<ArchiveDevice> devices;
  std::deque<ArchiveTensor> tensors;
  std::deque<ArchiveQuantizedTensor> quantizedTensors;
  std::deque<ArchiveList> lists;
  std::deque<ArchiveTuple> tuples;
  std::deque<ArchiveDict> dicts;
  std::deque<ArchiveObject> objects;
  std::deque<ArchiveEnum> enums;
};

/// Gives a meaning to the names that TorchScript's pickles use, and to no others. Works through a
/// list of containers still to be filled rather than by recursion.
class ValueBuilder {
public:
  ValueBuilder(const PickleTree &tree, TensorStorage &storage, ArchiveValues &values)
      : tree(tree), storage(storage), values(values), built(tree.size()) {}

  Result<ArchiveValue> run();

private:
  /// A container that exists, whose contents are those of the node.
  struct Pending {
    PickleRef ref;
    ArchiveList *list = nullptr;
    ArchiveTuple *tuple = nullptr;
    ArchiveDict *dict = nullptr;
    ArchiveObject *object = nullptr;
  };

  Error unsupported(PickleRef ref, std::string message) const;
  Error malformed(PickleRef ref, std::string message) const;

  Result<ArchiveValue> valueOf(PickleRef ref);
  Result<ArchiveValue> make(PickleRef ref);
  Result<ArchiveValue> makeObject(PickleRef ref);
  Result<ArchiveValue> makeCall(PickleRef ref);
  Result<ArchiveValue> makeTypedList(PickleRef ref, std::string_view type);
  Result<ArchiveValue> makeTagged(PickleRef ref);
  Result<ArchiveValue> makeEnum(PickleRef ref);
  Result<ArchiveValue> makeComplex(PickleRef ref);
  Result<ArchiveValue> makeDevice(PickleRef ref);
  Result<ArchiveValue> makeContainer(PickleRef ref, std::string type);

  Result<void> fill(const Pending &pending);
  Result<void> fillItems(const std::vector<PickleRef> &refs, std::vector<ArchiveValue> &items);
  Result<void> fillDict(PickleRef ref, ArchiveDict &dict);
  Result<void> fillObject(PickleRef ref, ArchiveObject &object);

  const PickleTree &tree;
  TensorStorage &storage;
  ArchiveValues &values;
  std::vector<std::optional<ArchiveValue>> built;
  std::vector<Pending> pending;
};

} // namespace jit

#endif // JIT_LIB_ARCHIVE_VALUEBUILDER_H
