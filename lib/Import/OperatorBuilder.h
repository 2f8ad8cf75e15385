//===- OperatorBuilder.h - operators by their schemas -----------*- C++ -*-===//
//
// What the importers of all formats share: finding the overload that a call means, converting its
// arguments and filling in the schema's defaults.
//
// A null Value stands for something unknown after an error: whatever is made of it is unknown too,
// without another error.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_IMPORT_OPERATORBUILDER_H
#define JIT_LIB_IMPORT_OPERATORBUILDER_H

#include "ImportErrors.h"
#include "Overloads.h"
#include "mlir/IR/Builders.h"

namespace jit {

class OperatorBuilder {
protected:
  OperatorBuilder(mlir::MLIRContext *context, const SchemaIndex &schemas, ImportErrors &errors)
      : context(context), builder(context), schemas(schemas), errors(errors) {}

  // ---- Operators ----
  /// The operator \p name, in place where it ends in an underscore and only the functional form is
  /// registered.
  mlir::Value callOperator(llvm::StringRef name, llvm::ArrayRef<CallArgument> arguments,
                           mlir::Location loc);
  mlir::Value callOperator(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                           mlir::Location loc);
  mlir::Value callInPlace(llvm::StringRef name, llvm::StringRef functional,
                          llvm::ArrayRef<CallArgument> arguments, mlir::Location loc);
  /// Whether an in-place operator changes what a tensor is, not what it holds.
  static bool changesSizes(llvm::StringRef name);
  /// Several results as a tuple, none as None.
  mlir::Value buildOperator(const OverloadMatch &match, mlir::Location loc);
  mlir::Value buildOperand(const SchemaArgument &formal, const OverloadMatch::Operand &operand,
                           mlir::Location loc);
  mlir::Value elementsAs(llvm::ArrayRef<mlir::Value> elements, const SchemaType &element,
                         mlir::Location loc);
  mlir::Value buildDefault(const SchemaType &type, llvm::StringRef text, mlir::Location loc);
  void reportMissing(llvm::StringRef name, llvm::ArrayRef<Overload> overloads,
                     llvm::ArrayRef<CallArgument> arguments, mlir::Location loc);

  // ---- Constants and types ----
  mlir::InFlightDiagnostic error(mlir::Location loc) { return errors.error(loc); }
  mlir::Value unknown() const { return {}; }
  /// An error about something that the importer does not know.
  mlir::Value unsupported(mlir::Location loc, const llvm::Twine &what);
  mlir::Value intConstant(int64_t value, mlir::Location loc);
  mlir::Value floatConstant(double value, mlir::Location loc);
  mlir::Value boolConstant(bool value, mlir::Location loc);
  mlir::Value noneConstant(mlir::Location loc);
  /// \p value under the type that is asked for; unknown after an error that names \p what.
  mlir::Value widen(mlir::Value value, mlir::Type type, mlir::Location loc,
                    const llvm::Twine &what);

  mlir::MLIRContext *context;
  mlir::OpBuilder builder;
  const SchemaIndex &schemas;
  ImportErrors &errors;
};

} // namespace jit

#endif // JIT_LIB_IMPORT_OPERATORBUILDER_H
