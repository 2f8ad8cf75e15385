//===- WhileForm.cpp - loops whose condition keeps its order --------------===//
//
// A tensor that the condition forwards needs the buffer of a carried value of the same number.
// Canonicalization removes and permutes forwarded values freely, so the order has to be restored.
//
//===----------------------------------------------------------------------===//
#include "Buffers/WhileForm.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

/// True if each tensor that is carried or forwarded has one of its number and type on the other
/// side: what the body yields needs the buffer of a forwarded value, too.
static bool isInPlace(scf::WhileOp loop) {
  TypeRange carried = ValueRange(loop.getBeforeArguments()).getTypes();
  TypeRange forwarded = ValueRange(loop.getConditionOp().getArgs()).getTypes();
  auto typeAt = [](TypeRange types, size_t i) { return i < types.size() ? types[i] : Type(); };
  for (size_t i = 0; i < std::max(carried.size(), forwarded.size()); ++i) {
    Type one = typeAt(carried, i), other = typeAt(forwarded, i);
    if (one != other && (isa_and_present<TensorType>(one) || isa_and_present<TensorType>(other)))
      return false;
  }
  return true;
}

static void forwardInPlace(scf::WhileOp loop, OpBuilder &b) {
  if (isInPlace(loop))
    return;
  b.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  scf::ConditionOp condition = loop.getConditionOp();
  Block *before = loop.getBeforeBody(), *after = loop.getAfterBody();
  SmallVector<Value> inits(loop.getInits());
  SmallVector<Value> forwarded(before->getArguments().begin(), before->getArguments().end());
  // Where each value that was forwarded is found among the new ones.
  SmallVector<unsigned> places(condition.getArgs().size());
  // Tensors first: each gets a carried buffer of its own number.
  for (bool tensors : {true, false})
    for (auto [i, value] : llvm::enumerate(condition.getArgs())) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (static_cast<bool>(type) != tensors)
        continue;
      auto carried = dyn_cast<BlockArgument>(value);
      if (carried && carried.getOwner() == before &&
          carried.getArgNumber() < loop.getInits().size()) {
        places[i] = carried.getArgNumber();
        continue;
      }
      places[i] = forwarded.size();
      forwarded.push_back(value);
      if (type) {
        inits.push_back(tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType()));
        before->addArgument(type, loc);
      }
    }

  SmallVector<Type> types(ValueRange(forwarded).getTypes());
  auto result = scf::WhileOp::create(b, loc, types, inits, nullptr, nullptr);
  result->setAttrs(loop->getAttrs());
  condition.getArgsMutable().assign(forwarded);
  unsigned oldAfter = after->getNumArguments();
  for (Type type : types)
    after->addArgument(type, loc);
  for (unsigned i = 0; i < oldAfter; ++i)
    after->getArgument(i).replaceAllUsesWith(after->getArgument(oldAfter + places[i]));
  after->eraseArguments(0, oldAfter);
  // The buffers of the added tensors come back as they are.
  auto yield = cast<scf::YieldOp>(after->getTerminator());
  for (unsigned i = loop.getInits().size(); i < inits.size(); ++i)
    yield.getResultsMutable().append(after->getArgument(i));
  for (auto [from, to] : llvm::zip(loop->getRegions(), result->getRegions())) {
    to.getBlocks().clear();
    to.takeBody(from);
  }
  for (auto [i, old] : llvm::enumerate(loop.getResults()))
    old.replaceAllUsesWith(result.getResult(places[i]));
  loop.erase();
}

/// What a condition gives needs a buffer before the loop begins, where open sizes are not known
/// yet.
static LogicalResult checkForwarded(scf::WhileOp loop) {
  for (Value value : loop.getConditionOp().getArgs()) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    bool isCarried = llvm::is_contained(loop.getBeforeArguments(), value);
    if (type && !type.hasStaticShape() && !isCarried)
      return loop.emitError("expected a loop whose condition is asked last to carry each tensor of "
                            "an open size, got ")
             << type << ", which it computes";
  }
  return success();
}

LogicalResult jit::codegen::forwardInPlace(func::FuncOp func) {
  SmallVector<scf::WhileOp> loops;
  func.walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  OpBuilder b(func);
  for (scf::WhileOp loop : loops) {
    if (failed(checkForwarded(loop)))
      return failure();
    ::forwardInPlace(loop, b);
  }
  return success();
}
