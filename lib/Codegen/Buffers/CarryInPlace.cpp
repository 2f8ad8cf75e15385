//===- CarryInPlace.cpp - loops yield into the buffers they carry ---------===//
#include "Buffers/Carried.h"
#include "Buffers/WhileForm.h"
#include "jit/Codegen/Buffers/Passes.h"

namespace jit::codegen {
#define GEN_PASS_DEF_CARRYINPLACE
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;
using namespace jit::codegen;

static bool isReshape(Operation *op) {
  return isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op);
}

/// What `value` is under another shape.
static Value reshaped(Value value) {
  while (isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// What `value` is a part of, under its own shape or another one.
static Value wholeOf(Value value) {
  value = reshaped(value);
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = reshaped(slice.getSource());
  return value;
}

/// True if all uses of the buffer of `value` are reads of elements before `loop`, but for `init`.
static bool isReadBefore(Value value, Operation *loop, OpOperand &init) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = loop->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (&use == &init)
      return true;
    if (isReshape(user))
      return isReadBefore(user->getResult(0), loop, init);
    auto destination = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    bool isWritten = destination && destination.isDpsInit(&use);
    return isa<linalg::LinalgOp, tensor::ExtractOp>(user) && !isWritten &&
           user->isBeforeInBlock(loop);
  });
}

/// The operand by which a loop takes what it gives as `value` in the end; null if no loop does.
static OpOperand *initOf(Value value) {
  auto result = dyn_cast<OpResult>(reshaped(value));
  if (!result)
    return nullptr;
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return &loop.getInitArgsMutable()[result.getResultNumber()];
  auto loop = dyn_cast<scf::WhileOp>(result.getOwner());
  if (!loop)
    return nullptr;
  auto passed = dyn_cast<BlockArgument>(loop.getConditionOp().getArgs()[result.getResultNumber()]);
  bool isCarried = passed && passed.getOwner() == loop.getBeforeBody();
  return isCarried ? &loop.getInitsMutable()[passed.getArgNumber()] : nullptr;
}

/// True if `value` is what a loop inside made of `dest`: that loop carries it in its place already.
static bool isCarriedInside(Value value, BlockArgument dest) {
  OpOperand *init = initOf(value);
  return init && reshaped(init->get()) == dest && init->getOwner()->getBlock() == dest.getOwner() &&
         isReadBefore(dest, init->getOwner(), *init);
}

static Value yieldedBy(scf::YieldOp yield, Value result) {
  return yield.getOperand(cast<OpResult>(result).getResultNumber());
}

/// True if `holds` of a value that `value` may be: selections, branches and other shapes are what
/// they are made of.
static bool anyOf(Value value, function_ref<bool(Value)> holds) {
  llvm::SetVector<Value> ways;
  ways.insert(reshaped(value));
  for (size_t next = 0; next < ways.size(); ++next) {
    Value way = ways[next];
    if (auto select = way.getDefiningOp<arith::SelectOp>()) {
      ways.insert(reshaped(select.getTrueValue()));
      ways.insert(reshaped(select.getFalseValue()));
    } else if (auto branch = way.getDefiningOp<scf::IfOp>()) {
      ways.insert(reshaped(yieldedBy(branch.thenYield(), way)));
      ways.insert(reshaped(yieldedBy(branch.elseYield(), way)));
    } else if (holds(way)) {
      return true;
    }
  }
  return false;
}

/// True if `value` may be stored in the buffer of one of `carried` other than `own`: as a part of
/// it, or by a loop inside. Other ops may be given a buffer of their own.
static bool mayBeInOther(Value value, ArrayRef<BlockArgument> carried, BlockArgument own) {
  return anyOf(value, [&](Value part) {
    if (auto arg = dyn_cast<BlockArgument>(part))
      return arg != own && llvm::is_contained(carried, arg);
    if (auto slice = part.getDefiningOp<tensor::ExtractSliceOp>())
      return mayBeInOther(slice.getSource(), carried, own);
    OpOperand *init = initOf(part);
    return init && mayBeInOther(init->get(), carried, own);
  });
}

/// True if `value` may be `dest` as it is.
static bool mayGive(Value value, BlockArgument dest) {
  return anyOf(value, [&](Value part) { return part == dest; });
}

