//===- Diagnostics.h - MLIR's diagnostics as one Error ----------*- C++ -*-===//
#ifndef JIT_LIB_SESSION_DIAGNOSTICS_H
#define JIT_LIB_SESSION_DIAGNOSTICS_H

#include "jit/Result.h"
#include "mlir/IR/Diagnostics.h"

namespace jit {

/// Collects the errors of its scope. Warnings and remarks go on to whoever handles them.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext *context);

  /// All errors so far as one: the first one's place, each message on a line. `otherwise` where
  /// there was none. Of `code`, or Unsupported where one of them is a refusal.
  Error toError(ErrorCode code, const char *otherwise) const;

private:
  struct Entry {
    std::string message, where;
  };
  std::vector<Entry> errors;
  bool hasRefusal = false;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace jit

#endif // JIT_LIB_SESSION_DIAGNOSTICS_H
