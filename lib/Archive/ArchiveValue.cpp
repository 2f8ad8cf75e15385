//===- ArchiveValue.cpp - the values that an archive holds ----------------===//

#include "jit/Archive/ArchiveValue.h"
#include "jit/Archive/StorageRecords.h"

namespace jit {

int64_t ArchiveTensor::elementCount() const {
  for (int64_t size : sizes)
    if (size == 0)
      return 0;
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

bool ArchiveTensor::isContiguous() const {
  if (elementCount() == 0)
    return true;
  int64_t expected = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] != 1 && strides[i] != expected)
      return false;
    expected *= sizes[i];
  }
  return true;
}

const std::byte *ArchiveTensor::constantData() const {
  bool isWeight = storage.size() >= StorageRecords::largeRecord;
  if (isWeight)
    return nullptr;
  return storage.data() + (elementCount() == 0 ? 0 : offset * elementSize(dtype));
}

const std::string *ArchiveValue::asString() const {
  const auto *held = pointer<ArchiveString>();
  return held ? &held->text : nullptr;
}

std::string_view ArchiveValue::kindName() const {
  static constexpr std::string_view names[] = {"none",   "bool",    "int",
                                               "float",  "complex", "string",
                                               "device", "tensor",  "quantized tensor",
                                               "list",   "tuple",   "dict",
                                               "object", "enum"};
  return names[index()];
}

const ArchiveValue *ArchiveObject::find(std::string_view name) const {
  for (const auto &[key, value] : attributes)
    if (key == name)
      return &value;
  return nullptr;
}

} // namespace jit