/// True if `value` may be what a loop inside made of `dest`, or of what another loop made of it.
static bool mayBeMadeInside(Value value, BlockArgument dest) {
  return anyOf(value, [&](Value part) {
    OpOperand *init = initOf(part);
    return init && (mayGive(init->get(), dest) || mayBeMadeInside(init->get(), dest));
  });
}

/// A copy of what is chosen, made where it is known which: a selection counts as all that it may
/// be.
static Value copyOfChosen(OpBuilder &b, Location loc, Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select)
    return copyOf(b, loc, value);
  auto branch = [&](Value part) {
    return [=](OpBuilder &b, Location loc) {
      scf::YieldOp::create(b, loc, copyOfChosen(b, loc, part));
    };
  };
  return scf::IfOp::create(b, loc, select.getCondition(), branch(select.getTrueValue()),
                           branch(select.getFalseValue()))
      .getResult(0);
}

/// True if `value` is selected among buffers of which `dest` is one: what may be `dest` and may be
/// another one cannot be copied into it as it is.
static bool isChosen(Value value, BlockArgument dest) {
  return reshaped(value).getDefiningOp<arith::SelectOp>() && mayGive(value, dest);
}

/// Where branches give `dest`, or what a loop made of it, or a tensor that others see, too, the
/// branch gives a copy of the latter: both count as one buffer else, and a write to `dest` as one
/// to that tensor.
static void separateBranches(OpBuilder &b, Value value, BlockArgument dest) {
  value = reshaped(value);
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    separateBranches(b, select.getTrueValue(), dest);
    separateBranches(b, select.getFalseValue(), dest);
  }
  auto branch = value.getDefiningOp<scf::IfOp>();
  if (!branch)
    return;
  OpBuilder::InsertionGuard guard(b);
  for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()}) {
    Value given = yieldedBy(yield, value), buffer = reshaped(given), whole = wholeOf(given);
    separateBranches(b, given, dest);
    bool isOthers = whole != dest && whole.getParentBlock() != yield->getBlock();
    if (!isOthers && !buffer.getDefiningOp<arith::SelectOp>())
      continue;
    b.setInsertionPoint(yield);
    yield.setOperand(cast<OpResult>(value).getResultNumber(),
                     copyOfChosen(b, yield.getLoc(), given));
  }
}

/// The tensor in whose buffer `value` may be made: what it is a part of, and what that was written
/// into.
static Value baseOf(Value value) {
  for (;;) {
    value = wholeOf(value);
    if (auto insert = value.getDefiningOp<tensor::InsertSliceOp>())
      value = insert.getDest();
    else if (auto made = value.getDefiningOp<DestinationStyleOpInterface>())
      value = made.getTiedOpOperand(cast<OpResult>(value))->get();
    else if (OpOperand *init = initOf(value))
      value = init->get();
    else
      return value;
  }
}

/// True if `given` is a part of a tensor other than `dest`, or a tensor from outside of the loop:
/// what is seen after it may have been read through a name that `dest` has too.
static bool isSeenByOthers(Value given, BlockArgument dest) {
  Value whole = wholeOf(given);
  bool isCaptured = !dest.getParentRegion()->isAncestor(whole.getParentRegion());
  return baseOf(given) != dest && (isCaptured || whole != reshaped(given));
}

/// Gives a copy of what `operand` is, where others see that.
static void separateUse(OpBuilder &b, OpOperand &operand, BlockArgument dest) {
  Value given = operand.get();
  bool isMadeHere = wholeOf(given).getParentBlock() == operand.getOwner()->getBlock();
  if (isMadeHere || !isSeenByOthers(given, dest))
    return;
  b.setInsertionPoint(operand.getOwner());
  operand.set(copyOf(b, operand.getOwner()->getLoc(), given));
}

