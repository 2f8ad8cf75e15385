//===- SourcePlace.h - where in the user's program ---------------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_SOURCEPLACE_H
#define JIT_CODEGEN_ANALYSIS_SOURCEPLACE_H

#include "mlir/IR/Location.h"

namespace jit::codegen {

/// "model.py:34" of the innermost known place; empty where there is none.
std::string sourcePlace(mlir::Location loc);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_SOURCEPLACE_H
