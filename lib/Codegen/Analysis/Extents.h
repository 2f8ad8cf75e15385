//===- Extents.h - sizes of loops, open ones by name -------------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_EXTENTS_H
#define JIT_CODEGEN_ANALYSIS_EXTENTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// A product of sizes. Those that only the call tells have numbers, the same where they are
/// certainly equal.
struct Extent {
  int64_t known = 1;
  llvm::SmallVector<unsigned, 2> open; // in order

  bool isKnown() const { return open.empty(); }
  bool isName() const { return known == 1 && open.size() == 1; }
  bool isOne() const { return known == 1 && open.empty(); }
  void multiply(const Extent &other);
  bool operator==(const Extent &other) const { return known == other.known && open == other.open; }
};

/// How far the loops of a block's ops go.
class Extents {
public:
  explicit Extents(mlir::Block &block);

  /// Of each loop; nothing for ops that are not on buffers of the block, and where a loop is open
  /// and no operand has its size.
  std::optional<llvm::ArrayRef<Extent>> of(mlir::linalg::LinalgOp op) const;
  /// What else the op's operands say of each loop: what the program has found equal before it does
  /// the op. Of an op that has extents.
  llvm::ArrayRef<llvm::SmallVector<Extent>> othersOf(mlir::linalg::LinalgOp op) const;

private:
  /// A number, or a dimension of a buffer.
  using Place = std::pair<mlir::Value, int64_t>;

  Extent numbered(Place place);
  Extent sizeOf(mlir::Value buffer, int64_t dim);
  Extent sizeOf(mlir::OpFoldResult number);
  llvm::SmallVector<Extent> sizesOfLoop(mlir::linalg::LinalgOp op, unsigned loop);

  llvm::DenseMap<Place, unsigned> numbers;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Extent>> loops;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<llvm::SmallVector<Extent>>> others;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_EXTENTS_H
