//===- CarriedSizes.cpp - sizes of what loops carry -----------------------===//

#include "Lower.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

static Operation *yieldOf(LoopLikeOpInterface loop) {
  if (auto counted = dyn_cast<scf::ForOp>(loop.getOperation()))
    return counted.getBody()->getTerminator();
  auto asking = dyn_cast<scf::WhileOp>(loop.getOperation());
  return asking ? asking.getYieldOp().getOperation() : nullptr;
}

//===----------------------------------------------------------------------===//
// Of one size
//===----------------------------------------------------------------------===//

/// Ends the call unless `next` has the open sizes of what its loop begins with.
static void guardSizes(OpBuilder &b, Location loc, Value init, Value next, bool anySizes) {
  auto type = dyn_cast<TensorType>(init.getType());
  if (!type || !type.hasRank() || init == next)
    return;
  GraphBuilder build{b, loc};
  for (auto [dim, size] : llvm::enumerate(type.getSizes())) {
    if (size != TensorType::kDynamic)
      continue;
    auto sizeOf = [&](Value tensor) -> Value {
      return build.intOp<aten::SizeIntOp>(Tensor(build, tensor), int64_t(dim)).v;
    };
    Value had = sizeOf(init), has = sizeOf(next);
    Value isEqual = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, had, has);
    GuardOp::create(b, loc, isEqual, anySizes ? sizeGuardClass : unsupportedClass,
                    "expected a loop to carry a tensor of one size, got {}, then {}",
                    ValueRange{had, has});
  }
}

void guardCarriedSizes(func::FuncOp func, bool anySizes) {
  func.walk([&](LoopLikeOpInterface loop) {
    Operation *yield = yieldOf(loop);
    if (!yield)
      return;
    OpBuilder b(yield);
    for (auto [init, next] : llvm::zip_equal(loop.getInits(), yield->getOperands()))
      guardSizes(b, loop.getLoc(), init, next, anySizes);
  });
}

//===----------------------------------------------------------------------===//
// Of a size of its own in each trip
//===----------------------------------------------------------------------===//

namespace {
/// The dimension of a tensor.
struct Dimension {
  Value tensor;
  int64_t dim;
  bool operator==(const Dimension &) const = default;
};
} // namespace

namespace {

/// Finds where sizes come from.
class Origins {
public:
  /// A dimension of the same size, of a tensor that is made or carried by a loop rather than
  /// written, cut or chosen; `from` where none is known.
  Dimension of(Dimension from);

private:
  std::optional<Dimension> before(Dimension from);
  std::optional<Dimension> before(OpResult result, int64_t dim);
  std::optional<Dimension> throughLoop(scf::ForOp loop, unsigned number, int64_t dim);

  DenseMap<std::pair<Value, int64_t>, Dimension> known;
};

} // namespace

Dimension Origins::of(Dimension from) {
  auto found = known.find({from.tensor, from.dim});
  if (found != known.end())
    return found->second;
  std::optional<Dimension> next = before(from);
  Dimension origin = next ? of(*next) : from;
  return known.insert({{from.tensor, from.dim}, origin}).first->second;
}

/// What a loop begins with, where each trip hands on the size that it is given.
std::optional<Dimension> Origins::throughLoop(scf::ForOp loop, unsigned number, int64_t dim) {
  Dimension given{loop.getRegionIterArg(number), dim};
  if (of({loop.getYieldedValues()[number], dim}) != given)
    return std::nullopt;
  return Dimension{loop.getInitArgs()[number], dim};
}

std::optional<Dimension> Origins::before(OpResult result, int64_t dim) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return throughLoop(loop, number, dim);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Dimension way = of({branch.thenYield().getOperand(number), dim});
    bool isOne = way == of({branch.elseYield().getOperand(number), dim});
    return isOne ? std::optional(way) : std::nullopt;
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return Dimension{cast.getSource(), dim};
  if (auto made = dyn_cast<DestinationStyleOpInterface>(op))
    return Dimension{made.getTiedOpOperand(result)->get(), dim};
  auto empty = dyn_cast<tensor::EmptyOp>(op);
  bool isOpen = empty && empty.getType().isDynamicDim(dim);
  auto size = isOpen ? empty.getDynamicSize(dim).getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  if (!size || !size.getConstantIndex())
    return std::nullopt;
  return Dimension{size.getSource(), *size.getConstantIndex()};
}

std::optional<Dimension> Origins::before(Dimension from) {
  auto argument = dyn_cast<BlockArgument>(from.tensor);
  if (!argument)
    return before(cast<OpResult>(from.tensor), from.dim);
  auto loop = dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp());
  if (!loop || argument.getOwner() != loop.getAfterBody())
    return std::nullopt;
  return Dimension{loop.getConditionOp().getArgs()[argument.getArgNumber()], from.dim};
}

/// Whether a trip that begins with `argument` may hand on `next` in another size.
static bool mayChangeSize(Origins &origins, Value next, BlockArgument argument) {
  auto type = dyn_cast<RankedTensorType>(next.getType());
  return type && llvm::any_of(llvm::seq(type.getRank()), [&](int64_t dim) {
           return type.isDynamicDim(dim) && origins.of({next, dim}) != Dimension{argument, dim};
         });
}

/// Has `use` a copy of what it is, which is as large as that is where the program runs.
static void copyAtSize(OpOperand &use, Location loc) {
  OpBuilder b(use.getOwner());
  use.set(bufferization::AllocTensorOp::create(b, loc, cast<RankedTensorType>(use.get().getType()),
                                               ValueRange(), use.get()));
}

/// What a loop begins with is copied too: upstream takes a loop that begins with a tensor.cast for
/// one that keeps the sizes from before the cast.
void copyCarriedSizes(func::FuncOp func) {
  Origins origins;
  func.walk([&](LoopLikeOpInterface loop) {
    Operation *yield = yieldOf(loop);
    if (!yield)
      return;
    auto arguments = isa<scf::WhileOp>(loop.getOperation())
                         ? cast<scf::WhileOp>(loop.getOperation()).getBeforeArguments()
                         : loop.getRegionIterArgs();
    for (auto [argument, init, next] :
         llvm::zip_equal(arguments, loop.getInitsMutable(), yield->getOpOperands())) {
      if (!mayChangeSize(origins, next.get(), argument))
        continue;
      copyAtSize(next, loop.getLoc());
      copyAtSize(init, loop.getLoc());
    }
  });
}

} // namespace jit
