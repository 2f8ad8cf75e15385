//===- FlatAccess.h - accesses by one index ---------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_LOOPS_FLATACCESS_H
#define JIT_CODEGEN_LOOPS_FLATACCESS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit::codegen {

/// Makes each access to a buffer behind a base pointer one by a single index, of a buffer of
/// unknown size: sizes and strides then are constants among the ops and not parts of types.
void flattenAccesses(mlir::func::FuncOp func);

} // namespace jit::codegen

#endif // JIT_CODEGEN_LOOPS_FLATACCESS_H
