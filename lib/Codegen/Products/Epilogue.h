//===- Epilogue.h - what surrounds a product ----------------------*- C++ -*-===//
//
// A product rarely stands alone: its output is set to zero or to a bias before it, and an
// activation or a residual sum follows. While a tile is in registers both cost next to nothing.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_CODEGEN_PRODUCTS_EPILOGUE_H
#define JIT_CODEGEN_PRODUCTS_EPILOGUE_H

#include "Analysis/ProductNest.h"

namespace jit::codegen {

struct Epilogue {
  /// Sets the whole output to zero or a bias just before the product, which does it instead. Null:
  /// the product adds to what is there.
  mlir::linalg::LinalgOp init;
  /// The output is set, though nothing before the product did.
  bool overwrites = false;
  /// The first extra operand is added to every sum.
  bool addsBias = false;
  /// Elementwise, on the finished sums; what it writes is the nest's Out. Null: sums are stored as
  /// they are.
  mlir::linalg::GenericOp consumer;
  /// Buffers read beside the product's own: operand FirstExtra and so on of the nest.
  llvm::SmallVector<mlir::Value> extras;
  /// Where the tiles are stored.
  mlir::Value target;

  bool accumulates() const { return !init && !overwrites; }
  /// Whether the consumer computes a function, which is some thirty instructions a vector.
  bool hasFunctions() const;

  /// `sum`, a scalar or a vector of elements, as it is to be stored. `read` gives the elements of
  /// an operand of the nest that belong to it.
  mlir::Value apply(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value sum,
                    llvm::function_ref<mlir::Value(Operand)> read) const;
  /// Erases what the emitted product does in place of them.
  void eraseFolded() const;
};

/// What can be folded into `product`, whose operands are buffers and whose loops write its output
/// by `outMap`. The steps of extra operands, and of the output where a consumer moves it, are
/// entered into `nest`, which is not yet simplified.
Epilogue planEpilogue(mlir::DestinationStyleOpInterface product, mlir::AffineMap outMap,
                      ProductNest &nest);

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_EPILOGUE_H
