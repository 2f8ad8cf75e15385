//===- EmitWinograd.h - loops of a convolution in tiles ---------*- C++ -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_EMITWINOGRAD_H
#define JIT_CODEGEN_PRODUCTS_EMITWINOGRAD_H

#include "jit/Codegen/Machine.h"
#include "jit/Codegen/Products/WinogradOp.h"

namespace jit::codegen {

/// Replaces a convolution on buffers by loops over groups of tiles, with what surrounds it folded
/// in as for a product.
void emitWinograd(winograd::ConvOp op, const Machine &machine);

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_EMITWINOGRAD_H
