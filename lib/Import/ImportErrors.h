//===- ImportErrors.h - what an import cannot take --------------*- C++ -*-===//
#ifndef JIT_LIB_IMPORT_IMPORTERRORS_H
#define JIT_LIB_IMPORT_IMPORTERRORS_H

#include "jit/Dialect/Jit/TypeNames.h"
#include "jit/Import/Coverage.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace jit {

/// The errors of one import, of whatever format, so that one run reports all of them: what is wrong
/// with a program goes to the context's diagnostics, what is missing here to its coverage.
class ImportErrors {
public:
  explicit ImportErrors(Coverage &coverage) : coverage(coverage) {}

  mlir::InFlightDiagnostic error(mlir::Location loc);
  /// An error that is worth reporting only at the first place where it occurs.
  void errorOnce(mlir::Location loc, const std::string &message);
  /// Something without which there is no program: it is reported with all else that is missing.
  void missing(Coverage::Kind kind, mlir::Location loc, const std::string &message);
  /// A missing operator. The program stands without it as long as no call gets there.
  void missingOperator(mlir::Location loc, const std::string &message,
                       llvm::ArrayRef<std::string> notes, llvm::StringRef key);
  void coveredOperator();
  bool any() const { return count != 0; }

  /// What was wrong in an attempt, and what was not.
  struct Attempt {
    Coverage::Kind kind = Coverage::Kind::Statement;
    /// Empty if nothing was wrong.
    std::string message;
    std::vector<std::string> notes;
    std::string key;
    size_t covered = 0;
  };
  /// What \p build does as an attempt: nothing of what it finds wrong is reported.
  Attempt attempt(mlir::MLIRContext *context, llvm::function_ref<void()> build);
  /// Something that is missing here, and held by the program as it is written.
  void kept(mlir::Location loc, const Attempt &why) {
    coverage.missing(why.kind, loc, why.message, why.notes, why.key, /*isKept=*/true);
  }

private:
  Coverage &coverage;
  /// The attempt that is under way.
  Attempt *tried = nullptr;
  size_t count = 0;
  llvm::StringSet<> reported;
};

/// The narrowest type that holds what values of all these types are: T and None make an Optional,
/// numbers a Scalar, anything else Any.
mlir::Type unionType(llvm::ArrayRef<mlir::Type> types, mlir::MLIRContext *context);

} // namespace jit

#endif // JIT_LIB_IMPORT_IMPORTERRORS_H
