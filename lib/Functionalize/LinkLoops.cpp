//===- LinkLoops.cpp - which memory a loop's variable is ------------------===//

#include "LinkNames.h"
#include "jit/Dialect/Aten/Aten.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

/// The variable begins as `init`, which may be a name of other memory.
void NameLinker::startVariable(LoopMemories &known, unsigned variable, Operation *op, Value init) {
  bool isSeen = isShared(init, op) || mayRepeat(init, viewRoot(init));
  if (isSeen && !init.getDefiningOp<PoisonOp>()) {
    known.starts[variable] = init;
    known.of[variable].insert(init);
  }
}

/// The variable becomes what `given` gives, a value of a trip.
LogicalResult NameLinker::giveVariable(LoopMemories &known, unsigned variable, Operation *op,
                                       OpOperand &given) {
  Value name = known.variables[variable];
  OpBuilder before(op);
  FailureOr<SmallVector<Source>> sources = sourcesOf(given.get(), op, given.getOwner());
  if (failed(sources))
    return failure();
  for (Source source : *sources) {
    Value root = viewRoot(source.memory);
    if (isInside(root, op)) {
      if (failed(checkPlaces(name, source.memory, root)))
        return failure();
      if (!root.getDefiningOp<PoisonOp>())
        known.next[variable].push_back({source.condition, root, source.memory});
      continue;
    }
    Value memory = outside(source.memory, op, before);
    if (!memory)
      return refuse(name, source.memory.getLoc(),
                    "it may be this view, whose place only a loop knows");
    known.next[variable].push_back({source.condition, Value(), memory});
    known.of[variable].insert(memory);
  }
  return success();
}

LogicalResult NameLinker::closeLoop(LoopMemories &known) {
  known.close();
  if (auto part = known.unclear())
    return refuse(known.variables[part->first], part->second.memory.getLoc(),
                  "a variable of a loop may be a part of what another one is");
  for (auto [variable, steps] : llvm::enumerate(known.next))
    for (const auto &step : steps) {
      auto from = known.find(step.root);
      if (from && !known.of[*from].empty() && step.memory != step.root)
        return refuse(known.variables[variable], step.memory.getLoc(),
                      "a variable of a loop is a view of what it was before");
    }
  return success();
}

/// Each of `names`, which are known.variables in this place of `op`, is the memory of its flag
/// where that is set.
LogicalResult NameLinker::linkVariables(const LoopMemories &known, Operation *op,
                                        ArrayRef<Value> names, ArrayRef<LoopMemories::Flag> flags,
                                        ValueRange values) {
  OpBuilder builder(op);
  for (auto [flag, value] : llvm::zip_equal(flags, values)) {
    Value memory = flag.memory, name = names[flag.variable];
    if (auto whole = known.find(memory))
      memory = names[*whole];
    builder.setInsertionPointAfterValue(name);
    if (flag.view)
      memory = rebased(flag.view, viewRoot(flag.view), memory, builder, op);
    if (!memory)
      return refuse(name, flag.view.getLoc(),
                    "it may be a part of another variable, whose place only a loop knows");
    links[name].push_back({value, memory});
  }
  return success();
}

static ValueRange addFlags(Block &block, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    block.addArgument(IntegerType::get(block.getParentOp()->getContext(), 1),
                      block.getParentOp()->getLoc());
  return ValueRange(block.getArguments()).take_back(count);
}

/// The results of a loop are those of one that has more.
void NameLinker::replaceResults(Operation *from, Operation *to) {
  to->setDiscardableAttrs(from->getDiscardableAttrDictionary());
  for (auto [result, wider] : llvm::zip(from->getResults(), to->getResults())) {
    result.replaceAllUsesWith(wider);
    replace(result, wider);
  }
  from->erase();
}

