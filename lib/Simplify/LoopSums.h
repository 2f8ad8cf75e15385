//===- LoopSums.h - sums over the trips of a loop ---------------*- C++ -*-===//
#ifndef JIT_LIB_SIMPLIFY_LOOPSUMS_H
#define JIT_LIB_SIMPLIFY_LOOPSUMS_H

#include "TripSlices.h"
#include "jit/Dialect/Aten/Pointwise.h"

namespace jit {

/// `add` adds `value` to the sum that the loop carries as number `carried`, and nothing else uses
/// it.
struct Summand {
  unsigned carried;
  aten::AddTensorOp add;
  mlir::Value value;
};

/// All summands of the sums that a loop carries and does not read.
llvm::SmallVector<Summand> findSummands(mlir::scf::ForOp loop);

/// A summand `left.t() @ right`, where `rows` is the size that is summed over.
struct ProductSummand {
  mlir::Value left, right;
  int64_t rows;
};
std::optional<ProductSummand> matchProductSummand(mlir::scf::ForOp loop, const Summand &summand);

/// A summand that is the sum of `tensor` over `dims`.
struct ReducedSummand {
  mlir::Value tensor;
  llvm::SmallVector<int64_t> dims;
};
std::optional<ReducedSummand> matchReducedSummand(mlir::scf::ForOp loop, const Summand &summand);

/// Slices of carried tensors that only the trip that writes them reads, before it does, are slices
/// of the initial tensor.
void readInitialSlices(mlir::scf::ForOp loop);

} // namespace jit

#endif // JIT_LIB_SIMPLIFY_LOOPSUMS_H
