//===- Signature.h - arguments and results made flat ------------*- C++ -*-===//
#ifndef JIT_LIB_SPECIALIZE_SIGNATURE_H
#define JIT_LIB_SPECIALIZE_SIGNATURE_H

#include "jit/CallSpec/CallSpec.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace jit {

/// The value of one original argument in the specialised function: constants and containers are
/// built at the builder, what stays open becomes arguments of `func` that carry `origin` and the
/// path inside the argument. Null, after an error, where the spec does not fit `type`.
mlir::Value buildArgument(mlir::OpBuilder &b, mlir::func::FuncOp func, const ValueSpec &spec,
                          mlir::Type type, mlir::NamedAttribute origin,
                          llvm::SmallVector<int64_t> path);

/// State that the specs of its slots place in one memory becomes views of the slot that is all of
/// it. A function that writes one of them takes all, so that one which lacks that slot sees none of
/// it.
void joinState(mlir::OpBuilder &b, mlir::func::FuncOp generic, llvm::ArrayRef<ValueSpec> specs,
               mlir::IRMapping &map);

/// The value of an attribute: a default argument or the initial value of a slot.
mlir::Value buildConstant(mlir::OpBuilder &b, mlir::Location loc, mlir::Attribute attr,
                          mlir::Type type);

/// Takes a result apart: leaves are appended to `flat`, and the attribute returned says how they
/// make up the value: an index into `flat` for a leaf, unit for None, a string, or
/// ["complex", index] for a complex number, ["device", string] for a device, ["tuple"|"list", ...],
/// ["dict", key, value, ...], ["unbind", index] for a list of slices,
/// ["parts", index, index] for one of as many rows of a tensor as lie between each two of the
/// places that the second tensor has,
/// ["either", condition, value, value] for what data choose.
/// Null, after an error, where the value has no such form.
mlir::Attribute flattenResult(mlir::Value value, llvm::SmallVectorImpl<mlir::Value> &flat,
                              mlir::Location loc);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_SIGNATURE_H
