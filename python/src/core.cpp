//===- core.cpp - the C interface as a Python module -----------------------===//
//
// Arrays come and go by DLPack, without copies: torch, numpy and JAX are all the same here, and
// none is imported.
//
//===----------------------------------------------------------------------===//
#include "jit-c/Jit.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <memory>

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using InputArray = nb::ndarray<nb::ro, nb::device::cpu>;
using OutputArray = nb::ndarray<nb::array_api, nb::device::cpu>;

/// What a call refused or raised; becomes jit_mlir.Error.
struct Failure {
  jit_error error;
};

void check(jit_status status, const jit_error &error) {
  if (status != JIT_OK)
    throw Failure{error};
}

[[noreturn]] void refuse(const std::string &message) {
  Failure failure{};
  failure.error.status = JIT_INVALID_ARGUMENT;
  std::snprintf(failure.error.message, sizeof failure.error.message, "%s", message.c_str());
  throw failure;
}

struct TypePair {
  jit_dtype ours;
  nb::dlpack::dtype theirs;
};
constexpr auto code(nb::dlpack::dtype_code value) { return static_cast<uint8_t>(value); }
const TypePair types[] = {
    {JIT_U8, {code(nb::dlpack::dtype_code::UInt), 8, 1}},
    {JIT_I8, {code(nb::dlpack::dtype_code::Int), 8, 1}},
    {JIT_I16, {code(nb::dlpack::dtype_code::Int), 16, 1}},
    {JIT_I32, {code(nb::dlpack::dtype_code::Int), 32, 1}},
    {JIT_I64, {code(nb::dlpack::dtype_code::Int), 64, 1}},
    {JIT_F16, {code(nb::dlpack::dtype_code::Float), 16, 1}},
    {JIT_F32, {code(nb::dlpack::dtype_code::Float), 32, 1}},
    {JIT_F64, {code(nb::dlpack::dtype_code::Float), 64, 1}},
    {JIT_BF16, {code(nb::dlpack::dtype_code::Bfloat), 16, 1}},
    {JIT_BOOL, {code(nb::dlpack::dtype_code::Bool), 8, 1}},
};

/// Arguments of one call; keeps what they point to.
class Arguments {
public:
  Arguments(nb::handle values, const std::vector<bool> &marked) {
    for (nb::handle value : nb::borrow<nb::sequence>(values))
      list.push_back(read(value, 0));
    for (size_t i = 0; i < list.size() && i < marked.size(); ++i)
      list[i].flags = marked[i] ? JIT_REQUIRES_GRAD : 0;
  }
  const jit_value *data() const { return list.data(); }
  size_t size() const { return list.size(); }

private:
  jit_value read(nb::handle value, unsigned depth) {
    jit_value made = {};
    if (depth > 64)
      refuse("expected at most 64 nested containers");
    if (value.is_none())
      return made;
    if (nb::isinstance<nb::bool_>(value)) {
      made.kind = JIT_KIND_BOOL;
      made.as.integer = nb::cast<bool>(value);
    } else if (nb::isinstance<nb::int_>(value)) {
      made.kind = JIT_KIND_INT;
      made.as.integer = nb::cast<int64_t>(value);
    } else if (nb::isinstance<nb::float_>(value)) {
      made.kind = JIT_KIND_FLOAT;
      made.as.real = nb::cast<double>(value);
    } else if (nb::isinstance<nb::str>(value)) {
      texts.push_back(nb::cast<std::string>(value));
      made.kind = JIT_KIND_STRING;
      made.as.string = texts.back().c_str();
    } else if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
      std::vector<jit_value> inner;
      for (nb::handle item : nb::borrow<nb::sequence>(value))
        inner.push_back(read(item, depth + 1));
      items.push_back(std::move(inner));
      made.kind = nb::isinstance<nb::list>(value) ? JIT_KIND_LIST : JIT_KIND_TUPLE;
      made.as.list.items = items.back().data();
      made.as.list.count = items.back().size();
    } else {
      made = readArray(value);
    }
    return made;
  }

  jit_value readArray(nb::handle value) {
    InputArray array;
    if (!nb::try_cast(value, array))
      refuse("expected an array in the memory of the CPU, a number, a string, None, or a list or "
             "tuple of such, got " +
             nb::cast<std::string>(nb::str(nb::borrow(value.type()))));
    jit_value made = {};
    made.kind = JIT_KIND_TENSOR;
    made.as.tensor.dtype = -1;
    for (const TypePair &pair : types)
      if (pair.theirs == array.dtype())
        made.as.tensor.dtype = pair.ours;
    std::vector<int64_t> sizes, strides;
    for (size_t i = 0; i < array.ndim(); ++i) {
      sizes.push_back(int64_t(array.shape(i)));
      strides.push_back(array.stride(i));
    }
    made.as.tensor.data = const_cast<void *>(array.data());
    made.as.tensor.rank = int32_t(array.ndim());
    shapes.push_back(std::move(sizes));
    made.as.tensor.sizes = shapes.back().data();
    shapes.push_back(std::move(strides));
    made.as.tensor.strides = shapes.back().data();
    arrays.push_back(std::move(array));
    return made;
  }

  std::vector<jit_value> list;
  std::deque<std::vector<jit_value>> items;
  std::deque<std::vector<int64_t>> shapes;
  std::deque<std::string> texts;
  std::vector<InputArray> arrays;
};

