//===- Guarded.h - what the functions of the C interface share --*- C++ -*-===//
#ifndef JIT_LIB_CAPI_GUARDED_H
#define JIT_LIB_CAPI_GUARDED_H

#include "Handles.h"
#include "jit/OutOfMemory.h"

#include <cstdio>
#include <optional>

namespace jit {

inline jit_status refuseNull(jit_error *error) {
  return report({ErrorCode::InvalidArgument, "expected no null pointer"}, error);
}

/// What `body` gives; an exception that the standard library throws is an error. None may get to a
/// caller whose language knows none.
template <typename Body> jit_status guarded(jit_error *error, const Body &body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return report(outOfMemory(), error);
  } catch (const std::length_error &) {
    return report(outOfMemory(), error);
  } catch (const std::exception &unexpected) {
    if (error) {
      *error = {.status = JIT_INTERNAL};
      std::snprintf(error->message, sizeof error->message, "%s", unexpected.what());
    }
    return JIT_INTERNAL;
  }
}

/// A copy that the caller frees.
jit_status giveText(const std::string &from, char **text, jit_error *error);

/// Nothing where one of the caller's pointers is null.
std::optional<std::vector<std::string>> readTexts(const char *const *texts, size_t count);

} // namespace jit

#endif // JIT_LIB_CAPI_GUARDED_H
