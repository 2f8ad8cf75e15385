//===- Runtime.cpp - programs that were compiled ahead of time ------------===//
//
// Needs no compiler: the file says itself what it can be called with.
//
//===----------------------------------------------------------------------===//
#include "jit-c/Runtime.h"
#include "Values.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

using namespace jit_python;
using namespace nb::literals;

namespace {

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

size_t elementSize(int32_t dtype) {
  switch (dtype) {
  case JIT_I16:
  case JIT_F16:
  case JIT_BF16:
    return 2;
  case JIT_I32:
  case JIT_C32:
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

size_t byteSize(const jit_tensor &tensor) {
  size_t count = 1;
  for (int32_t i = 0; i < tensor.rank; ++i)
    count *= size_t(tensor.sizes[i]);
  return count * elementSize(tensor.dtype);
}

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
  Artifact(const std::string &path, unsigned threads, const std::string &weights, size_t device) {
    jit_error error;
    jit_library *opened = nullptr;
    check(jit_library_open(path.c_str(), &opened, &error), error);
    library.reset(opened);
    table = jit_library_table(opened);
    jit_open_options options = {sizeof options, weights.empty() ? nullptr : weights.c_str(),
                                threads, device};
    jit_module *made = nullptr;
    check(table->open(&options, &made, &error), error);
    module = {made, table->close};
  }

  std::string description() const { return table->description; }

  /// How the results make up what the method returns, and the results, flat.
  nb::tuple call(const std::string &method, nb::handle values) {
    Arguments arguments(values, {});
    arguments.forEachTensor([](jit_value &value) { value.flags |= JIT_MAY_COPY; });
    const char *structure = nullptr;
    std::vector<jit_value> results;
    jit_error error;
    check(run(method, arguments, structure, results, error), error);
    nb::list flat;
    for (const jit_value &result : results)
      flat.append(takeResult(result));
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
      .def(nb::init<const std::string &, unsigned, const std::string &, size_t>(), "path"_a,
           "threads"_a, "weights"_a, "device"_a)
      .def("description", &Artifact::description)
      .def("call", &Artifact::call, "method"_a, "arguments"_a)
      .def("state", &Artifact::state, "path"_a)
      .def("reset", &Artifact::reset);
}
