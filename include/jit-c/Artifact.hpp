//===- Artifact.hpp - artifacts of jit-compile from C++ ----------*- C++ -*-===//
//
// Header-only, C++20: modules that close themselves, errors as exceptions, arrays as spans. Include
// it after the header of an artifact, or alone to load one by its path.
//
//===------------------------------------------------------------------------===//
#ifndef JIT_C_ARTIFACT_HPP
#define JIT_C_ARTIFACT_HPP

#ifndef JIT_C_ARTIFACT_H
#include "jit-c/Artifact.h"
#endif

#include <array>
#include <complex>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace jit_c {

/// What a function refused, or the program itself raised.
class Error : public std::runtime_error {
public:
  explicit Error(const jit_error &error)
      : std::runtime_error(error.message), status(jit_status(error.status)), where(error.where),
        pythonClass(error.python_class) {}
  jit_status status;
  std::string where, pythonClass;
};

template <typename T> constexpr jit_dtype dtypeOf() {
  using Element = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Element, float>)
    return JIT_F32;
  else if constexpr (std::is_same_v<Element, double>)
    return JIT_F64;
  else if constexpr (std::is_same_v<Element, std::complex<float>>)
    return JIT_C64;
  else if constexpr (std::is_same_v<Element, std::complex<double>>)
    return JIT_C128;
  else if constexpr (std::is_same_v<Element, bool>)
    return JIT_BOOL;
  else if constexpr (std::is_same_v<Element, uint8_t>)
    return JIT_U8;
  else if constexpr (std::is_same_v<Element, uint16_t>)
    return JIT_U16;
  else if constexpr (std::is_same_v<Element, uint32_t>)
    return JIT_U32;
  else if constexpr (std::is_same_v<Element, uint64_t>)
    return JIT_U64;
  else if constexpr (std::is_same_v<Element, int8_t>)
    return JIT_I8;
  else if constexpr (std::is_same_v<Element, int16_t>)
    return JIT_I16;
  else if constexpr (std::is_same_v<Element, int32_t>)
    return JIT_I32;
  else {
    static_assert(std::is_same_v<Element, int64_t>, "expected the type of a tensor's elements");
    return JIT_I64;
  }
}

/// How many elements there are from the first to the last of an array, gaps included; row-major
/// where there are no strides. Throws std::length_error where sizes or strides are negative, or
/// more than memory can hold.
inline int64_t reachOf(const std::vector<int64_t> &sizes,
                       const std::vector<int64_t> &strides = {}) {
  int64_t reach = 1;
  bool isEmpty = false, isRight = strides.empty() || strides.size() == sizes.size();
  for (size_t i = 0; isRight && i < sizes.size(); ++i) {
    int64_t stride = strides.empty() ? reach : strides[i], step = 0;
    isRight = sizes[i] >= 0 && stride >= 0 &&
              !__builtin_mul_overflow(sizes[i] > 0 ? sizes[i] - 1 : 0, stride, &step) &&
              !__builtin_add_overflow(reach, step, &reach);
    isEmpty |= isRight && sizes[i] == 0;
  }
  if (!isRight)
    throw std::length_error("expected sizes and strides of at least 0, a stride for each size, and "
                            "a number of elements that memory can hold");
  return isEmpty ? 0 : reach;
}

/// An array in someone else's memory, with its sizes.
template <typename T> class Array {
public:
  /// A row-major one. Throws std::length_error where `data` does not hold as many elements as the
  /// sizes say.
  Array(std::span<T> data, std::vector<int64_t> sizes) : data(data), extents(std::move(sizes)) {
    int64_t count = reachOf(extents);
    if (count != int64_t(data.size()))
      throw std::length_error("expected " + std::to_string(count) + " elements, got " +
                              std::to_string(data.size()));
  }

  /// One whose steps, in elements and of at least 0, an artifact was compiled for. Throws
  /// std::length_error where an element lies behind `data` or the strides are others.
  Array(std::span<T> data, std::vector<int64_t> sizes, std::vector<int64_t> strides)
      : data(data), extents(std::move(sizes)), steps(std::move(strides)) {
    int64_t needed = reachOf(extents, steps);
    if (steps.size() != extents.size())
      throw std::length_error("expected a stride for each size");
    if (needed > int64_t(data.size()))
      throw std::length_error("expected at least " + std::to_string(needed) + " elements, got " +
                              std::to_string(data.size()));
  }

  jit_tensor tensor() const {
    return {const_cast<std::remove_const_t<T> *>(data.data()), extents.data(),
            steps.empty() ? nullptr : steps.data(), int32_t(extents.size()), dtypeOf<T>()};
  }
  operator jit_value() const {
    jit_value value = {};
    value.kind = JIT_KIND_TENSOR;
    value.as.tensor = tensor();
    return value;
  }

private:
  std::span<T> data;
  std::vector<int64_t> extents, steps;
};