/// Where a branch or a selection inside gives `dest` or a part of it, and otherwise something that
/// others see, that is copied: both count as one buffer else, and a write to `dest` as one to what
/// others see.
static void separateChoices(OpBuilder &b, Block &body, BlockArgument dest) {
  OpBuilder::InsertionGuard guard(b);
  auto isChoice = [&](Value value) {
    return isa<TensorType>(value.getType()) &&
           anyOf(value, [&](Value part) { return baseOf(part) == dest; });
  };
  SmallVector<arith::SelectOp> selections;
  body.walk([&](arith::SelectOp select) {
    if (isChoice(select.getResult()) && (isSeenByOthers(select.getTrueValue(), dest) ||
                                         isSeenByOthers(select.getFalseValue(), dest)))
      selections.push_back(select);
  });
  for (arith::SelectOp select : selections)
    replaceByBranch(b, select);
  body.walk([&](scf::IfOp branch) {
    for (OpResult result : llvm::make_filter_range(branch.getResults(), isChoice))
      for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
        separateUse(b, yield->getOpOperand(result.getResultNumber()), dest);
  });
}

/// True if `value` was made to materialize in `dest`.
static bool isIn(Value value, BlockArgument dest) {
  auto made = value.getDefiningOp<bufferization::MaterializeInDestinationOp>();
  return made && made.getDest() == dest;
}

/// Makes each tensor that `terminator` hands on (from operand `first` on) materialize in the buffer
/// of the region argument of the same number. What may be stored in the buffer of another one is
/// copied first: that buffer may be overwritten by then. So is what a loop inside made of the same
/// buffer while others still read it.
static void materializeCarried(OpBuilder &b, Operation *terminator, unsigned first,
                               Block::BlockArgListType arguments) {
  b.setInsertionPoint(terminator);
  SmallVector<BlockArgument> carried(arguments.begin(), arguments.end());
  MutableArrayRef<OpOperand> operands = terminator->getOpOperands().drop_front(first);
  auto needsWork = [&](OpOperand &operand, BlockArgument dest) {
    return isa<TensorType>(operand.get().getType()) && operand.get() != dest &&
           !isResized(operand.get()) && !isIn(operand.get(), dest) &&
           !isCarriedInside(operand.get(), dest);
  };
  for (auto [operand, dest] : llvm::zip(operands, carried))
    if (needsWork(operand, dest)) {
      separateChoices(b, *terminator->getBlock(), dest);
      if (mayGive(operand.get(), dest) || mayBeMadeInside(operand.get(), dest))
        separateBranches(b, operand.get(), dest);
    }
  for (auto [operand, dest] : llvm::zip(operands, carried))
    if (needsWork(operand, dest) &&
        (mayBeInOther(operand.get(), carried, dest) || mayBeMadeInside(operand.get(), dest) ||
         isChosen(operand.get(), dest)))
      operand.set(copyOfChosen(b, terminator->getLoc(), operand.get()));
  for (auto [operand, dest] : llvm::zip(operands, carried))
    if (needsWork(operand, dest))
      materializeIn(b, operand, dest);
}

/// Selections that copies have replaced still count as names of all that they select from.
static void eraseUnused(func::FuncOp func) {
  SmallVector<arith::SelectOp> selections;
  func.walk([&](arith::SelectOp select) { selections.push_back(select); });
  for (arith::SelectOp select : llvm::reverse(selections))
    if (select->use_empty())
      select.erase();
}

static void carryInPlace(func::FuncOp func) {
  OpBuilder b(func);
  func.walk([&](scf::ForOp loop) {
    materializeCarried(b, loop.getBody()->getTerminator(), 0, loop.getRegionIterArgs());
  });
  func.walk([&](scf::WhileOp loop) {
    materializeCarried(b, loop.getConditionOp(), 1, loop.getBeforeArguments());
    materializeCarried(b, loop.getYieldOp(), 0, loop.getAfterArguments());
  });
  eraseUnused(func);
  carryResized(func);
}

static bool hasLoop(func::FuncOp func) {
  return func
      .walk([](Operation *op) {
        return isa<scf::ForOp, scf::WhileOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct CarryInPlace : jit::codegen::impl::CarryInPlaceBase<CarryInPlace> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!hasLoop(func))
      return;
    if (failed(forwardInPlace(func)))
      return signalPassFailure();
    OwningOpRef<func::FuncOp> kept = func.clone();
    carryInPlace(func);
    if (isBufferizable(func))
      return;
    func.getBody().takeBody(kept->getBody());
    carryByCopy(func);
  }
};
} // namespace
