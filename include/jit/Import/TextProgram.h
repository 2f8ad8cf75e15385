//===- TextProgram.h - what a program in MLIR text may be made of -*- C++ -*-===//
#ifndef JIT_IMPORT_TEXTPROGRAM_H
#define JIT_IMPORT_TEXTPROGRAM_H

#include "mlir/IR/BuiltinOps.h"

namespace jit {

/// Whether `module`, which may have been a text, holds nothing but what importers make: the other
/// dialects have operations that read and write any memory and call any function, and a program is
/// data. Constants that would take far more memory than their text are refused as well. Asked of
/// what is to run.
llvm::LogicalResult checkTextProgram(mlir::ModuleOp module);

} // namespace jit

#endif // JIT_IMPORT_TEXTPROGRAM_H
