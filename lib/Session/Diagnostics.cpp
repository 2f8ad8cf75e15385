//===- Diagnostics.cpp - MLIR's diagnostics as one Error ------------------===//

#include "Diagnostics.h"
#include "jit/Dialect/Jit/Remarks.h"

using namespace mlir;

namespace jit {

DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        errors.push_back({diagnostic.str(), describeLocation(diagnostic.getLocation())});
        return success();
      }) {}

Error DiagnosticCollector::toError(ErrorCode code, const char *otherwise) const {
  if (errors.empty())
    return {code, otherwise};
  Error error{code, errors.front().message, errors.front().where};
  for (const Entry &entry : llvm::ArrayRef(errors).drop_front())
    error.message += "\n" + (entry.where.empty() ? "" : entry.where + ": ") + entry.message;
  return error;
}

} // namespace jit
