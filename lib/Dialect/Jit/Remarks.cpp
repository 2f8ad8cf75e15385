//===- Remarks.cpp - places in the user's files ---------------------------===//

#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/IR/BuiltinAttributes.h"

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

LogicalResult refuse(InFlightDiagnostic error) {
  error.attachNote() << refusalNote;
  return failure();
}

} // namespace jit
