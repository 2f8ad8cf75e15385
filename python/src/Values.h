//===- Values.h - Python's values at the C interface ------------*- C++ -*-===//
//
// Arrays come and go by DLPack, without copies: torch, numpy and JAX are all the same here, and
// none is imported.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_PYTHON_VALUES_H
#define JIT_PYTHON_VALUES_H

#include "jit-c/Values.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <functional>
#include <list>

namespace nb = nanobind;

namespace jit_python {

/// What a call refused or raised; Python gets jit_mlir.Error once `translateFailures` was called.
struct Failure {
  jit_error error;
};
void translateFailures();

void check(jit_status status, const jit_error &error);
[[noreturn]] void refuse(const std::string &message);

/// Arguments of one call; keeps what they point to.
class Arguments {
public:
  /// `marked[i]`: gradients by tensor i, in order, are wanted. `mayBeOnDevice`: arrays may be in
  /// the memory of a CUDA device.
  Arguments(nb::handle values, const std::vector<bool> &marked, bool mayBeOnDevice = false);

  const jit_value *data() const { return list.data(); }
  size_t size() const { return list.size(); }
  /// Those in lists and tuples too.
  void forEachTensor(const std::function<void(jit_value &)> &visit);

private:
  jit_value read(nb::handle value, unsigned depth);
  jit_value readArray(nb::handle value);

  bool mayHaveJax, mayBeOnDevice;
  std::vector<jit_value> list;
  // What the values point to: lists, which move nothing and cost nothing where they are empty.
  std::list<std::vector<jit_value>> items;
  std::list<std::string> texts;
  std::list<std::array<double, 2>> complexNumbers;
  std::list<std::vector<int64_t>> strides;
  std::vector<nb::ndarray<nb::ro>> arrays;
};

/// A jit_dtype, or -1 where we have none.
int32_t elementTypeOf(nb::dlpack::dtype type);
nb::dlpack::dtype elementTypeFor(int32_t type);

/// A number, a string, None or an array over a tensor's memory, which `owner` keeps.
nb::object toPython(const jit_value &value, nb::handle owner);

} // namespace jit_python

#endif // JIT_PYTHON_VALUES_H
