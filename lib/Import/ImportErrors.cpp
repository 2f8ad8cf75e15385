//===- ImportErrors.cpp - what an import cannot take ----------------------===//

#include "ImportErrors.h"

using namespace mlir;

namespace jit {

InFlightDiagnostic ImportErrors::error(Location loc) {
  ++count;
  return emitError(loc);
}

void ImportErrors::errorOnce(Location loc, const std::string &message) {
  if (reported.insert(message).second)
    error(loc) << message;
}

void ImportErrors::missing(Coverage::Kind kind, Location loc, const std::string &message) {
  ++count;
  coverage.missing(kind, loc, message);
}

} // namespace jit
