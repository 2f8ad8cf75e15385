//===- LoopSums.cpp - sums over the trips of a loop -----------------------===//

#include "LoopSums.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/ReductionDims.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

/// The addition that is the only user of `sum`, if it adds a tensor of the same type to it.
static aten::AddTensorOp onlyAddition(Value sum) {
  auto add = sum.hasOneUse() ? dyn_cast<aten::AddTensorOp>(*sum.user_begin()) : nullptr;
  bool fits = add && staticType(sum) && add.getSelf().getType() == sum.getType() &&
              add.getOther().getType() == sum.getType() && knownNumber(add.getAlpha()) == 1.0;
  return fits ? add : aten::AddTensorOp();
}

SmallVector<Summand> findSummands(scf::ForOp loop) {
  SmallVector<Summand> all;
  for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    SmallVector<Summand> own;
    Value sum = argument;
    while (aten::AddTensorOp add = onlyAddition(sum)) {
      own.push_back({unsigned(number), add, add.getSelf() == sum ? add.getOther() : add.getSelf()});
      sum = add.getResult();
    }
    // Nor is any of the additions in a branch then, whose values the loop cannot yield.
    if (sum == loop.getYieldedValues()[number] && sum.hasOneUse())
      llvm::append_range(all, own);
  }
  return all;
}

/// The operator of the loop's body that gives the summand and that nothing else uses.
static Operation *ownOperator(scf::ForOp loop, const Summand &summand) {
  Operation *op = summand.value.getDefiningOp();
  return op && op->getBlock() == loop.getBody() && summand.value.hasOneUse() ? op : nullptr;
}

/// left [m, 1] * right [1, n] is the product of a column and a row.
static std::optional<ProductSummand> matchOuterProduct(Value a, Value b) {
  TensorType first = staticType(a), second = staticType(b);
  if (!first || !second || first.getRank() != 2 || second.getRank() != 2 ||
      first.getDtype() != second.getDtype())
    return std::nullopt;
  auto isOuter = [](TensorType column, TensorType row) {
    return column.getSizes()[1] == 1 && row.getSizes()[0] == 1;
  };
  if (isOuter(first, second))
    return ProductSummand{a, b, 1};
  return isOuter(second, first) ? std::optional(ProductSummand{b, a, 1}) : std::nullopt;
}

std::optional<ProductSummand> matchProductSummand(scf::ForOp loop, const Summand &summand) {
  Operation *op = ownOperator(loop, summand);
  if (isa_and_present<aten::MulTensorOp>(op))
    return matchOuterProduct(op->getOperand(0), op->getOperand(1));
  if (!isa_and_present<ProductOpInterface>(op) || op->getNumOperands() != 2)
    return std::nullopt;
  Value left = transposedSource(op->getOperand(0)), right = op->getOperand(1);
  TensorType type = staticType(right);
  if (!left || !type || type.getRank() != 2)
    return std::nullopt;
  return ProductSummand{left, right, type.getSizes()[0]};
}

/// The dimensions that a sum to `to` takes of `from`.
static SmallVector<int64_t> broadcastDims(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> dims;
  int64_t extra = int64_t(from.size()) - int64_t(to.size());
  for (int64_t dim = 0; dim < int64_t(from.size()); ++dim)
    if (dim < extra || from[dim] != to[dim - extra])
      dims.push_back(dim);
  return dims;
}

std::optional<ReducedSummand> matchReducedSummand(scf::ForOp loop, const Summand &summand) {
  Operation *op = ownOperator(loop, summand);
  auto broadcast = dyn_cast_or_null<aten::GradSumToSizeOp>(op);
  auto sum = dyn_cast_or_null<aten::SumDimIntListOp>(op);
  if (!broadcast && !sum)
    return std::nullopt;
  Value tensor = op->getOperand(0);
  TensorType from = staticType(tensor), to = cast<TensorType>(summand.value.getType());
  if (!from || from.getDtype() != to.getDtype() || loop.isDefinedOutsideOfLoop(tensor))
    return std::nullopt;
  if (broadcast)
    return ReducedSummand{tensor, broadcastDims(from.getSizes(), to.getSizes())};
  auto dims = reducedDims(sum.getDim(), from.getRank());
  return dims ? std::optional(ReducedSummand{tensor, *dims}) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Slices that only their own trip touches
//===----------------------------------------------------------------------===//

/// The reads of `carried` at the place where `scatter` writes; nullopt where it has other uses.
static std::optional<SmallVector<aten::SelectIntOp>> readsAt(scf::ForOp loop, Value carried,
                                                             aten::SelectScatterOp scatter) {
  auto written = placeInTrips(loop, carried, scatter.getDim(), scatter.getIndex());
  if (!written)
    return std::nullopt;
  SmallVector<aten::SelectIntOp> reads;
  for (OpOperand &use : carried.getUses()) {
    if (use.getOwner() == scatter)
      continue;
    auto select = dyn_cast<aten::SelectIntOp>(use.getOwner());
    if (!select || placeInTrips(loop, carried, select.getDim(), select.getIndex()) != written)
      return std::nullopt;
    reads.push_back(select);
  }
  return reads;
}

/// zeros + x is x, apart from the sign of a zero.
static void dropZeros(aten::SelectIntOp zeros) {
  for (Operation *user : llvm::make_early_inc_range(zeros->getUsers())) {
    auto add = dyn_cast<aten::AddTensorOp>(user);
    if (!add || knownNumber(add.getAlpha()) != 1.0 || add.getSelf() == add.getOther())
      continue;
    Value other = add.getSelf() == zeros ? add.getOther() : add.getSelf();
    if (other.getType() != add.getType())
      continue;
    add.replaceAllUsesWith(other);
    add.erase();
  }
}

void readInitialSlices(scf::ForOp loop) {
  for (auto [number, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
    auto scatter = loop.getYieldedValues()[number].getDefiningOp<aten::SelectScatterOp>();
    if (!scatter || scatter.getSelf() != carried)
      continue;
    auto reads = readsAt(loop, carried, scatter);
    if (!reads)
      continue;
    OpOperand &init = loop.getInitArgsMutable()[number];
    for (aten::SelectIntOp read : *reads) {
      if (splatOf(init.get()) == 0.0)
        dropZeros(read);
      if (read.use_empty())
        read.erase();
      else
        read.getSelfMutable().assign(init.get());
    }
    auto place = placeInTrips(loop, carried, scatter.getDim(), scatter.getIndex());
    // Nobody sees what was there before the loop.
    bool isFilled = bool(splatOf(init.get()));
    if (isFilled && place->walk.isWhole(staticType(carried).getSizes()[place->dim])) {
      OpBuilder b(loop);
      init.set(PoisonOp::create(b, loop.getLoc(), carried.getType()));
    }
  }
}

} // namespace jit
