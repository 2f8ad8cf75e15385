//===- Export.h - a program as torch.export saves it ------------*- C++ -*-===//
#ifndef JIT_EXPORT_EXPORT_H
#define JIT_EXPORT_EXPORT_H

#include "jit/Archive/ByteSink.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <utility>
#include <vector>

namespace jit {

/// How the program of a call is called.
struct ExportedCall {
  std::string entry = "forward";
  /// What it was specialised for (docs/call-spec.md).
  std::string args;
  /// Of the method's arguments, in their order.
  std::vector<std::string> argumentNames;
  /// Second names of state or of a submodule, and the first ones.
  std::vector<std::pair<std::string, std::string>> aliases;
};

/// The names of an entry's arguments, while it still has all of them: before Specialize.
std::vector<std::string> argumentNames(mlir::ModuleOp module, llvm::StringRef entry);

/// The second names that a program begins with: Normalize resolves them.
std::vector<std::pair<std::string, std::string>> aliasesOf(mlir::ModuleOp module);

/// Writes a program that has been through the stage Gradients, with complex tensors whole, and the
/// weights of its archive to \p sink. Errors name the user's lines.
llvm::LogicalResult exportProgram(mlir::ModuleOp module, const ExportedCall &call,
                                  const ByteSink &sink);

} // namespace jit

#endif // JIT_EXPORT_EXPORT_H
