//===- ImportErrors.cpp - what an import cannot take ----------------------===//

#include "ImportErrors.h"

using namespace mlir;

namespace jit {

InFlightDiagnostic ImportErrors::error(Location loc) {
  ++count;
  return emitError(loc);
}

void ImportErrors::errorOnce(Location loc, const std::string &message, ArrayRef<std::string> notes,
                             StringRef key) {
  if (!reported.insert(key.empty() ? StringRef(message) : key).second)
    return;
  InFlightDiagnostic diagnostic = error(loc);
  diagnostic << message;
  for (const std::string &note : notes)
    diagnostic.attachNote() << note;
}

} // namespace jit
