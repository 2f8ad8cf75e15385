//===- Artifact.cpp - look-up and printing of descriptions ----------------===//
#include "jit/Runtime/Artifact.h"

#include "jit/Runtime/Tensor.h"

#include <algorithm>

using namespace jit;
using namespace jit::runtime;

bool ValueType::isOpen() const { return std::ranges::find(sizes, openSize) != sizes.end(); }

std::string ValueType::str() const {
  if (isTensor)
    return typeString(scalar, sizes);
  switch (scalar) {
  case ScalarType::Long:
    return "int";
  case ScalarType::Double:
    return "float";
  case ScalarType::Bool:
    return "bool";
  default:
    return std::string(shortName(scalar));
  }
}

int64_t ValueType::byteSize() const {
  int64_t bytes = elementSize(scalar);
  for (int64_t size : sizes)
    bytes *= size;
  return bytes;
}

const Entry *Artifact::find(std::string_view name) const {
  for (const Entry &entry : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}
