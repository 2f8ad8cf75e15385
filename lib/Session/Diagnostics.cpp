//===- Diagnostics.cpp - MLIR's diagnostics as one Error ------------------===//

#include "Diagnostics.h"
#include "jit/Dialect/Jit/CapturedErrors.h"

using namespace mlir;

namespace jit {

/// What MLIR says beside the error itself where it has written a bundle.
static bool saysBundleAlone(StringRef message) {
  return message.contains("while processing an MLIR pass pipeline");
}

DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        std::string message = diagnostic.str();
        if (saysBundleAlone(message) && !errors.empty())
          return success();
        for (Diagnostic &note : diagnostic.getNotes())
          if (note.str() == refusalNote)
            hasRefusal = true;
          else
            message += noteText(note);
        errors.push_back({std::move(message), describeLocation(diagnostic.getLocation())});
        return success();
      }) {}

Error DiagnosticCollector::toError(ErrorCode code, const char *otherwise) const {
  if (errors.empty())
    return {code, otherwise};
  Error error{hasRefusal ? ErrorCode::Unsupported : code, errors.front().message,
              errors.front().where};
  for (const Entry &entry : llvm::ArrayRef(errors).drop_front())
    error.message += "\n" + (entry.where.empty() ? "" : entry.where + ": ") + entry.message;
  return error;
}

} // namespace jit