/// Views of a result's tensors: each keeps the result alive.
nb::object toPython(const jit_value &value, jit_result *result) {
  switch (value.kind) {
  case JIT_KIND_INT:
    return nb::int_(value.as.integer);
  case JIT_KIND_BOOL:
    return nb::bool_(value.as.integer != 0);
  case JIT_KIND_FLOAT:
    return nb::float_(value.as.real);
  case JIT_KIND_STRING:
    return nb::str(value.as.string);
  case JIT_KIND_TENSOR: {
    const jit_tensor &tensor = value.as.tensor;
    std::vector<size_t> sizes(tensor.sizes, tensor.sizes + tensor.rank);
    nb::dlpack::dtype type = {};
    for (const TypePair &pair : types)
      if (pair.ours == tensor.dtype)
        type = pair.theirs;
    nb::capsule owner(jit_result_share(result), [](void *shared) noexcept {
      jit_result_free(static_cast<jit_result *>(shared));
    });
    return nb::cast(OutputArray(tensor.data, sizes.size(), sizes.data(), owner, nullptr, type));
  }
  case JIT_KIND_LIST:
  case JIT_KIND_TUPLE: {
    nb::list items;
    for (size_t i = 0; i < value.as.list.count; ++i)
      items.append(toPython(value.as.list.items[i], result));
    return value.kind == JIT_KIND_LIST ? nb::object(items) : nb::object(nb::tuple(items));
  }
  default:
    return nb::none();
  }
}

using OwnedResult = std::unique_ptr<jit_result, void (*)(jit_result *)>;

std::string takeText(char *text) {
  std::unique_ptr<char, void (*)(char *)> owned(text, jit_free);
  return owned.get();
}

nb::dict gradientsOf(jit_result *result) {
  nb::dict byName;
  for (size_t i = 0; i < jit_result_gradient_count(result); ++i) {
    const char *name;
    const jit_value *gradient = jit_result_gradient(result, i, &name);
    byName[name] = toPython(*gradient, result);
  }
  return byName;
}

/// A forward pass with what its backward pass needs.
class Forward {
public:
  explicit Forward(OwnedResult result) : result(std::move(result)) {}

  nb::object value() const { return toPython(*jit_result_value(result.get()), result.get()); }

  nb::dict backward(nb::handle seeds) const {
    Arguments arguments(seeds, {});
    jit_result *made = nullptr;
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      status = jit_result_backward(result.get(), arguments.data(), arguments.size(), &made, &error);
    }
    check(status, error);
    OwnedResult owned(made, jit_result_free);
    return gradientsOf(made);
  }

private:
  OwnedResult result;
};

