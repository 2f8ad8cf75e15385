//===- Passes.h - products (matmul, convolution) on CPU ---------*- C++ -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_PASSES_H
#define JIT_CODEGEN_PRODUCTS_PASSES_H

#include "jit/Codegen/Machine.h"
#include "jit/Codegen/Products/TileTable.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/Pass/Pass.h"

namespace jit::codegen {

#define GEN_PASS_DECL
#include "jit/Codegen/Products/Passes.h.inc"

/// The passes for one CPU; all must be given the same machine.
std::unique_ptr<mlir::Pass> createPrepareFactors(const Machine &machine);
std::unique_ptr<mlir::Pass> createChannelsLast(const Machine &machine);
std::unique_ptr<mlir::Pass> createUseWinograd(const Machine &machine);
std::unique_ptr<mlir::Pass> createPackProducts(const Machine &machine,
                                               const ProductTuning &tuning = {});
std::unique_ptr<mlir::Pass> createEmitProducts(const Machine &machine);
std::unique_ptr<mlir::Pass> createEmitByteProducts(const Machine &machine);

#define GEN_PASS_REGISTRATION
#include "jit/Codegen/Products/Passes.h.inc"

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_PASSES_H
