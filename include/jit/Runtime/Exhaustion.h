//===- Exhaustion.h - exhausted memory beyond one thread ---------*- C++ -*-===//
#ifndef JIT_RUNTIME_EXHAUSTION_H
#define JIT_RUNTIME_EXHAUSTION_H

#include <functional>

namespace jit::runtime {

/// Does `work`; false where memory, or threads, are exhausted on the way. On a thread of its own an
/// exception would be the end of the process. For code that is compiled without exceptions.
bool completes(const std::function<void()> &work);

/// What a thread does in the name of others that have run out of memory: throws std::bad_alloc.
[[noreturn]] void failForMemory();

} // namespace jit::runtime

#endif // JIT_RUNTIME_EXHAUSTION_H
