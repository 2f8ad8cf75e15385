//===- OutOfMemory.h - exhausted memory as an error -------------*- C++ -*-===//
//
// Containers of the standard library throw where there is no memory. A function that strangers call
// gives an error instead, by way of this; it has to be compiled with exceptions (EXCEPTIONS of
// jit_add_library), as has all that owns something between it and what throws.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_OUTOFMEMORY_H
#define JIT_OUTOFMEMORY_H

#include "jit/Result.h"

#include <new>
#include <stdexcept>

namespace jit {

/// Short enough to need no memory itself.
inline Error outOfMemory() { return {ErrorCode::LimitExceeded, "out of memory"}; }

/// What `body` gives, a Result; where memory is exhausted on the way, or asked for beyond what
/// there can be, that error.
template <typename Body> auto orOutOfMemory(const Body &body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return outOfMemory();
  } catch (const std::length_error &) {
    return outOfMemory();
  }
}

} // namespace jit

#endif // JIT_OUTOFMEMORY_H
