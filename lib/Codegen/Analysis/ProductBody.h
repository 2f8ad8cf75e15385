//===- ProductBody.h - what a product does with two elements ----*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_PRODUCTBODY_H
#define JIT_CODEGEN_ANALYSIS_PRODUCTBODY_H

#include "mlir/IR/Builders.h"

namespace jit::codegen {

/// Whether the body of a linalg op with two inputs is `sum + a * b` on f32 or f64: as it stands, of
/// narrower floats that are widened first, or of words that hold two bf16 each.
bool multipliesAndAdds(mlir::Block &body);

/// Builds such a body, by the types of its arguments (a, b, sum), terminator included. Both words
/// are i32, or neither.
void buildProductBody(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange args);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_PRODUCTBODY_H
