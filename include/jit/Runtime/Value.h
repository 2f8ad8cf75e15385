//===- Value.h - an argument or result of a call -----------------*- C++ -*-===//
#ifndef JIT_RUNTIME_VALUE_H
#define JIT_RUNTIME_VALUE_H

#include "jit/Runtime/Tensor.h"

#include <variant>

namespace jit::runtime {

class Value;

struct List {
  std::vector<Value> items;
};

struct Tuple {
  std::vector<Value> items;
};

/// What a TorchScript method takes and gives: a variant with names.
class Value {
public:
  /// What a value stands for where the caller's language has a word of its own: a tensor of rank 0
  /// for a complex number, a list of pairs for a dict, a text for a device.
  enum class Meaning : uint8_t { Itself, Complex, Dict, Device };

  using Storage =
      std::variant<std::monostate, Tensor, int64_t, double, bool, std::string, List, Tuple>;

  Value() = default;
  Value(Tensor tensor) : storage(std::move(tensor)) {}
  Value(int64_t value) : storage(value) {}
  Value(double value) : storage(value) {}
  Value(bool value) : storage(value) {}
  Value(std::string text) : storage(std::move(text)) {}
  Value(List list) : storage(std::move(list)) {}
  Value(Tuple tuple) : storage(std::move(tuple)) {}
  /// Text, not true.
  Value(const char *text) : storage(std::string(text)) {}

  Meaning meaning() const { return meant; }
  Value as(Meaning meaning) && {
    meant = meaning;
    return std::move(*this);
  }

  bool isNone() const { return storage.index() == 0; }
  template <typename T> const T *getIf() const { return std::get_if<T>(&storage); }
  template <typename T> T *getIf() { return std::get_if<T>(&storage); }
  const Storage &variant() const { return storage; }

  /// "none", "int", "tensor 1x2xf32", ... for messages.
  std::string kindString() const;

private:
  Storage storage;
  Meaning meant = Meaning::Itself;
};

} // namespace jit::runtime

#endif // JIT_RUNTIME_VALUE_H
