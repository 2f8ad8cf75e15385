//===- TorchScript.h - from a TorchScript archive to jit + aten -*- C++ -*-===//
#ifndef JIT_IMPORT_TORCHSCRIPT_H
#define JIT_IMPORT_TORCHSCRIPT_H

#include "jit/Archive/TorchScriptArchive.h"
#include "jit/Import/Coverage.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace jit {

/// The program of \p archive: a public function for each method of the saved module, a private one
/// for each method and function that those reach, and a jit.slot for each piece of state. All
/// errors, not only the first, go to the context's diagnostics with the user's Python file and
/// line, what is missing here to \p coverage; then the result is null, but that a missing operator
/// alone becomes a jit.missing. Loads the dialects that it needs.
mlir::OwningOpRef<mlir::ModuleOp> importTorchScript(const TorchScriptArchive &archive,
                                                    mlir::MLIRContext &context, Coverage &coverage);

} // namespace jit

#endif // JIT_IMPORT_TORCHSCRIPT_H
