//===- Isolation.h - compilations in processes of their own -----*- C++ -*-===//
#ifndef JIT_LIB_SESSION_ISOLATION_H
#define JIT_LIB_SESSION_ISOLATION_H

#include "jit/Result.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace jit {

/// What `body` gives in a child process; of what it does the files alone are left. A crash there is
/// an error here, of the code Internal. `what` says what it does: "to compile forward(f32[2])".
Result<void> inChildProcess(const std::string &what, llvm::function_ref<Result<void>()> body);

} // namespace jit

#endif // JIT_LIB_SESSION_ISOLATION_H
