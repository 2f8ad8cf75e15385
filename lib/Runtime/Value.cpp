//===- Value.cpp - names of values' kinds ---------------------------------===//
#include "jit/Runtime/Value.h"

using namespace jit;
using namespace jit::runtime;

std::string Value::kindString() const {
  static constexpr const char *names[] = {"none", "tensor", "int",  "float",
                                          "bool", "str",    "list", "tuple"};
  auto *tensor = getIf<Tensor>();
  if (tensor && !tensor->defined())
    return "undefined tensor";
  return tensor ? tensor->typeString() : names[storage.index()];
}
