//===- MobileModule.h - a module in the flatbuffer form ---------*- C++ -*-===//
//
// What `_save_for_lite_interpreter(use_flatbuffer=True)` writes: one FlatBuffers table of values,
// storages and, beside bytecode for phones, the source that archives have too.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_ARCHIVE_MOBILEMODULE_H
#define JIT_LIB_ARCHIVE_MOBILEMODULE_H

#include "FlatBuffer.h"
#include "ValueBuilder.h"

#include <algorithm>

namespace jit {

class MobileModule {
public:
  /// What is wrong with a file of bytecode alone.
  static Error withoutSource(std::string name);
  static bool recognizes(const SharedBytes &bytes);
  /// Its source and storages as members of an archive: "code/__torch__.py", "data/0"; and all of it
  /// as "flatbuffer".
  static Result<ZipFile> openMembers(SharedBytes bytes, const std::string &name,
                                     const ArchiveLimits &limits);

  MobileModule(const SharedBytes &bytes, const ZipFile &members, std::string name,
               ArchiveValues &values)
      : buffer(bytes.span()), members(members), name(std::move(name)), values(values) {}

  /// Reads all values; what is asked for afterwards lives with them.
  Result<void> read();
  int64_t version() const { return operatorVersion; }
  const ArchiveObject *root() const { return rootObject; }
  const std::vector<ArchiveValue> &constants() const { return constantValues; }

private:
  /// How deep a value is, and of how many nodes when shared parts are counted each time.
  struct Extent {
    uint32_t depth = 1;
    uint64_t nodes = 1;
  };

  Error malformed(std::string message) const;
  /// Counts what values take in memory: one part of the file may be a part of many values.
  void spend(uint64_t bytes) { spent = std::min(spent + bytes, UINT64_MAX / 2); }
  std::string textOf(const FlatTable &table, unsigned field);
  Result<ArchiveValue> make(uint32_t index);
  Result<ArchiveValue> makeString(const FlatTable &value);
  Result<ArchiveValue> makeList(const FlatTable &list, Extent &extent);
  Result<ArchiveValue> makeNumbers(const FlatTable &list, unsigned kind);
  Result<ArchiveValue> makeTuple(const FlatTable &tuple, Extent &extent);
  Result<ArchiveValue> makeDict(const FlatTable &dict, Extent &extent);
  Result<ArchiveValue> makeObject(const FlatTable &object, Extent &extent);
  Result<ArchiveValue> makeEnum(const FlatTable &member, Extent &extent);
  Result<ArchiveValue> makeTensor(const FlatTable &tensor);
  Result<ArchiveTensor> readTensor(const FlatTable &tensor, bool isQuantized);
  Result<ArchiveQuantizedTensor> readQuantized(const FlatTable &tensor);
  Result<std::vector<int64_t>> readExtents(const FlatTable &tensor, unsigned field);
  /// A value that is made already: all values stand behind those that they are made of.
  Result<ArchiveValue> part(uint32_t index, Extent &extent);
  Result<std::vector<ArchiveValue>> parts(FlatVector indices, Extent &extent);

  FlatBuffer buffer;
  ZipFile members;
  std::string name;
  ArchiveValues &values;
  FlatVector valueTables, objectTypes;
  std::vector<ArchiveValue> built;
  std::vector<Extent> extents;
  std::unordered_map<std::string, SharedBytes> records;
  uint64_t spent = 0;
  int64_t operatorVersion = 0;
  const ArchiveObject *rootObject = nullptr;
  std::vector<ArchiveValue> constantValues;
};

} // namespace jit

#endif // JIT_LIB_ARCHIVE_MOBILEMODULE_H
