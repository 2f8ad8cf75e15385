//===- Factor.h - one operand of a product, as kernels read it ---*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_FACTOR_H
#define JIT_CODEGEN_KERNELS_FACTOR_H

#include "Analysis/ProductShape.h"
#include "Kernels/Launch.h"
#include "Loops/ElementEmitter.h"

namespace jit::codegen {

/// Operand number `operand` of a product, of which blocks bring tiles of `tile` rows or columns by
/// `slice` summands: 0 has the product's rows, 1 its columns.
class Factor {
public:
  mlir::OpOperand &getOperand() const { return *operand; }
  const Side &getSide() const { return side; }

protected:
  Factor(mlir::OpBuilder &b, mlir::linalg::LinalgOp product, unsigned operand,
         const ProductShape &shape, int64_t tile, int64_t slice);

  /// Whether whole groups of `width` elements along a side are one access each.
  bool isVectorAlong(const Side &along, int64_t width);
  /// Whether the product has such an element; null where that is certain.
  mlir::Value insideOf(mlir::Value depthAt, mlir::Value otherAt);
  /// In the product's dimensions.
  llvm::SmallVector<mlir::Value> pointOf(mlir::Value depthAt, mlir::Value otherAt);

  mlir::Value index(int64_t value) { return constantIndex(b, loc, value); }
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, int64_t y);
  mlir::Value div(mlir::Value x, int64_t y);
  mlir::Value rem(mlir::Value x, int64_t y);

  mlir::OpBuilder &b;
  mlir::linalg::LinalgOp product;
  mlir::Location loc;
  mlir::OpOperand *operand;
  const ProductShape &shape;
  const Side &side;
  mlir::Type type;
  ElementEmitter element;
  int64_t tile, slice;
  mlir::Value batchAt;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_FACTOR_H
