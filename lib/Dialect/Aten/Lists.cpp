//===- Lists.cpp - what a list of tensors is made of ----------------------===//

#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/TypeRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

Value withoutDerefine(Value value) {
  while (auto derefine = value.getDefiningOp<DerefineOp>())
    value = derefine.getValue();
  return value;
}

ListOp listPickedFrom(Operation *op) {
  bool picks = op && op->hasTrait<PicksElement>() && op->getNumOperands() == 2 &&
               op->getOperand(1).getType().isInteger(64);
  return picks ? op->getOperand(0).getDefiningOp<ListOp>() : ListOp();
}

Value isIndexOf(OpBuilder &builder, Location loc, Value index, int64_t place, int64_t count) {
  auto is = [&](int64_t number) -> Value {
    Value constant = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(number));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index, constant);
  };
  return arith::OrIOp::create(builder, loc, is(place), is(place - count));
}

static bool collect(Value list, SmallVectorImpl<ListPiece> &pieces) {
  list = withoutDerefine(list);
  if (auto elements = list.getDefiningOp<ListOp>()) {
    for (Value element : elements.getElements())
      pieces.push_back({element, /*isSlab=*/false});
    return true;
  }
  if (auto slab = list.getDefiningOp<ListFromTensorOp>()) {
    pieces.push_back({slab.getTensor(), /*isSlab=*/true});
    return true;
  }
  if (auto concat = list.getDefiningOp<ListConcatOp>())
    return collect(concat.getFirst(), pieces) && collect(concat.getSecond(), pieces);
  if (auto append = list.getDefiningOp<ListAppendOp>()) {
    if (!collect(append.getList(), pieces))
      return false;
    pieces.push_back({append.getElement(), /*isSlab=*/false});
    return true;
  }
  return false;
}

std::optional<SmallVector<ListPiece>> listPieces(Value list) {
  SmallVector<ListPiece> pieces;
  return collect(list, pieces) ? std::optional(pieces) : std::nullopt;
}

bool joinsNothing(Operation &op, Value list) {
  if (!isa<aten::CatOp, aten::StackOp>(op))
    return false;
  auto elements = withoutDerefine(list).getDefiningOp<ListOp>();
  return elements && elements.getElements().empty();
}

std::optional<IndexPlan> planIndex(int64_t rank, Value list, std::string &problem) {
  ListInfo info(withoutDerefine(list));
  if (!info.elements)
    return std::nullopt;
  if (int64_t(info.elements->size()) > rank) {
    problem =
        ("expected at most " + Twine(rank) + " indices, got " + Twine(info.elements->size())).str();
    return std::nullopt;
  }
  IndexPlan plan;
  plan.indices.resize(rank);
  int64_t first = rank, last = -1, count = 0;
  for (auto [dim, element] : llvm::enumerate(*info.elements)) {
    Value index = withoutDerefine(element);
    if (isa<NoneType>(index.getType()))
      continue;
    auto type = dyn_cast<TensorType>(index.getType());
    if (!type || !type.hasRank() || !type.hasDtype())
      return std::nullopt;
    // Canonicalization makes places of masks first.
    if (type.getDtype().isInteger(1) || type.getDtype().isUnsignedInteger())
      return std::nullopt;
    if (!type.getDtype().isSignlessInteger()) {
      problem = "expected integer indices or masks, got floats";
      return std::nullopt;
    }
    plan.indices[dim] = index;
    first = std::min<int64_t>(first, dim), last = dim, ++count;
    if (int64_t missing = type.getRank() - int64_t(plan.sizes.size()); missing > 0)
      plan.sizes.insert(plan.sizes.begin(), missing, 1);
    for (int64_t i = 1; i <= type.getRank(); ++i) {
      int64_t &size = plan.sizes[plan.sizes.size() - i];
      auto common = broadcastDim(size, type.getSizes()[type.getRank() - i]);
      if (!common) {
        problem = "expected indices that broadcast";
        return std::nullopt;
      }
      size = *common;
    }
  }
  // Indices that do not stand side by side give the first dimensions.
  plan.place = count && last - first + 1 == count ? first : 0;
  return plan;
}

} // namespace jit
