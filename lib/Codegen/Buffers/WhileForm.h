//===- WhileForm.h - loops whose condition keeps its order -------*- C++ -*-===//
#ifndef JIT_CODEGEN_BUFFERS_WHILEFORM_H
#define JIT_CODEGEN_BUFFERS_WHILEFORM_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace jit::codegen {

/// Rewrites `loop` so that its condition forwards all carried values in their own places, then any
/// other tensors in places of their own, then the scalars. Gives `loop` where it is so already.
mlir::scf::WhileOp forwardInPlace(mlir::scf::WhileOp loop, mlir::OpBuilder &b);

} // namespace jit::codegen

#endif // JIT_CODEGEN_BUFFERS_WHILEFORM_H
