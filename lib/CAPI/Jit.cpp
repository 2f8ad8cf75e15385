//===- Jit.cpp - sessions from C ------------------------------------------===//
#include "Guarded.h"

#include "llvm/ADT/StringSwitch.h"

#include <cstdlib>
#include <cstring>

using namespace jit;
using namespace jit::runtime;

/// What the caller's version of a struct has; the rest is zero.
template <typename Options> static Options read(const Options *given) {
  Options options = {};
  if (given)
    std::memcpy(&options, given, std::min(given->size, sizeof options));
  return options;
}

const char *jit_version(void) { return JIT_VERSION; }

void jit_free(char *text) { std::free(text); }

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

/// False for a text that is none of these.
static bool readLibraries(const char *text, GpuLibraries &libraries) {
  std::optional<GpuLibraries> found =
      llvm::StringSwitch<std::optional<GpuLibraries>>(text ? text : "off")
          .Case("off", GpuLibraries::Off)
          .Case("auto", GpuLibraries::Auto)
          .Case("on", GpuLibraries::On)
          .Default(std::nullopt);
  libraries = found.value_or(GpuLibraries::Off);
  return found.has_value();
}

jit_status jit_session_open(const char *path, const jit_session_options *options,
                            jit_session **session, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    if (!path || !session)
      return refuseNull(error);
    *session = nullptr;
    jit_session_options given = read(options);
    auto made = std::make_unique<jit_session>();
    SessionOptions inner;
    if (given.target)
      inner.target = given.target;
    inner.threads = given.threads;
    if (given.max_variants)
      inner.maxVariants = given.max_variants;
    if (given.any_sizes)
      inner.sizes = given.any_sizes > 0 ? SizePolicy::Symbolic : SizePolicy::Static;
    std::string numerics = given.numerics ? given.numerics : "fast";
    if (numerics != "fast" && numerics != "strict")
      return report({ErrorCode::InvalidArgument,
                     "expected numerics 'fast' or 'strict', got '" + numerics + "'"},
                    error);
    inner.isolate = given.isolate != 0;
    if (given.cache)
      inner.cache = given.cache;
    auto operators = readTexts(given.operators, given.operator_count);
    if (!operators)
      return refuseNull(error);
    inner.operators = std::move(*operators);
    inner.numerics = numerics == "fast" ? Numerics::Fast : Numerics::Strict;
    inner.gpuTf32 = given.gpu_tf32 != 0;
    if (!readLibraries(given.gpu_libraries, inner.gpuLibraries))
      return report({ErrorCode::InvalidArgument,
                     std::string("expected gpu_libraries 'off', 'auto' or 'on', got '") +
                         given.gpu_libraries + "'"},
                    error);
    std::string tier = given.tier ? given.tier : "both";
    if (tier != "baseline" && tier != "optimised" && tier != "both")
      return report({ErrorCode::InvalidArgument,
                     "expected tier 'baseline', 'optimised' or 'both', got '" + tier + "'"},
                    error);
    inner.tier = tier == "baseline"    ? Tier::Baseline
                 : tier == "optimised" ? Tier::Optimised
                                       : Tier::Both;
    if (given.explain)
      inner.explain = [handle = made.get()](const std::string &line) {
        std::lock_guard<std::mutex> lock(handle->reportMutex);
        handle->report += line + "\n";
      };
    if (given.progress)
      inner.progress = [call = given.progress,
                        data = given.progress_data](const std::string &what) {
        call(data, what.empty() ? nullptr : what.c_str());
      };
    auto opened = Session::open(path, inner);
    if (!opened)
      return report(opened.error(), error);
    made->session = std::move(*opened);
    *session = made.release();
    return JIT_OK;
  });
}

void jit_session_close(jit_session *session) { delete session; }

jit_status jit_session_methods(jit_session *session, char **text, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    if (!session || !text)
      return refuseNull(error);
    std::string lines;
    for (const MethodInfo &info : session->session->methods()) {
      lines += info.name + "(";
      for (size_t i = 0; i < info.arguments.size(); ++i)
        lines += (i ? ", " : "") + info.arguments[i];
      lines += ")\n";
    }
    return giveText(lines, text, error);
  });
}

