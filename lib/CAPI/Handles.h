//===- Handles.h - what the C interface's handles are ------------*- C++ -*-===//
#ifndef JIT_LIB_CAPI_HANDLES_H
#define JIT_LIB_CAPI_HANDLES_H

#include "jit-c/Jit.h"
#include "jit/Session/Session.h"

#include <atomic>
#include <list>
#include <mutex>

struct jit_session {
  std::mutex reportMutex;
  std::string report;
  std::unique_ptr<jit::Session> session; // whose thread may write a report until it ends
};

struct jit_result {
  std::atomic<unsigned> owners{1};
  jit::GradientResult result;
  /// Of a forward pass alone.
  decltype(jit::ForwardResult::backward) backward = {};
  jit_value value = {};
  std::vector<jit_value> gradients;
  /// For each argument whose sizes the call changed: its path, and what it is now.
  std::vector<std::pair<std::string, jit_value>> reshaped;
  /// The elements of lists and tuples; a list does not move them, and asks for nothing without any.
  std::list<std::vector<jit_value>> items;
};

namespace jit {

/// Fills in `error`, which may be null.
jit_status report(const Error &error, jit_error *into);

/// Arguments of a call as the session takes them: tensors that are row-major are shared, others are
/// copied. Malformed ones are errors: no kind, null, negative sizes, too deep.
Result<std::vector<runtime::Value>> readArguments(std::span<const jit_value> arguments);

/// Copies what the call wrote back to where it came from. An error where that is not to be written.
Result<void> writeBack(std::span<const jit_value> arguments, const ChangedArguments &changed);

/// Fills in what `result` says of the arguments whose sizes the call changed.
void fillReshaped(std::span<const jit_value> arguments, jit_result &result);

/// Fills in what points into `result`.
void fillResult(jit_result &result);

} // namespace jit

#endif // JIT_LIB_CAPI_HANDLES_H
