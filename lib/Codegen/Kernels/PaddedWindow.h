//===- PaddedWindow.h - windows that go beyond an image ----------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_PADDEDWINDOW_H
#define JIT_CODEGEN_KERNELS_PADDEDWINDOW_H

#include "Analysis/ProductGroup.h"
#include "Kernels/Padding.h"

namespace jit::codegen {

/// The zeros around a factor of a product, which are not stored but known by a bit for each place
/// along a window: of a row or column of the product, which of them are inside; of a summand, which
/// it needs.
class PaddedWindow {
public:
  /// Of operand number `operand` of the group's product, if zeros are stored around it, for it
  /// alone, its source is the same until the group is done with, and 32 bits are enough.
  static std::optional<PaddedWindow> of(ProductGroup &group, unsigned operand);

  const Padding &padding() const { return zeros; }
  /// The bits of a point of the product, an i32, whatever its summand.
  mlir::Value insideOf(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange point) const;
  /// The bits of a point of the product that its summand needs.
  mlir::Value neededOf(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange point) const;

private:
  /// A dimension of memory with zeros around.
  struct Dimension {
    /// Where a point is in the source: a sum of what each loop adds.
    llvm::SmallVector<int64_t> steps;
    int64_t first, size;
    /// The loop along the window, if there is one, and how many places it has.
    std::optional<unsigned> loop;
    int64_t places;
  };

  bool add(mlir::AffineExpr expr, unsigned loops, int64_t before, int64_t size, const Side &depth);

  Padding zeros;
  llvm::SmallVector<Dimension> dimensions;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_PADDEDWINDOW_H
