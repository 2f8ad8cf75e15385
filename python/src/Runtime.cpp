//===- Runtime.cpp - programs that were compiled ahead of time ------------===//
//
// Needs no compiler: the file says itself what it can be called with.
//
//===----------------------------------------------------------------------===//
#include "jit-c/Runtime.h"
#include "PlainArguments.h"
#include "Values.h"
#include "jit/ScalarType.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <nanobind/stl/optional.h>
#include <new>
#include <optional>

using namespace jit_python;
using namespace nb::literals;

namespace {

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

size_t byteSize(const jit_tensor &tensor) {
  size_t count = 1;
  for (int32_t i = 0; i < tensor.rank; ++i)
    count *= size_t(tensor.sizes[i]);
  return count * size_t(jit::elementSize(jit::ScalarType(tensor.dtype)));
}

/// What an artifact has allocated for a result; a tensor of `torch`, where that is given.
nb::object takeResult(const jit_value &value, const TorchExchange *torch = nullptr) {
  if (torch && value.kind == JIT_KIND_TENSOR && !(value.flags & JIT_IS_COMPLEX))
    return torch->give(value.as.tensor, value.as.tensor.data, std::free);
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

/// Results on a device: memory that goes back to where it came from.
class DeviceResults {
public:
  explicit DeviceResults(size_t number) : number(number) {}
  DeviceResults(const DeviceResults &) = delete;
  DeviceResults &operator=(const DeviceResults &) = delete;

  /// Memory for the tensors of `results`, which say what they are; false: `error` says why.
  bool take(void *stream, std::vector<jit_value> &results, jit_error &error) {
    if (!open(error))
      return false;
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i].kind != JIT_KIND_TENSOR)
        continue;
      jit_tensor &tensor = results[i].as.tensor;
      if (jit_device_pool_take(pool.get(), byteSize(tensor), stream, &tensor.data, &error) !=
          JIT_OK)
        return giveBack(results, i), false;
    }
    return true;
  }

  /// The memory of the first `count`.
  void giveBack(const std::vector<jit_value> &results, size_t count) const {
    for (size_t i = 0; i < count; ++i)
      if (results[i].kind == JIT_KIND_TENSOR)
        jit_device_pool_give(pool.get(), results[i].as.tensor.data);
  }

  nb::object toPython(jit_value value) const {
    if (value.kind != JIT_KIND_TENSOR)
      return jit_python::toPython(value, nb::none());
    value.flags |= JIT_ON_DEVICE | int32_t(number) << JIT_DEVICE_SHIFT;
    nb::capsule owner(new Owner{pool.get(), value.as.tensor.data}, [](void *given) noexcept {
      auto *owner = static_cast<Owner *>(given);
      jit_device_pool_give(owner->pool, owner->data);
      delete owner;
    });
    return jit_python::toPython(value, owner);
  }

private:
  struct Owner {
    jit_device_pool *pool; // which outlives its memory, closed or not
    void *data;
  };

  bool open(jit_error &error) {
    std::lock_guard lock(mutex);
    jit_device_pool *opened = nullptr;
    if (!pool && jit_device_pool_open(number, &opened, &error) == JIT_OK)
      pool.reset(opened);
    return pool != nullptr;
  }

  const size_t number;
  std::mutex mutex;
  std::unique_ptr<jit_device_pool, void (*)(jit_device_pool *)> pool{nullptr,
                                                                     jit_device_pool_close};
};

class Artifact {
public:
  Artifact(const std::string &path, unsigned threads, const std::string &weights, size_t device)
      : onDevice(device) {
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

  /// "cpu" or "cuda"; one that does not say is too old for calls in streams.
  std::string target() const { return has(&jit_artifact_table::target) ? table->target() : "cpu"; }

  /// How the results make up what the method returns, and the results, flat. `stream`: the one to
  /// work in, of the module's CUDA device; arguments may be there then, and results are.
  nb::tuple call(const std::string &method, nb::handle values, std::optional<uintptr_t> stream) {
    Arguments arguments(values, {}, stream.has_value());
    arguments.forEachTensor([](jit_value &value) { value.flags |= JIT_MAY_COPY; });
    const char *structure = nullptr;
    std::vector<jit_value> results;
    jit_error error;
    check(run(method.c_str(), arguments, stream, structure, results, error), error);
    nb::list flat;
    for (const jit_value &result : results)
      flat.append(stream ? onDevice.toPython(result) : takeResult(result));
    return nb::make_tuple(structure, flat);
  }

  /// What a call of plain arguments in the memory of the CPU returns; NotImplemented for others,
  /// which `call` is for.
  nb::object callPlain(const char *method, nb::tuple given) {
    const TorchExchange *torch = TorchExchange::find();
    PlainArguments arguments;
    if (!torch || !arguments.read(given, *torch, JIT_MAY_COPY))
      return nb::borrow(Py_NotImplemented);
    const char *structure = nullptr;
    std::vector<jit_value> results;
    jit_error error;
    check(run(method, arguments, {}, structure, results, error), error);
    if (std::strcmp(structure, "%0") == 0)
      return takeResult(results[0], torch);
    nb::list flat;
    for (const jit_value &result : results)
      flat.append(takeResult(result, torch));
    static PyObject *returned = nullptr; // for good, as the module is
    if (!returned)
      returned = nb::module_::import_("jit_mlir._artifact").attr("returned").inc_ref().ptr();
    return nb::handle(returned)(structure, flat, given);
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
  /// Whether the table has a function, which one of an older version may lack.
  template <typename Function> bool has(Function jit_artifact_table::*function) const {
    auto *end = reinterpret_cast<const char *>(&(table->*function) + 1);
    return size_t(end - reinterpret_cast<const char *>(table)) <= table->size;
  }

  template <typename Given> // Arguments or PlainArguments
  jit_status run(const char *method, const Given &arguments, std::optional<uintptr_t> stream,
                 const char *&structure, std::vector<jit_value> &results, jit_error &error) {
    nb::gil_scoped_release release;
    size_t variant = 0, count = 0;
    jit_status status =
        table->find(module.get(), method, arguments.data(), arguments.size(), &variant, &error);
    if (status != JIT_OK)
      return status;
    structure = table->structure(variant, &count);
    results.resize(count);
    if (stream)
      return runIn(reinterpret_cast<void *>(*stream), method, arguments, variant, results, error);
    return table->call(module.get(), method, arguments.data(), arguments.size(), results.data(),
                       count, &error);
  }

  template <typename Given>
  jit_status runIn(void *stream, const char *method, const Given &arguments, size_t variant,
                   std::vector<jit_value> &results, jit_error &error) {
    for (size_t i = 0; i < results.size(); ++i)
      if (jit_status status = table->result(variant, i, &results[i], &error); status != JIT_OK)
        return status;
    if (!onDevice.take(stream, results, error))
      return jit_status(error.status);
    jit_call_options options = {sizeof options, stream};
    jit_status status = table->call_in(module.get(), method, arguments.data(), arguments.size(),
                                       results.data(), results.size(), &options, &error);
    // What the call has begun is in the stream, in front of whatever gets the memory next.
    if (status != JIT_OK)
      onDevice.giveBack(results, results.size());
    return status;
  }

  DeviceResults onDevice;
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
      .def("target", &Artifact::target)
      .def("call", &Artifact::call, "method"_a, "arguments"_a, "stream"_a = nb::none())
      .def("call_plain", &Artifact::callPlain, "method"_a, "arguments"_a)
      .def("state", &Artifact::state, "path"_a)
      .def("reset", &Artifact::reset);
}
