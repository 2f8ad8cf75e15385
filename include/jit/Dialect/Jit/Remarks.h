//===- Remarks.h - what a stage did, and what not and why -------*- C++ -*-===//
//
// Stages speak through MLIR's remarks, by category: specialize, functionalize, autodiff, simplify,
// fuse. Where nobody listens a remark costs a test of a pointer: its text is built lazily.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_DIALECT_JIT_REMARKS_H
#define JIT_DIALECT_JIT_REMARKS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"

namespace jit {

/// "model.py:12", the innermost place in the user's files that a location knows; empty for none.
std::string describeLocation(mlir::Location loc);

/// The note by which an error is a refusal: of a program that is right, and that this version has
/// no code for. Others of Codegen's are faults of ours.
inline constexpr llvm::StringLiteral refusalNote = "this version has no code for it";

/// Ends an error that is a refusal.
mlir::LogicalResult refuse(mlir::InFlightDiagnostic error);

/// Says at `loc` that something was done; the text has llvm::formatv's form.
template <typename... Args>
void explainDone(mlir::Location loc, llvm::StringRef category, const char *text, Args &&...args) {
  mlir::remark::passed(loc, mlir::remark::RemarkOpts::name("done").category(category))
      << mlir::remark::add(text, std::forward<Args>(args)...);
}

/// Says at `loc` that something was not done, and why.
template <typename... Args>
void explainMissed(mlir::Location loc, llvm::StringRef category, const char *text, Args &&...args) {
  mlir::remark::missed(loc, mlir::remark::RemarkOpts::name("missed").category(category))
      << mlir::remark::add(text, std::forward<Args>(args)...);
}

} // namespace jit

#endif // JIT_DIALECT_JIT_REMARKS_H
