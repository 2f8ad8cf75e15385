//===- ImportErrors.h - what an import cannot take --------------*- C++ -*-===//
#ifndef JIT_LIB_IMPORT_IMPORTERRORS_H
#define JIT_LIB_IMPORT_IMPORTERRORS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace jit {

/// The errors of one import, of whatever format. They go to the context's diagnostics and are
/// counted, so that one run reports all of them.
class ImportErrors {
public:
  mlir::InFlightDiagnostic error(mlir::Location loc);
  /// An error that is worth reporting only at the first place where it occurs: of those with one
  /// \p key, or with one message.
  void errorOnce(mlir::Location loc, const std::string &message,
                 llvm::ArrayRef<std::string> notes = {}, llvm::StringRef key = {});
  bool any() const { return count != 0; }

private:
  size_t count = 0;
  llvm::StringSet<> reported;
};

/// A type as Python spells it, for messages.
std::string spell(mlir::Type type);

} // namespace jit

#endif // JIT_LIB_IMPORT_IMPORTERRORS_H
