//===- ImportErrors.cpp - what an import cannot take ----------------------===//

#include "ImportErrors.h"
#include "jit/Dialect/Jit/CapturedErrors.h"

using namespace mlir;

namespace jit {

InFlightDiagnostic ImportErrors::error(Location loc) {
  ++count;
  return emitError(loc);
}

void ImportErrors::errorOnce(Location loc, const std::string &message) {
  if (tried || reported.insert(message).second)
    error(loc) << message;
}

void ImportErrors::missing(Coverage::Kind kind, Location loc, const std::string &message) {
  ++count;
  if (!tried)
    coverage.missing(kind, loc, message);
  else if (tried->message.empty())
    *tried = {kind, message, {}, {}, tried->covered};
}

void ImportErrors::missingOperator(Location loc, const std::string &message,
                                   ArrayRef<std::string> notes, StringRef key) {
  constexpr auto kind = Coverage::Kind::Operator;
  if (!tried)
    coverage.missing(kind, loc, message, notes, key);
  else if (tried->message.empty())
    *tried = {kind, message, notes.vec(), key.str(), tried->covered};
}

void ImportErrors::coveredOperator() {
  if (tried)
    ++tried->covered;
  else
    coverage.covered();
}

ImportErrors::Attempt ImportErrors::attempt(MLIRContext *context, function_ref<void()> build) {
  Attempt made;
  size_t before = count;
  tried = &made;
  CapturedErrors captured(context);
  build();
  tried = nullptr;
  count = before;
  for (const Diagnostic &error : captured.take())
    if (made.message.empty())
      made.message = error.str();
  if (made.message.empty())
    for (size_t i = 0; i < made.covered; ++i)
      coverage.covered();
  return made;
}

} // namespace jit
