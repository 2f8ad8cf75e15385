//===- Value.cpp - names of values' kinds ---------------------------------===//
#include "jit/Runtime/Value.h"

using namespace jit;

std::string Value::kindString() const {
  static constexpr const char *names[] = {"none", "tensor", "int",  "float",
                                          "bool", "str",    "list", "tuple"};
  std::string text = names[storage.index()];
  auto *tensor = getIf<Tensor>();
  if (tensor && !tensor->defined())
    return "undefined tensor";
  if (tensor)
    text += " " + tensor->typeString();
  return text;
}