jit_status jit_session_layouts(jit_session *session, char **text, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    if (!session || !text)
      return refuseNull(error);
    std::string layouts;
    for (const MethodInfo &info : session->session->methods())
      if (!info.layout.empty())
        layouts += (layouts.empty() ? "\"" : ", \"") + info.name + "\": " + info.layout;
    return giveText("{" + layouts + "}", text, error);
  });
}

jit_status jit_session_report(jit_session *session, char **text, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    if (!session || !text)
      return refuseNull(error);
    std::lock_guard<std::mutex> lock(session->reportMutex);
    return giveText(session->report, text, error);
  });
}

void jit_session_reset(jit_session *session) {
  if (session)
    session->session->resetState();
}

jit_status jit_call_text(const char *method, const jit_value *arguments, size_t count, char **text,
                         jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    if (!method || (count > 0 && !arguments) || !text)
      return refuseNull(error);
    auto values = readArguments({arguments, count});
    if (!values)
      return report(values.error(), error);
    auto call = PackagedCall::of(method, std::move(*values));
    return call ? giveText(call->str(), text, error) : report(call.error(), error);
  });
}

jit_status jit_session_save(jit_session *session, const char *path, const char *const *calls,
                            size_t count, const jit_save_options *options, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    if (!session || !path || (count > 0 && !calls))
      return refuseNull(error);
    jit_save_options given = read(options);
    auto text = [](const char *value) { return std::string(value ? value : ""); };
    PackageOptions package{.calls = {},
                           .output = path,
                           .name = text(given.name),
                           .weightsFile = text(given.weights),
                           .cpu = given.cpu && *given.cpu ? given.cpu : "native",
                           .target = given.target && *given.target ? given.target : "cpu",
                           .chip = text(given.chip),
                           .keepPlaces = given.keep_places != 0};
    for (size_t i = 0; i < count; ++i) {
      if (!calls[i])
        return refuseNull(error);
      auto call = PackagedCall::parse(calls[i]);
      if (!call)
        return report(call.error(), error);
      package.calls.push_back(std::move(*call));
    }
    auto saved = session->session->save(package);
    return saved ? JIT_OK : report(saved.error(), error);
  });
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static jit_status giveResult(GradientResult made, std::span<const jit_value> arguments,
                             jit_result **result) {
  auto handle = std::make_unique<jit_result>();
  handle->result = std::move(made);
  fillResult(*handle);
  fillReshaped(arguments, *handle);
  *result = handle.release();
  return JIT_OK;
}

static jit_status call(jit_session *session, const char *method, const jit_value *arguments,
                       size_t count, bool gradients, jit_result **result, jit_error *error) {
  if (!session || !method || !result || (count > 0 && !arguments))
    return refuseNull(error);
  *result = nullptr;
  std::span<const jit_value> given(arguments, count);
  auto values = readArguments(given);
  if (!values)
    return report(values.error(), error);
  Result<GradientResult> made = Error{};
  ChangedArguments changed;
  if (gradients) {
    made = session->session->runWithGradients(method, *values);
  } else if (auto value = session->session->run(method, *values, &changed)) {
    made = GradientResult{std::move(*value), {}, std::move(changed)};
  } else {
    made = value.takeError();
  }
  if (!made)
    return report(made.error(), error);
  if (auto written = writeBack(given, made->changed); !written)
    return report(written.error(), error);
  return giveResult(std::move(*made), given, result);
}

/// That of the calling thread.
static std::optional<CallerStream> &enteredStream() {
  static thread_local std::optional<CallerStream> stream;
  return stream;
}

void jit_enter_stream(void *stream) {
  enteredStream().reset();
  enteredStream().emplace(stream);
}

void jit_leave_stream(void) { enteredStream().reset(); }

jit_status jit_session_call(jit_session *session, const char *method, const jit_value *arguments,
                            size_t count, jit_result **result, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    return call(session, method, arguments, count, /*gradients=*/false, result, error);
  });
}

jit_status jit_session_call_with_gradients(jit_session *session, const char *method,
                                           const jit_value *arguments, size_t count,
                                           jit_result **result, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    return call(session, method, arguments, count, /*gradients=*/true, result, error);
  });
}

jit_status jit_session_prepare(jit_session *session, const char *method, const jit_value *arguments,
                               size_t count, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    if (!session || !method || (count > 0 && !arguments))
      return refuseNull(error);
    auto values = readArguments({arguments, count});
    if (!values)
      return report(values.error(), error);
    auto prepared = session->session->prepare(method, *values);
    return prepared ? JIT_OK : report(prepared.error(), error);
  });
}

