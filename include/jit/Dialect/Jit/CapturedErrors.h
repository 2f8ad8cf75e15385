//===- CapturedErrors.h - the errors of an attempt --------------*- C++ -*-===//
#ifndef JIT_DIALECT_JIT_CAPTUREDERRORS_H
#define JIT_DIALECT_JIT_CAPTUREDERRORS_H

#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <vector>

namespace jit {

/// Holds back the diagnostics of an attempt that may fail and be followed by another one.
class CapturedErrors {
public:
  explicit CapturedErrors(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          errors.push_back(std::move(diagnostic));
          return llvm::success();
        }) {}

  /// What was held back, to be given to reportAll once this is gone.
  std::vector<mlir::Diagnostic> take() { return std::move(errors); }

private:
  std::vector<mlir::Diagnostic> errors;
  mlir::ScopedDiagnosticHandler handler;
};

inline void reportAll(mlir::MLIRContext *context, std::vector<mlir::Diagnostic> &errors) {
  for (mlir::Diagnostic &error : errors)
    context->getDiagEngine().emit(std::move(error));
}

/// A note of ours beside an error, as more of its text; MLIR's own show operations.
inline std::string noteText(mlir::Diagnostic &note) {
  std::string text = note.str(), where = describeLocation(note.getLocation());
  if (llvm::StringRef(text).starts_with("see current operation"))
    return {};
  return " (" + (where.empty() ? "" : where + ": ") + text + ")";
}

} // namespace jit

#endif // JIT_DIALECT_JIT_CAPTUREDERRORS_H
