//===- OperatorBuilder.h - operators by their schemas -----------*- C++ -*-===//
//
// What the importers of all formats share: finding the overload that a call means, converting its
// arguments and filling in the schema's defaults.
//
// Containers.cpp has lists and dicts that change in place, ValueForms.cpp what is no operator.
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

#include <complex>

namespace jit {

/// A member of an Enum is a tuple of its name and its value. TorchScript compares no other tuples
/// and has no attributes of them.
bool isEnum(mlir::Type type);

/// Opens a region with one block and builds there until it goes out of scope.
class OpenRegion {
public:
  OpenRegion(mlir::OpBuilder &builder, std::unique_ptr<mlir::Region> &region) : guard(builder) {
    region = std::make_unique<mlir::Region>();
    builder.setInsertionPointToStart(&region->emplaceBlock());
  }

private:
  mlir::OpBuilder::InsertionGuard guard;
};

class OperatorBuilder {
protected:
  OperatorBuilder(mlir::MLIRContext *context, const SchemaIndex &schemas, ImportErrors &errors)
      : context(context), builder(context), schemas(schemas), errors(errors) {}
  virtual ~OperatorBuilder() = default;

  // ---- Operators ----
  /// The operator \p name, in place where it ends in an underscore and only the functional form is
  /// registered.
  mlir::Value callOperator(llvm::StringRef name, llvm::ArrayRef<CallArgument> arguments,
                           mlir::Location loc);
  mlir::Value callOperator(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                           mlir::Location loc);
  mlir::Value callInPlace(llvm::StringRef name, llvm::StringRef functional,
                          llvm::ArrayRef<CallArgument> arguments, mlir::Location loc);
  mlir::Value callResize(llvm::StringRef name, llvm::ArrayRef<CallArgument> arguments,
                         mlir::Location loc);
  mlir::Value callWithoutGradients(llvm::StringRef name, llvm::ArrayRef<CallArgument> arguments,
                                   mlir::Location loc);
  /// The tensor \p self after an operator wrote its result to it; \p from is a `jit.cast`.
  mlir::Value overwrite(mlir::Value self, mlir::Value result, llvm::StringRef from,
                        mlir::Location loc);
  /// The tensor \p out after it took \p result, which is what out= asks for.
  mlir::Value writeOut(mlir::Value out, mlir::Value result, mlir::Location loc,
                       llvm::StringRef from = "category");
  /// A call with tensors that its results are written to: one that is called `out`, or the last
  /// arguments, by the names that PyTorch's overload for that has or by their places. Null where it
  /// is none.
  mlir::Value callInto(llvm::ArrayRef<Overload> overloads, llvm::ArrayRef<CallArgument> arguments,
                       mlir::Location loc);
  mlir::Value writeResults(OverloadMatch match, llvm::ArrayRef<CallArgument> outs,
                           mlir::Location loc);
  void computeInTypeOf(mlir::Value out, OverloadMatch &match, mlir::Location loc);
  /// Whether an in-place operator changes what a tensor is, not what it holds.
  static bool changesSizes(llvm::StringRef name);
  /// Several results as a tuple, none as None.
  mlir::Value buildOperator(const OverloadMatch &match, mlir::Location loc);
  mlir::Value buildOperand(const SchemaArgument &formal, const OverloadMatch::Operand &operand,
                           mlir::Location loc);
  mlir::Value elementsAs(llvm::ArrayRef<mlir::Value> elements, const SchemaType &element,
                         mlir::Location loc);
  mlir::Value buildDefault(const SchemaType &type, llvm::StringRef text, mlir::Location loc);
  /// A stand-in for the result of an operator that is not there.
  mlir::Value reportMissing(llvm::StringRef name, llvm::ArrayRef<Overload> overloads,
                            llvm::ArrayRef<CallArgument> arguments, mlir::Location loc);

  // ---- Lists and dicts that change ----
  using Arguments = llvm::ArrayRef<mlir::Value>;
  using Change = mlir::Value (OperatorBuilder::*)(Arguments arguments, mlir::Location loc);
  /// What the operator \p name does in place to a container of type \p type; null if nothing.
  static Change findChange(llvm::StringRef name, mlir::Type type);
  mlir::Value replace(mlir::Value container, mlir::Value content, mlir::Location loc);
  void raiseUnless(mlir::Value condition, llvm::StringRef message, llvm::StringRef pythonClass,
                   mlir::Location loc);
  mlir::Value choose(mlir::Value condition, llvm::function_ref<mlir::Value()> whenTrue,
                     llvm::function_ref<mlir::Value()> whenFalse, mlir::Location loc);
  mlir::Value listOf(mlir::Value element, mlir::Value like, mlir::Location loc);
  mlir::Value listPart(mlir::Value list, mlir::Value start, mlir::Value end, mlir::Location loc);
  mlir::Value listPosition(mlir::Value list, mlir::Value index, mlir::Location loc);
  mlir::Value listWithout(mlir::Value list, mlir::Value position, mlir::Value instead,
                          mlir::Location loc);
  mlir::Value listInsert(Arguments arguments, mlir::Location loc);
  mlir::Value listSetItem(Arguments arguments, mlir::Location loc);
  mlir::Value listPop(Arguments arguments, mlir::Location loc);
  mlir::Value listRemove(Arguments arguments, mlir::Location loc);
  mlir::Value reversed(mlir::Value list, mlir::Location loc);
  mlir::Value listReverse(Arguments arguments, mlir::Location loc);
  mlir::Value listSort(Arguments arguments, mlir::Location loc);
  mlir::Value listExtend(Arguments arguments, mlir::Location loc);
  mlir::Value listRepeat(Arguments arguments, mlir::Location loc);
  mlir::Value containerClear(Arguments arguments, mlir::Location loc);
  mlir::Value dictWith(mlir::Value dict, mlir::Value key, mlir::Value value, mlir::Location loc);
  mlir::Value dictSetItem(Arguments arguments, mlir::Location loc);
  mlir::Value dictPop(Arguments arguments, mlir::Location loc);
  mlir::Value dictPopItem(Arguments arguments, mlir::Location loc);
  mlir::Value dictUpdate(Arguments arguments, mlir::Location loc);
  mlir::Value dictSetDefault(Arguments arguments, mlir::Location loc);