jit_status jit_session_forward(jit_session *session, const char *method, const jit_value *arguments,
                               size_t count, jit_result **result, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    if (!session || !method || !result || (count > 0 && !arguments))
      return refuseNull(error);
    *result = nullptr;
    std::span<const jit_value> given(arguments, count);
    auto values = readArguments(given);
    if (!values)
      return report(values.error(), error);
    auto made = session->session->forward(method, *values);
    if (!made)
      return report(made.error(), error);
    if (auto written = writeBack(given, made->changed); !written)
      return report(written.error(), error);
    jit_status status =
        giveResult({std::move(made->value), {}, std::move(made->changed)}, given, result);
    (*result)->backward = std::move(made->backward);
    return status;
  });
}

jit_status jit_result_backward(const jit_result *forward, const jit_value *seeds, size_t count,
                               jit_result **result, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    if (!forward || !result || (count > 0 && !seeds))
      return refuseNull(error);
    *result = nullptr;
    if (!forward->backward)
      return report({ErrorCode::InvalidArgument, "expected the result of jit_session_forward"},
                    error);
    auto values = readArguments({seeds, count});
    if (!values)
      return report(values.error(), error);
    auto gradients = forward->backward(*values);
    if (!gradients)
      return report(gradients.error(), error);
    return giveResult({Value(), std::move(*gradients)}, {}, result);
  });
}

using ShowGraph = Result<std::string> (Session::*)(const std::string &, std::span<const Value>,
                                                   bool);

static jit_status showGraph(ShowGraph show, jit_session *session, const char *method,
                            std::span<const jit_value> arguments, bool gradients, char **text,
                            jit_error *error) {
  if (!session || !method || !text || (!arguments.empty() && !arguments.data()))
    return refuseNull(error);
  auto values = readArguments(arguments);
  if (!values)
    return report(values.error(), error);
  auto graph = ((*session->session).*show)(method, *values, gradients);
  return graph ? giveText(*graph, text, error) : report(graph.error(), error);
}

jit_status jit_session_graph_for(jit_session *session, const char *method,
                                 const jit_value *arguments, size_t count, int32_t gradients,
                                 char **text, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    return showGraph(&Session::graphFor, session, method, {arguments, count}, gradients != 0, text,
                     error);
  });
}

jit_status jit_session_graph_svg(jit_session *session, const char *method,
                                 const jit_value *arguments, size_t count, int32_t gradients,
                                 char **text, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    return showGraph(&Session::drawGraph, session, method, {arguments, count}, gradients != 0, text,
                     error);
  });
}

jit_status jit_session_last_graph_svg(jit_session *session, char **text, jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    if (!session || !text)
      return refuseNull(error);
    auto graph = session->session->drawLastGraph();
    return graph ? giveText(*graph, text, error) : report(graph.error(), error);
  });
}

jit_status jit_session_state(jit_session *session, const char *path, jit_result **result,
                             jit_error *error) {
  return guarded(error, [&]() -> jit_status {
    if (!session || !path || !result)
      return refuseNull(error);
    auto value = session->session->state(path);
    if (!value)
      return report(value.error(), error);
    return giveResult({std::move(*value), {}}, {}, result);
  });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

const jit_value *jit_result_value(const jit_result *result) {
  return result ? &result->value : nullptr;
}

size_t jit_result_gradient_count(const jit_result *result) {
  return result ? result->gradients.size() : 0;
}

const jit_value *jit_result_gradient(const jit_result *result, size_t index, const char **name) {
  if (!result || index >= result->gradients.size())
    return nullptr;
  if (name)
    *name = result->result.gradients[index].name.c_str();
  return &result->gradients[index];
}

size_t jit_result_reshaped_count(const jit_result *result) {
  return result ? result->reshaped.size() : 0;
}

const jit_value *jit_result_reshaped(const jit_result *result, size_t index, const char **name) {
  if (!result || index >= result->reshaped.size())
    return nullptr;
  if (name)
    *name = result->reshaped[index].first.c_str();
  return &result->reshaped[index].second;
}

jit_result *jit_result_share(jit_result *result) {
  if (result)
    ++result->owners;
  return result;
}

void jit_result_free(jit_result *result) {
  if (result && --result->owners == 0)
    delete result;
}