LogicalResult NameLinker::linkFor(scf::ForOp op) {
  LoopMemories known(op.getRegionIterArgs());
  for (auto [i, argument] : llvm::enumerate(op.getRegionIterArgs()))
    if (isNamed(argument) && classes.writeAfter(op.getResult(i), op)) {
      startVariable(known, i, op, op.getInitArgs()[i]);
      if (failed(giveVariable(known, i, op, (*op.getYieldedValuesMutable())[i])))
        return failure();
    }
  if (failed(closeLoop(known)))
    return failure();
  if (known.isEmpty())
    return success();
  unsigned count = op.getNumResults();
  OpBuilder builder(op);
  auto flags = known.flags(0, count);
  SmallVector<Value> inits(op.getInitArgs());
  llvm::append_range(inits, known.startFlags(builder, op.getLoc(), flags));
  auto wider =
      scf::ForOp::create(builder, op.getLoc(), op.getLowerBound(), op.getUpperBound(), op.getStep(),
                         inits, [](OpBuilder &, Location, Value, ValueRange) {});
  wider.setUnsignedCmp(op.getUnsignedCmp());
  wider.getRegion().takeBody(op.getRegion());
  Block &body = *wider.getBody();
  ValueRange now = addFlags(body, flags.size());
  // What asks for layouts finds no loop that has lost its body.
  replaceResults(op, wider);
  body.getTerminator()->insertOperands(count, known.nextFlags(body, flags, flags, now));
  if (failed(linkVariables(known, wider, known.variables, flags, now)))
    return failure();
  return linkVariables(known, wider, SmallVector<Value>(wider.getResults()), flags,
                       wider.getResults().drop_front(count));
}

/// The condition of a while loop hands values on to the body and, at the end, out of the loop.
LogicalResult NameLinker::linkWhile(scf::WhileOp op) {
  unsigned before = op.getBeforeArguments().size(), after = op.getAfterArguments().size();
  SmallVector<Value> variables(op.getBeforeArguments());
  llvm::append_range(variables, op.getAfterArguments());
  LoopMemories known(variables);
  auto isLinked = [&](Value name) { return isNamed(name) && classes.writeAfter(name, op); };
  for (unsigned i = 0; i < before; ++i)
    if (isLinked(variables[i])) {
      startVariable(known, i, op, op.getInits()[i]);
      if (failed(giveVariable(known, i, op, op.getYieldOp()->getOpOperand(i))))
        return failure();
    }
  for (unsigned i = 0; i < after; ++i)
    if (isLinked(variables[before + i]) &&
        failed(giveVariable(known, before + i, op, op.getConditionOp().getArgsMutable()[i])))
      return failure();
  if (failed(closeLoop(known)))
    return failure();
  if (known.isEmpty())
    return success();
  auto asked = known.flags(0, before), handed = known.flags(before, before + after);
  OpBuilder builder(op);
  SmallVector<Value> inits(op.getInits());
  llvm::append_range(inits, known.startFlags(builder, op.getLoc(), asked));
  SmallVector<Type> types(op.getResultTypes());
  types.append(handed.size(), builder.getI1Type());
  auto wider = scf::WhileOp::create(builder, op.getLoc(), types, inits, nullptr, nullptr);
  wider.getBefore().takeBody(op.getBefore());
  wider.getAfter().takeBody(op.getAfter());
  Block &condition = *wider.getBeforeBody(), &body = *wider.getAfterBody();
  ValueRange atCondition = addFlags(condition, asked.size()),
             inBody = addFlags(body, handed.size());
  replaceResults(op, wider);
  condition.getTerminator()->insertOperands(1 + after,
                                            known.nextFlags(condition, handed, asked, atCondition));
  body.getTerminator()->insertOperands(before, known.nextFlags(body, asked, handed, inBody));
  SmallVector<Value> results(before);
  llvm::append_range(results, wider.getResults().take_front(after));
  if (failed(linkVariables(known, wider, known.variables, asked, atCondition)) ||
      failed(linkVariables(known, wider, known.variables, handed, inBody)))
    return failure();
  return linkVariables(known, wider, results, handed, wider.getResults().drop_front(after));
}

} // namespace jit
