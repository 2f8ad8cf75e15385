//===- Runtime.cpp - programs that were compiled ahead of time ------------===//
//
// Needs no compiler: the file says itself what it can be called with.
//
//===----------------------------------------------------------------------===//
#include "jit-c/Runtime.h"
#include "Values.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

using namespace jit_python;
using namespace nb::literals;

namespace {

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

size_t elementSize(int32_t dtype) {
  switch (dtype) {
  case JIT_I16:
  case JIT_F16:
  case JIT_BF16:
    return 2;
  case JIT_I32:
  case JIT_F32:
    return 4;
  case JIT_I64:
  case JIT_F64:
  case JIT_C64:
    return 8;
  case JIT_C128:
    return 16;
  default:
    return 1;
  }
}

bool isRowMajor(const jit_tensor &tensor) {
  int64_t expected = 1;
  for (int32_t i = tensor.rank - 1; i >= 0; --i) {
    if (tensor.sizes[i] != 1 && tensor.strides[i] != expected)
      return false;
    expected *= tensor.sizes[i];
  }
  return true;
}

size_t byteSize(const jit_tensor &tensor) {
  size_t count = 1;
  for (int32_t i = 0; i < tensor.rank; ++i)
    count *= size_t(tensor.sizes[i]);
  return count * elementSize(tensor.dtype);
}

/// Row-major memory in the place of an argument's that is strided or must not be written. Artifacts
/// take no other.
class Dense {
public:
  explicit Dense(jit_value &value) : tensor(value.as.tensor), flags(value.flags) {
    before.resize(byteSize(tensor));
    move([](char *strided, char *dense, size_t bytes) { std::memcpy(dense, strided, bytes); });
    // Aligned for every element type.
    data.resize(before.size() / sizeof(std::max_align_t) + 1);
    std::memcpy(data.data(), before.data(), before.size());
    value.as.tensor.data = data.data();
    value.as.tensor.strides = nullptr;
  }

  bool isWritten() const { return std::memcmp(data.data(), before.data(), before.size()) != 0; }

  /// Brings what the program has written to where it belongs.
  void writeBack() {
    if (!isWritten())
      return;
    if (flags & JIT_READ_ONLY)
      refuse("expected memory that may be written, as the program writes an argument in place, "
             "got read-only memory");
    std::memcpy(before.data(), data.data(), before.size());
    move([](char *strided, char *dense, size_t bytes) { std::memcpy(strided, dense, bytes); });
  }

private:
  template <typename Fn> void move(Fn move) {
    size_t bytes = elementSize(tensor.dtype);
    std::vector<int64_t> index(size_t(tensor.rank), 0);
    for (size_t at = 0; at < before.size(); at += bytes) {
      int64_t offset = 0;
      for (int32_t dim = 0; dim < tensor.rank; ++dim)
        offset += index[dim] * tensor.strides[dim];
      move(static_cast<char *>(tensor.data) + offset * int64_t(bytes), before.data() + at, bytes);
      for (int32_t dim = tensor.rank - 1; dim >= 0 && ++index[dim] == tensor.sizes[dim]; --dim)
        index[dim] = 0;
    }
  }

  jit_tensor tensor;
  int32_t flags;
  std::vector<char> before;
  std::vector<std::max_align_t> data;
};

/// The bytes between the first and the last element.
std::pair<char *, char *> rangeOf(const jit_tensor &tensor) {
  int64_t first = 0, last = 0;
  for (int32_t i = 0; i < tensor.rank; ++i) {
    if (tensor.sizes[i] == 0)
      return {};
    int64_t reach = (tensor.sizes[i] - 1) * tensor.strides[i];
    (reach < 0 ? first : last) += reach;
  }
  auto *data = static_cast<char *>(tensor.data);
  int64_t bytes = int64_t(elementSize(tensor.dtype));
  return {data + first * bytes, data + (last + 1) * bytes};
}

/// Memory that two arguments show, of which the program gets a copy for one: it would see no write
/// to the other. Whether there was one is known after the call.
class SharedArguments {
public:
  void add(const jit_tensor &tensor, bool isCopied) {
    auto [begin, end] = rangeOf(tensor);
    for (const Range &other : ranges)
      if ((isCopied || other.isCopied) && begin < other.end && other.begin < end) {
        keep(begin, end);
        keep(other.begin, other.end);
      }
    ranges.push_back({begin, end, isCopied});
  }
  bool empty() const { return kept.empty(); }
  bool areWritten() const { return std::ranges::any_of(kept, &Kept::isWritten); }
  void restore() {
    for (Kept &memory : kept)
      if (memory.isWritten())
        std::memcpy(memory.begin, memory.bytes.data(), memory.bytes.size());
  }

private:
  struct Range {
    char *begin, *end;
    bool isCopied;
  };
  struct Kept {
    bool isWritten() const { return std::memcmp(begin, bytes.data(), bytes.size()) != 0; }

