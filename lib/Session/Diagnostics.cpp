//===- Diagnostics.cpp - MLIR's diagnostics as one Error ------------------===//

#include "Diagnostics.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

using namespace mlir;

namespace jit {

std::string describeLocation(Location loc) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    return file.getFilename().str() + ":" + std::to_string(file.getLine());
  if (auto name = dyn_cast<NameLoc>(loc))
    return describeLocation(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    std::string callee = describeLocation(call.getCallee());
    return callee.empty() ? describeLocation(call.getCaller()) : callee;
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (std::string text = describeLocation(part); !text.empty())
        return text;
  return {};
}

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
