//===- OperatorList.h - what the operators' records say ---------*- C++ -*-===//
#ifndef JIT_IMPORT_OPERATORLIST_H
#define JIT_IMPORT_OPERATORLIST_H

#include "llvm/Support/raw_ostream.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace jit {

/// Prints all operators as JSON, by schema: [{"schema": text, "computed": "scalar" | "decompose" |
/// "lowered", "gradient": "rule" | "body" | "scatter" | "none", "openSizes": bool}, ...]. A
/// gradient by the body goes as far as those of what the body is made of.
void printOperatorList(mlir::MLIRContext &context, llvm::raw_ostream &os);

} // namespace jit

#endif // JIT_IMPORT_OPERATORLIST_H
