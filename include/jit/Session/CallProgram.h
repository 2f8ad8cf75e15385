//===- CallProgram.h - one call as a program on values ----------*- C++ -*-===//
//
// For tools that take a compilation apart: what the session would optimise, before it does.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_SESSION_CALLPROGRAM_H
#define JIT_SESSION_CALLPROGRAM_H

#include "jit/Runtime/Executor.h"
#include "jit/Session/Session.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace jit {

/// One call: the function that it runs, of `jit` and `aten` operators on values of known types, and
/// what that is given. Belongs to the session that made it, which must outlive it.
struct CallProgram {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string entry;
  /// The entry's arguments in order, module state that is written included.
  std::vector<runtime::Value> inputs;
  /// The tensors that `jit.slot_get` names.
  runtime::WeightSource weights;

  /// The program of such a call: after the stage Gradients; with `differentiate` after Autodiff,
  /// the gradients of Session::runWithGradients included.
  static Result<CallProgram> of(Session &session, const std::string &method,
                                std::span<const runtime::Value> args, bool differentiate = false);
};

} // namespace jit

#endif // JIT_SESSION_CALLPROGRAM_H
