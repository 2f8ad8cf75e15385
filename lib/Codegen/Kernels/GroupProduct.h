//===- GroupProduct.h - a product that a group of warps waits for -*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_GROUPPRODUCT_H
#define JIT_CODEGEN_KERNELS_GROUPPRODUCT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace jit::codegen {

/// What the emulation is told of the assembly of a product: its GroupProduct's numbers.
inline constexpr const char *groupProductAttrName = "jit.group_product";

/// A product of some steps of 16 summands each: 64 rows by `columns`.
struct GroupProduct {
  int64_t columns = 0, steps = 0;
  /// Halves are bf16 ones; the second factor's columns lie side by side.
  bool isBrain = false, isRightByColumns = false;
  /// The first factor is in registers, four words for each step; else in shared memory, summands
  /// side by side, one descriptor for each step.
  bool isLeftInRegisters = false;
  /// Sums go on; else they begin with the product.
  bool addsUp = false;

  mlir::DenseI64ArrayAttr toAttribute(mlir::MLIRContext *context) const;
  static GroupProduct of(mlir::DenseI64ArrayAttr numbers);

  /// Words or descriptors of the first factor.
  size_t leftOperands() const { return static_cast<size_t>(steps * (isLeftInRegisters ? 4 : 1)); }
};

/// Multiplies, waits for the product and gives its sums. `sums` are those before, or none. All of
/// it is one piece of assembly: nothing else may touch the registers in between, and no op of a
/// dialect takes factors from registers.
llvm::SmallVector<mlir::Value> multiplyByGroup(mlir::OpBuilder &b, mlir::Location loc,
                                               const GroupProduct &product, mlir::ValueRange sums,
                                               mlir::ValueRange left, mlir::ValueRange right);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_GROUPPRODUCT_H