  // ---- What has rules of its own ----
  mlir::Value formatText(Arguments textAndValues, mlir::Location loc);
  /// The same of a text with %s and %d; one value, or a tuple of them.
  mlir::Value percentText(Arguments textAndValue, mlir::Location loc);
  mlir::Value appendElement(mlir::Value list, mlir::Value element, mlir::Location loc);
  mlir::Value raise(mlir::Value message, mlir::Value pythonClass, mlir::Location loc);
  mlir::Value unwrapOptional(mlir::Value value, mlir::Location loc);
  /// \p containers: `list` and `tuple`, of any elements.
  mlir::Value isInstance(mlir::Value value, llvm::ArrayRef<mlir::Type> types, mlir::Location loc,
                         llvm::ArrayRef<llvm::StringRef> containers = {});
  /// `is`, or `is not`.
  mlir::Value identity(mlir::Value a, mlir::Value b, bool negate, mlir::Location loc);
  /// The operator \p name, but for a value that is of that type already.
  mlir::Value castScalar(llvm::StringRef name, mlir::Type type, mlir::Value value,
                         mlir::Location loc);
  mlir::Value tupleElement(mlir::Value tuple, int64_t index, mlir::Location loc);
  mlir::Value makeTuple(mlir::ValueRange values, mlir::Location loc);
  /// What \p count names on the left of a `=` take; unknown ones after an error.
  llvm::SmallVector<mlir::Value> unpackValue(mlir::Value value, size_t count, mlir::Location loc);
  /// Builds an scf.if of \p regions whose results are the values that \p yields names.
  llvm::SmallVector<mlir::Value> buildIf(mlir::Location loc, mlir::Value condition,
                                         std::unique_ptr<mlir::Region> regions[2],
                                         llvm::ArrayRef<mlir::Value> yields[2],
                                         llvm::ArrayRef<mlir::Type> types);

  // ---- Constants and types ----
  mlir::InFlightDiagnostic error(mlir::Location loc) { return errors.error(loc); }
  mlir::Value unknown() const { return {}; }
  /// An error about something that the importer does not know.
  mlir::Value unsupported(mlir::Location loc, const llvm::Twine &what);
  mlir::Value intConstant(int64_t value, mlir::Location loc);
  mlir::Value floatConstant(double value, mlir::Location loc);
  mlir::Value boolConstant(bool value, mlir::Location loc);
  mlir::Value deviceConstant(llvm::StringRef name, mlir::Location loc);
  mlir::Value noneConstant(mlir::Location loc);
  mlir::Value complexConstant(std::complex<double> number, mlir::Location loc);
  /// A constant tensor of rank 0 that holds \p number.
  mlir::Value numberTensor(mlir::Value number, ScalarType dtype, mlir::Location loc);
  /// The number that the operator \p name makes of a tensor without being asked.
  mlir::Value implicitNumber(llvm::StringRef name, mlir::Value tensor, mlir::Location loc);
  /// \p value as a value of \p type where TorchScript converts without being asked: a tensor of one
  /// element to a number.
  mlir::Value convert(mlir::Value value, mlir::Type type, mlir::Location loc);
  /// \p value under the type that is asked for; unknown after an error that names \p what.
  mlir::Value widen(mlir::Value value, mlir::Type type, mlir::Location loc,
                    const llvm::Twine &what);

  /// Nothing is known of \p value any more: it is gone.
  void forget(mlir::Value value) { numbers.erase(value); }

  /// A name that members of two Enums have, whose values would be taken to be equal.
  virtual std::string memberOfSeveralEnums() const { return {}; }

  mlir::MLIRContext *context;
  mlir::OpBuilder builder;
  const SchemaIndex &schemas;
  ImportErrors &errors;

private:
  /// The number that \p operand of the operator \p name stands for; null for other operands.
  mlir::Value numberOf(llvm::StringRef name, const CallArgument &operand) const;

  /// The numbers of constant tensors of rank 0.
  llvm::DenseMap<mlir::Value, mlir::Value> numbers;
};

} // namespace jit

#endif // JIT_LIB_IMPORT_OPERATORBUILDER_H
