//===- Compiler.cpp - programs that are compiled as they are called -------===//
#include "Exchange.h"
#include "PlainArguments.h"
#include "Values.h"
#include "jit-c/Jit.h"

#include <memory>
#include <nanobind/stl/optional.h>
#include <optional>

using namespace jit_python;
using namespace nb::literals;

namespace {

void freeResult(void *result) noexcept { jit_result_free(static_cast<jit_result *>(result)); }

/// Lists and tuples of views of a result's tensors: each keeps the result alive. They are arrays of
/// `torch`, where that is given.
nb::object toPython(const jit_value &value, jit_result *result,
                    const TorchExchange *torch = nullptr) {
  if (value.kind == JIT_KIND_LIST || value.kind == JIT_KIND_TUPLE) {
    nb::list items;
    for (size_t i = 0; i < value.as.list.count; ++i)
      items.append(toPython(value.as.list.items[i], result, torch));
    if (value.flags & JIT_IS_DICT) {
      nb::dict dict;
      for (nb::handle pair : items)
        dict[pair[0]] = pair[1];
      return dict;
    }
    return value.kind == JIT_KIND_LIST ? nb::object(items) : nb::object(nb::tuple(items));
  }
  if (torch && value.kind == JIT_KIND_TENSOR && !(value.flags & JIT_IS_COMPLEX))
    return torch->give(value.as.tensor, jit_result_share(result), freeResult);
  nb::capsule owner(jit_result_share(result), freeResult);
  return jit_python::toPython(value, owner);
}

using OwnedResult = std::unique_ptr<jit_result, void (*)(jit_result *)>;

std::string takeText(char *text) {
  std::unique_ptr<char, void (*)(char *)> owned(text, jit_free);
  return owned.get();
}

/// As C takes them; they live as long as the texts.
std::vector<const char *> pointersTo(const std::vector<std::string> &texts) {
  std::vector<const char *> pointers;
  for (const std::string &text : texts)
    pointers.push_back(text.c_str());
  return pointers;
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

/// Changes the sizes of the caller's arguments where the program did that in place.
void reshapeArguments(nb::handle given, jit_result *result) {
  size_t count = jit_result_reshaped_count(result);
  if (count == 0)
    return;
  nb::list changes;
  for (size_t i = 0; i < count; ++i) {
    const char *name;
    const jit_value *now = jit_result_reshaped(result, i, &name);
    const jit_tensor &tensor = now->as.tensor;
    changes.append(nb::make_tuple(name, std::vector(tensor.sizes, tensor.sizes + tensor.rank),
                                  std::vector(tensor.strides, tensor.strides + tensor.rank),
                                  reinterpret_cast<uintptr_t>(tensor.data),
                                  toPython(*now, result)));
  }
  nb::module_::import_("jit_mlir._arrays").attr("reshape")(given, changes);
}

/// A stream of a CUDA device that calls of this thread do their work in while it lives, if
/// there is one.
class InStream {
public:
  explicit InStream(std::optional<uintptr_t> stream) : isIn(stream.has_value()) {
    if (isIn)
      jit_enter_stream(reinterpret_cast<void *>(*stream));
  }
  ~InStream() {
    if (isIn)
      jit_leave_stream();
  }
  InStream(const InStream &) = delete;
  InStream &operator=(const InStream &) = delete;

private:
  bool isIn;
};

/// A forward pass with what its backward pass needs.
class Forward {
public:
  explicit Forward(OwnedResult result) : result(std::move(result)) {}

  nb::object value() const { return toPython(*jit_result_value(result.get()), result.get()); }

  /// `stream` as for Session::call; of a forward pass in one.
  nb::dict backward(nb::handle seeds, std::optional<uintptr_t> stream) const {
    Arguments arguments(seeds, {}, stream.has_value());
    jit_result *made = nullptr;
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      InStream inside(stream);
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
          std::optional<bool> anySizes, const std::string &numerics, const std::string &tier,
          bool isolate, const std::vector<std::string> &operators) {
    std::vector<const char *> files = pointersTo(operators);
    jit_session_options options = {};
    options.size = sizeof options;
    options.threads = threads;
    options.target = target.c_str();
    options.explain = explain;
    options.any_sizes = !anySizes ? 0 : *anySizes ? 1 : -1;
    options.numerics = numerics.c_str();
    options.tier = tier.c_str();
    options.cache = ""; // the user's
    options.isolate = isolate;
    options.operators = files.data();
    options.operator_count = files.size();
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

  /// `stream`: the one to work in, of the session's CUDA device; arguments may be there then, and
  /// results are. `given`: the arguments as the caller has them.
  nb::object call(const std::string &method, nb::handle values, const std::vector<bool> &marked,
                  bool gradients, std::optional<uintptr_t> stream, nb::handle given) {
    Arguments arguments(values, marked, stream.has_value());
    jit_result *made = nullptr;
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      InStream inside(stream);
      auto run = gradients ? jit_session_call_with_gradients : jit_session_call;
      status = run(handle, method.c_str(), arguments.data(), arguments.size(), &made, &error);
    }
    check(status, error);
    OwnedResult result(made, jit_result_free);
    reshapeArguments(given, made);
    nb::object value = toPython(*jit_result_value(made), made);
    if (!gradients)
      return value;
    return nb::make_tuple(value, gradientsOf(made));
  }

  /// A call of plain arguments in the memory of the CPU, with no question that Python answers;
  /// NotImplemented for others, which `call` is for.
  nb::object callPlain(const char *method, nb::tuple given) {
    const TorchExchange *torch = TorchExchange::find();
    PlainArguments arguments;
    if (!torch || !arguments.read(given, *torch))
      return nb::borrow(Py_NotImplemented);
    jit_result *made = nullptr;
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      status = jit_session_call(handle, method, arguments.data(), arguments.size(), &made, &error);
    }
    check(status, error);
    OwnedResult result(made, jit_result_free);
    reshapeArguments(given, made);
    return toPython(*jit_result_value(made), made, torch);
  }

  void prepare(const std::string &method, nb::handle values) {
    Arguments arguments(values, {});
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      status =
          jit_session_prepare(handle, method.c_str(), arguments.data(), arguments.size(), &error);
    }
    check(status, error);
  }