    char *begin;
    std::vector<char> bytes;
  };
  void keep(char *begin, char *end) { kept.push_back({begin, {begin, end}}); }

  std::vector<Range> ranges;
  std::vector<Kept> kept;
};

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// What an artifact has allocated for a result.
nb::object takeResult(const jit_value &value) {
  nb::object owner = nb::none();
  if (value.kind == JIT_KIND_TENSOR)
    owner = nb::capsule(value.as.tensor.data, [](void *data) noexcept { std::free(data); });
  return toPython(value, owner);
}

void *copyOf(const jit_tensor &tensor) {
  size_t bytes = byteSize(tensor);
  void *data = std::malloc(bytes + 1);
  if (!data)
    throw std::bad_alloc();
  std::memcpy(data, tensor.data, bytes);
  return data;
}

class Artifact {
public:
  Artifact(const std::string &path, unsigned threads, const std::string &weights) {
    jit_error error;
    jit_library *opened = nullptr;
    check(jit_library_open(path.c_str(), &opened, &error), error);
    library.reset(opened);
    table = jit_library_table(opened);
    jit_open_options options = {sizeof options, weights.empty() ? nullptr : weights.c_str(),
                                threads};
    jit_module *made = nullptr;
    check(table->open(&options, &made, &error), error);
    module = {made, table->close};
  }

  std::string description() const { return table->description; }

  /// How the results make up what the method returns, and the results, flat.
  nb::tuple call(const std::string &method, nb::handle values) {
    Arguments arguments(values, {});
    std::vector<std::unique_ptr<Dense>> copies;
    SharedArguments shared;
    bool dependsOnStrides = table->depends_on_strides(method.c_str()) != 0;
    arguments.forEachTensor([&](jit_value &value) {
      if (dependsOnStrides && !isRowMajor(value.as.tensor))
        refuse(
            "expected row-major arguments of a program that writes in place or asks for strides, "
            "got strides; pass contiguous copies");
      bool isCopied = !isRowMajor(value.as.tensor) || (value.flags & JIT_READ_ONLY);
      shared.add(value.as.tensor, isCopied);
      if (isCopied)
        copies.push_back(std::make_unique<Dense>(value));
    });
    const char *structure = nullptr;
    std::vector<jit_value> results;
    jit_error error;
    check(run(method, arguments, structure, results, error), error);
    nb::list flat;
    for (const jit_value &result : results)
      flat.append(takeResult(result));
    bool isWritten = std::ranges::any_of(copies, [](auto &copy) { return copy->isWritten(); });
    if (!shared.empty() && (isWritten || shared.areWritten())) {
      shared.restore();
      refuse("expected arguments with memory of their own where the program writes one, got some "
             "that share it; pass copies");
    }
    for (auto &copy : copies)
      copy->writeBack();
    return nb::make_tuple(structure, flat);
  }

  /// A copy.
  nb::object state(const std::string &path) {
    jit_error error;
    jit_value value = {};
    check(table->state(module.get(), path.c_str(), &value, &error), error);
    if (value.kind == JIT_KIND_TENSOR)
      value.as.tensor.data = copyOf(value.as.tensor);
    return takeResult(value);
  }

  void reset() { table->reset(module.get()); }

private:
  jit_status run(const std::string &method, const Arguments &arguments, const char *&structure,
                 std::vector<jit_value> &results, jit_error &error) {
    nb::gil_scoped_release release;
    size_t variant = 0, count = 0;
    jit_status status = table->find(module.get(), method.c_str(), arguments.data(),
                                    arguments.size(), &variant, &error);
    if (status != JIT_OK)
      return status;
    structure = table->structure(variant, &count);
    results.resize(count);
    return table->call(module.get(), method.c_str(), arguments.data(), arguments.size(),
                       results.data(), count, &error);
  }

  const jit_artifact_table *table = nullptr;
  std::unique_ptr<jit_library, void (*)(jit_library *)> library{nullptr, jit_library_close};
  std::unique_ptr<jit_module, void (*)(jit_module *)> module{nullptr, nullptr};
};

} // namespace

NB_MODULE(_runtime, m) {
  nb::set_leak_warnings(false);
  translateFailures();
  m.attr("version") = JIT_VERSION;
  nb::class_<Artifact>(m, "Artifact")
      .def(nb::init<const std::string &, unsigned, const std::string &>(), "path"_a, "threads"_a,
           "weights"_a)
      .def("description", &Artifact::description)
      .def("call", &Artifact::call, "method"_a, "arguments"_a)
      .def("state", &Artifact::state, "path"_a)
      .def("reset", &Artifact::reset);
}
