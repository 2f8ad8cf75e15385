//===- TripSlices.h - what the trips of a loop see of a tensor --*- C++ -*-===//
#ifndef JIT_LIB_SIMPLIFY_TRIPSLICES_H
#define JIT_LIB_SIMPLIFY_TRIPSLICES_H

#include "Matchers.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace jit {

/// The number of trips, where it is known and at least 1.
std::optional<int64_t> tripCountOf(mlir::scf::ForOp loop);

/// The indices that the trips of a loop take in turn: trip t takes `first + step * t`. All of them
/// are different and within the dimension.
struct IndexWalk {
  int64_t first, step, trips;

  int64_t least() const { return step > 0 ? first : first + step * (trips - 1); }
  int64_t greatest() const { return step > 0 ? first + step * (trips - 1) : first; }
  bool isBackward() const { return step < 0; }
  /// Every index of a dimension of `size`.
  bool isWhole(int64_t size) const { return trips == size; }
  bool operator==(const IndexWalk &other) const = default;
};

/// The walk of an index that is a linear function of the loop's counter; `size` is that of the
/// dimension which it indexes.
std::optional<IndexWalk> indexWalk(mlir::scf::ForOp loop, mlir::Value index, int64_t size);

/// A tensor outside of a loop that holds what a value of the body is in each trip.
struct TripStack {
  /// The tensor, or the number of the loop's result that is it.
  mlir::Value outside;
  unsigned result = 0;
  /// The dimension of the trips, and where in it they are.
  int64_t dim = 0;
  IndexWalk walk = {0, 1, 1};

  bool operator==(const TripStack &other) const = default;
};

/// Where a select or a select_scatter of a tensor along `dim` at `index` is in each trip; of the
/// stack only that.
std::optional<TripStack> placeInTrips(mlir::scf::ForOp loop, mlir::Value tensor, mlir::Value dim,
                                      mlir::Value index);

/// The stack of a slice that the loop reads of a tensor from outside, or writes to one that it
/// carries.
std::optional<TripStack> findTripStack(mlir::scf::ForOp loop, mlir::Value value);

/// The stack with the dimension of the trips in front and nothing else in that dimension. Trips
/// are in the order of their indices: backward where the walk is.
Tensor buildTripStack(GraphBuilder &build, mlir::scf::ForOp loop, const TripStack &stack);

/// The slice that a trip reads of a tensor from outside of the loop, seen from that tensor.
struct TripSlice {
  mlir::Operation *op; // select or slice
  mlir::Value base;
  int64_t dim;
  /// How many indices of the dimension the trips see together.
  int64_t seen;
};
std::optional<TripSlice> matchTripSlice(mlir::scf::ForOp loop, mlir::Value value);

} // namespace jit

#endif // JIT_LIB_SIMPLIFY_TRIPSLICES_H