  Forward forward(const std::string &method, nb::handle values, const std::vector<bool> &marked,
                  std::optional<uintptr_t> stream) {
    Arguments arguments(values, marked, stream.has_value());
    jit_result *made = nullptr;
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      InStream inside(stream);
      status = jit_session_forward(handle, method.c_str(), arguments.data(), arguments.size(),
                                   &made, &error);
    }
    check(status, error);
    return Forward(OwnedResult(made, jit_result_free));
  }

  /// As MLIR, or as an SVG image.
  std::string graphFor(const std::string &method, nb::handle values,
                       const std::vector<bool> &marked, bool gradients, bool drawn) {
    Arguments arguments(values, marked);
    char *text = nullptr;
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      auto show = drawn ? jit_session_graph_svg : jit_session_graph_for;
      status = show(handle, method.c_str(), arguments.data(), arguments.size(), gradients, &text,
                    &error);
    }
    check(status, error);
    return takeText(text);
  }

  /// As an SVG image; None before the first call.
  std::optional<std::string> lastGraph() {
    char *text = nullptr;
    jit_error error;
    jit_status status;
    {
      nb::gil_scoped_release release;
      status = jit_session_last_graph_svg(handle, &text, &error);
    }
    if (status == JIT_NOT_FOUND)
      return std::nullopt;
    check(status, error);
    return takeText(text);
  }

  std::string methods() {
    char *text = nullptr;
    jit_error error;
    check(jit_session_methods(handle, &text, &error), error);
    return takeText(text);
  }

  std::string layouts() {
    char *text = nullptr;
    jit_error error;
    check(jit_session_layouts(handle, &text, &error), error);
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
            const std::string &weights, const std::string &cpu, const std::string &target,
            const std::string &chip) {
    std::vector<const char *> texts = pointersTo(calls);
    jit_save_options options = {};
    options.size = sizeof options;
    options.name = name.c_str();
    options.weights = weights.c_str();
    options.cpu = cpu.c_str();
    options.target = target.c_str();
    options.chip = chip.c_str();
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

NB_MODULE(_compiler, m) {
  // What PyTorch keeps of its graphs when Python ends is no leak of ours.
  nb::set_leak_warnings(false);
  translateFailures();
  m.def("operators", [] {
    char *text = nullptr;
    jit_error error;
    check(jit_operators(&text, &error), error);
    return takeText(text);
  });
  m.def(
      "operators_in",
      [](const std::vector<std::string> &files) {
        char *text = nullptr;
        jit_error error;
        check(jit_operators_in(pointersTo(files).data(), files.size(), &text, &error), error);
        return takeText(text);
      },
      "files"_a);
  m.def(
      "call_text",
      [](const std::string &method, nb::handle values) {
        Arguments arguments(values, {}, /*mayBeOnDevice=*/true);
        char *text = nullptr;
        jit_error error;
        check(jit_call_text(method.c_str(), arguments.data(), arguments.size(), &text, &error),
              error);
        return takeText(text);
      },
      "method"_a, "arguments"_a);
  nb::class_<Forward>(m, "Forward")
      .def("value", &Forward::value)
      .def("backward", &Forward::backward, "seeds"_a, "stream"_a = nb::none());
  nb::class_<Session>(m, "Session")
      .def(nb::init<const std::string &, unsigned, const std::string &, bool, std::optional<bool>,
                    const std::string &, const std::string &, bool,
                    const std::vector<std::string> &>(),
           "path"_a, "threads"_a, "target"_a, "explain"_a, "any_sizes"_a.none(), "numerics"_a,
           "tier"_a, "isolate"_a, "operators"_a)
      .def("call", &Session::call, "method"_a, "arguments"_a, "marked"_a, "gradients"_a, "stream"_a,
           "given"_a)
      .def("call_plain", &Session::callPlain, "method"_a, "arguments"_a)
      .def("prepare", &Session::prepare, "method"_a, "arguments"_a)
      .def("forward", &Session::forward, "method"_a, "arguments"_a, "marked"_a,
           "stream"_a = nb::none())
      .def("graph_for", &Session::graphFor, "method"_a, "arguments"_a, "marked"_a, "gradients"_a,
           "drawn"_a)
      .def("last_graph", &Session::lastGraph)
      .def("layouts", &Session::layouts)
      .def("methods", &Session::methods)
      .def("report", &Session::report)
      .def("state", &Session::state, "path"_a)
      .def("reset", &Session::reset)
      .def("save", &Session::save, "path"_a, "calls"_a, "name"_a, "weights"_a, "cpu"_a, "target"_a,
           "chip"_a);
}
