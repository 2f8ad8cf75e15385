//===- SliceSubsets.h - slices of constant places compared ------*- C++ -*-===//
#ifndef JIT_CODEGEN_BUFFERS_SLICESUBSETS_H
#define JIT_CODEGEN_BUFFERS_SLICESUBSETS_H

#include "mlir/IR/DialectRegistry.h"

namespace jit::codegen {

/// Has the bufferisation compare slices of tensors by their constants where these decide. Upstream
/// makes a system of inequalities for each number, and asks about each two parts of a
/// concatenation: a tenth of all that a densenet121 takes to compile. Goes before upstream's
/// registration, for the first model of an interface is the one that counts.
void registerSliceSubsets(mlir::DialectRegistry &registry);

} // namespace jit::codegen

#endif // JIT_CODEGEN_BUFFERS_SLICESUBSETS_H