/// A result that the artifact allocates, where only the call tells its sizes.
template <typename T> class Result {
public:
  std::span<const T> data() const {
    return {static_cast<const T *>(memory.get()), size_t(count())};
  }
  std::span<const int64_t> sizes() const { return extents; }

  /// Takes the memory of a jit_value that a call has filled in; false where it is no tensor of such
  /// elements.
  bool take(const jit_value &value) {
    memory.reset(value.kind == JIT_KIND_TENSOR ? value.as.tensor.data : nullptr);
    extents.clear();
    if (!memory || value.as.tensor.dtype != dtypeOf<T>())
      return false;
    extents.assign(value.as.tensor.sizes, value.as.tensor.sizes + value.as.tensor.rank);
    return true;
  }

private:
  struct Free {
    void operator()(void *data) const { std::free(data); }
  };
  int64_t count() const {
    int64_t product = memory ? 1 : 0;
    for (int64_t size : extents)
      product *= size;
    return product;
  }

  std::unique_ptr<void, Free> memory;
  std::vector<int64_t> extents;
};

inline jit_value value(int64_t number) {
  jit_value made = {};
  made.kind = JIT_KIND_INT;
  made.as.integer = number;
  return made;
}

inline jit_value value(double number) {
  jit_value made = {};
  made.kind = JIT_KIND_FLOAT;
  made.as.real = number;
  return made;
}

/// An instance of a program. Any number of threads may call it.
class Module {
public:
  /// `table`: of the function jit_artifact that every artifact exports.
  explicit Module(const jit_artifact_table *table, unsigned threads = 1,
                  const char *weights = nullptr, size_t device = 0)
      : table(table) {
    jit_open_options options = {sizeof options, weights, threads, device};
    jit_error error;
    jit_module *made = nullptr;
    if (table->open(&options, &made, &error) != JIT_OK)
      throw Error(error);
    handle = {made, table->close};
  }

  /// Calls a method; `results` are its tensors and numbers, flat, in order.
  void call(const char *method, std::initializer_list<jit_value> arguments,
            std::span<jit_value> results) {
    jit_error error;
    if (table->call(handle.get(), method, arguments.begin(), arguments.size(), results.data(),
                    results.size(), &error) != JIT_OK)
      throw Error(error);
  }
  /// Results go to memory of the caller's ...
  template <typename... Results>
  void call(const char *method, std::initializer_list<jit_value> arguments,
            const Array<Results> &...results) {
    std::array<jit_value, sizeof...(results)> values = {results...};
    call(method, arguments, std::span<jit_value>(values));
  }
  /// ... or are allocated. Throws std::invalid_argument where one is no tensor of such elements.
  template <typename First, typename... Rest>
  void call(const char *method, std::initializer_list<jit_value> arguments, Result<First> &first,
            Result<Rest> &...rest) {
    std::array<jit_value, 1 + sizeof...(rest)> values = {};
    call(method, arguments, std::span<jit_value>(values));
    size_t next = 0;
    bool areRight = first.take(values[next++]);
    ((areRight &= rest.take(values[next++])), ...);
    if (!areRight)
      throw std::invalid_argument("expected results that are tensors of other elements");
  }

  /// In a stream of the caller's, a CUstream of the module's device: returns before the work is
  /// done. Results go to memory of the caller's, here or on the device.
  template <typename... Results>
  void callIn(void *stream, const char *method, std::initializer_list<jit_value> arguments,
              const Array<Results> &...results) {
    std::array<jit_value, sizeof...(results)> values = {results...};
    jit_call_options options = {sizeof options, stream};
    jit_error error;
    if (table->call_in(handle.get(), method, arguments.begin(), arguments.size(), values.data(),
                       values.size(), &options, &error) != JIT_OK)
      throw Error(error);
  }

  void reset() { table->reset(handle.get()); }

private:
  const jit_artifact_table *table;
  std::unique_ptr<jit_module, void (*)(jit_module *)> handle{nullptr, nullptr};
};

} // namespace jit_c

#endif // JIT_C_ARTIFACT_HPP
