//===- ProductNest.h - a product as loops with constant steps ---*- C++ -*-===//
//
// Every contraction and convolution with static strides is one shape of program:
//
//   out[sum of i * step(Out)] += lhs[sum of i * step(Lhs)] * rhs[sum of i * step(Rhs)]
//
// over loops i of constant extents. Strides, dilations and transpositions are only different steps,
// so nothing after this file knows a matmul from a convolution.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_CODEGEN_ANALYSIS_PRODUCTNEST_H
#define JIT_CODEGEN_ANALYSIS_PRODUCTNEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <array>

namespace jit::codegen {

/// The operands of a nest: the product's own, and those that are read when its sums are finished.
enum Operand : unsigned { Lhs = 0, Rhs = 1, Out = 2, FirstExtra = 3 };
inline constexpr unsigned maxOperands = 6;

/// Elements to move in each operand; zero for one that a nest does not have.
using Steps = std::array<int64_t, maxOperands>;

/// One loop of a product. `step` and `blockStep` are in elements, indexed by Operand.
struct NestLoop {
  int64_t extent = 1; ///< where it is open, a guess to choose tiles by
  bool reduction = false;
  /// A call tells how often it runs.
  bool open = false;
  Steps step = {};
  /// Not zero: an operand is packed along this loop in zero-padded blocks of this many elements.
  int64_t block = 0;
  Steps blockStep = {};
};

struct ProductNest {
  llvm::SmallVector<NestLoop> loops;
  mlir::FloatType element; ///< of the sums
  /// What Lhs and Rhs hold: elements as the sums', narrower floats that are widened when they are
  /// read, or words of 32 bits with two bf16 each, of which all four are multiplied and added.
  std::array<mlir::Type, 2> stored;
  /// Where element (0, ..., 0) of the nest lies in each operand, from its first element.
  Steps start = {};
  /// The dimensions of the op whose product of sizes is the extent of the one open loop, which
  /// stands for the last of them; the others have one iteration. None: all sizes are known.
  llvm::SmallVector<unsigned> openDims;

  int64_t elementBits() const { return element.isF64() ? 64 : 32; }
  int64_t storedBits(Operand operand) const {
    return operand < Out ? stored[operand].getIntOrFloatBitWidth() : elementBits();
  }
  bool hasPairs() const { return stored[Lhs].isInteger(); }
  /// Multiply-adds of the whole product.
  int64_t volume() const;
  /// Whether reading along reduction loop `k` meets elements that another iteration of a parallel
  /// loop reads too (the taps of a convolution's window).
  bool isWindow(unsigned k) const;
};

/// The nest of `op`, one loop for each of its dimensions in their order. Tensors count as
/// contiguous. Fails for anything but `out += lhs * rhs` on f32 or f64, whose factors may be
/// narrower or pairs, with static steps. Parallel dimensions of open size may be walked as one.
mlir::FailureOr<ProductNest> matchProduct(mlir::linalg::LinalgOp op);

/// What one step along each dimension of a buffer or tensor moves, whose dimensions are walked by
/// `map` from the loops of a nest that is not simplified. Fails where that is no constant.
mlir::FailureOr<llvm::SmallVector<int64_t>> stridesFor(mlir::ShapedType type, mlir::AffineMap map,
                                                       const ProductNest &nest);

/// The nest as a line of text: its element type (and those of its factors, where they are others),
/// and for each loop whether it is parallel or a reduction, its extent and its steps in the
/// operands: "f32 p64(576,0,1) p49(0,1,64) r576(1,49,0)".
std::string describe(const ProductNest &nest);

/// Drops loops of one iteration and joins loops that walk every operand as one.
void simplify(ProductNest &nest);

/// Whether `op` is a product that the passes of Products know, so that nothing should be fused into
/// its operands: `out += lhs * rhs` into f32 or f64 with static shapes, over at least one
/// reduction.
bool isProduct(mlir::linalg::LinalgOp op);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_PRODUCTNEST_H