class Session {
public:
  Session(const std::string &path, unsigned threads, const std::string &target, bool explain,
          bool anySizes) {
    jit_session_options options = {};
    options.size = sizeof options;
    options.threads = threads;
    options.target = target.c_str();
    options.explain = explain;
    options.any_sizes = anySizes;
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      status = jit_session_open(path.c_str(), &options, &handle, &error);
    }
    check(status, error);
  }
  ~Session() { jit_session_close(handle); }
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  nb::object call(const std::string &method, nb::handle values, const std::vector<bool> &marked,
                  bool gradients) {
    Arguments arguments(values, marked);
    jit_result *made = nullptr;
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      auto run = gradients ? jit_session_call_with_gradients : jit_session_call;
      status = run(handle, method.c_str(), arguments.data(), arguments.size(), &made, &error);
    }
    check(status, error);
    OwnedResult result(made, jit_result_free);
    nb::object value = toPython(*jit_result_value(made), made);
    if (!gradients)
      return value;
    return nb::make_tuple(value, gradientsOf(made));
  }

  void prepare(const std::string &method, nb::handle values) {
    Arguments arguments(values, {});
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      status = jit_session_prepare(handle, method.c_str(), arguments.data(), arguments.size(),
                                   &error);
    }
    check(status, error);
  }

  Forward forward(const std::string &method, nb::handle values, const std::vector<bool> &marked) {
    Arguments arguments(values, marked);
    jit_result *made = nullptr;
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      status = jit_session_forward(handle, method.c_str(), arguments.data(), arguments.size(),
                                   &made, &error);
    }
    check(status, error);
    return Forward(OwnedResult(made, jit_result_free));
  }

  std::string graphFor(const std::string &method, nb::handle values,
                       const std::vector<bool> &marked, bool gradients) {
    Arguments arguments(values, marked);
    char *text = nullptr;
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      status = jit_session_graph_for(handle, method.c_str(), arguments.data(), arguments.size(),
                                     gradients, &text, &error);
    }
    check(status, error);
    return takeText(text);
  }

  std::string methods() {
    char *text = nullptr;
    jit_error error;
    check(jit_session_methods(handle, &text, &error), error);
    return takeText(text);
  }

  std::string report() {
    char *text = nullptr;
    jit_error error;
    check(jit_session_report(handle, &text, &error), error);
    return takeText(text);
  }

  nb::object state(const std::string &path) {
    jit_result *made = nullptr;
    jit_error error;
    check(jit_session_state(handle, path.c_str(), &made, &error), error);
    OwnedResult result(made, jit_result_free);
    return toPython(*jit_result_value(made), made);
  }

  void reset() { jit_session_reset(handle); }

  void save(const std::string &path, const std::vector<std::string> &calls, const std::string &name,
            const std::string &weights, const std::string &cpu) {
    std::vector<const char *> texts;
    for (const std::string &text : calls)
      texts.push_back(text.c_str());
    jit_save_options options = {};
    options.size = sizeof options;
    options.name = name.c_str();
    options.weights = weights.c_str();
    options.cpu = cpu.c_str();
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      status = jit_session_save(handle, path.c_str(), texts.data(), texts.size(), &options, &error);
    }
    check(status, error);
  }

private:
  jit_session *handle = nullptr;
};

} // namespace

NB_MODULE(_core, m) {
  // What PyTorch keeps of its graphs when Python ends is no leak of ours.
  nb::set_leak_warnings(false);
  static nb::object errorType;
  m.def("set_error_type", [](nb::object type) { errorType = type; }, "type"_a);
  nb::register_exception_translator([](const std::exception_ptr &thrown, void *) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Failure &failure) {
      const jit_error &error = failure.error;
      nb::object made = errorType(nb::str(error.message), error.status, nb::str(error.where),
                                  nb::str(error.python_class));
      PyErr_SetObject(errorType.ptr(), made.ptr());
    }
  });
  m.attr("version") = jit_version();
  m.def("operators", [] {
    char *text = nullptr;
    jit_error error;
    check(jit_operators(&text, &error), error);
    return takeText(text);
  });
  nb::class_<Forward>(m, "Forward")
      .def("value", &Forward::value)
      .def("backward", &Forward::backward, "seeds"_a);
  nb::class_<Session>(m, "Session")
      .def(nb::init<const std::string &, unsigned, const std::string &, bool, bool>(), "path"_a,
           "threads"_a, "target"_a, "explain"_a, "any_sizes"_a)
      .def("call", &Session::call, "method"_a, "arguments"_a, "marked"_a, "gradients"_a)
      .def("prepare", &Session::prepare, "method"_a, "arguments"_a)
      .def("forward", &Session::forward, "method"_a, "arguments"_a, "marked"_a)
      .def("graph_for", &Session::graphFor, "method"_a, "arguments"_a, "marked"_a, "gradients"_a)
      .def("methods", &Session::methods)
      .def("report", &Session::report)
      .def("state", &Session::state, "path"_a)
      .def("reset", &Session::reset)
      .def("save", &Session::save, "path"_a, "calls"_a, "name"_a, "weights"_a, "cpu"_a);
}
