//===- LinkBranches.cpp - which memory a branch gives ---------------------===//

#include "LinkNames.h"
#include "jit/Dialect/Aten/Aten.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

static Value constant(OpBuilder &builder, Location loc, bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

/// Links whose conditions are inside of the branch: they become results of it, false in the other
/// arm.
scf::IfOp NameLinker::exportConditions(scf::IfOp op) {
  llvm::MapVector<Value, unsigned> inside;
  for (Value result : op.getResults())
    for (Link link : links.lookup(result))
      if (isInside(link.condition, op))
        inside.insert({link.condition,
                       op.getThenRegion().isAncestor(link.condition.getParentRegion()) ? 0u : 1u});
  if (inside.empty())
    return op;
  for (unsigned region : {0u, 1u}) {
    Operation *yield = op->getRegion(region).front().getTerminator();
    OpBuilder builder(yield);
    for (auto [condition, home] : inside)
      yield->insertOperands(yield->getNumOperands(),
                            home == region ? condition : constant(builder, op.getLoc(), false));
  }
  OpBuilder builder(op);
  SmallVector<Type> types(op.getResultTypes());
  types.append(inside.size(), builder.getI1Type());
  auto wider = scf::IfOp::create(builder, op.getLoc(), types, op.getCondition());
  wider.getThenRegion().takeBody(op.getThenRegion());
  wider.getElseRegion().takeBody(op.getElseRegion());
  unsigned count = op.getNumResults();
  replaceResults(op, wider);
  for (Value result : wider.getResults().take_front(count))
    if (auto known = links.find(result); known != links.end())
      for (Link &link : known->second)
        if (auto at = inside.find(link.condition); at != inside.end())
          link.condition = wider.getResult(count + (at - inside.begin()));
  return wider;
}

/// When a source of what an arm gives is one of the branch's result. A condition of the arm is
/// exported, and false in the other one.
static Value conditionIn(scf::IfOp op, Value ofSource, Value ofArm) {
  if (!ofSource || isInside(ofSource, op))
    return ofSource ? ofSource : ofArm;
  OpBuilder builder(op);
  return arith::AndIOp::create(builder, op.getLoc(), ofArm, ofSource);
}

/// The results of a branch that show memory which one of its arms makes, which is written later, by
/// that memory.
FailureOr<NameLinker::PartsByMemory> NameLinker::partsMadeIn(scf::IfOp op, unsigned region) {
  PartsByMemory own;
  Operation *yield = op->getRegion(region).front().getTerminator();
  for (OpResult result : op->getResults()) {
    if (!isNamed(result) || !classes.writeBehind(result, op))
      continue;
    auto sources = sourcesOf(yield->getOperand(result.getResultNumber()), op, yield);
    if (failed(sources))
      return failure();
    for (Source source : *sources) {
      Value root = viewRoot(source.memory);
      if (isInside(root, op) && !root.getDefiningOp<PoisonOp>())
        own[root].push_back({result, source});
    }
  }
  return own;
}

/// A result more for `memory`, which the arm `region` makes and several results show parts of.
scf::IfOp NameLinker::giveMemory(scf::IfOp op, unsigned region, Value memory) {
  OpBuilder builder(op);
  SmallVector<Type> types(op.getResultTypes());
  types.push_back(memory.getType());
  auto wider = scf::IfOp::create(builder, op.getLoc(), types, op.getCondition());
  for (unsigned arm : {0u, 1u}) {
    wider->getRegion(arm).takeBody(op->getRegion(arm));
    Operation *yield = wider->getRegion(arm).front().getTerminator();
    OpBuilder end(yield);
    Value given =
        arm == region ? memory : PoisonOp::create(end, op.getLoc(), memory.getType()).getResult();
    yield->insertOperands(yield->getNumOperands(), given);
  }
  replaceResults(op, wider);
  classes.add(memory, wider->getResults().back());
  return wider;
}

std::optional<OpResult> NameLinker::wholeOf(Value memory, ArrayRef<ShownPart> shown,
                                            const ResultNumbers &parts) {
  for (const auto &[result, source] : shown)
    if (source.memory == memory && !source.condition && !parts.contains(result.getResultNumber()))
      return result;
  return std::nullopt;
}

/// Has the branch give each memory of which several results show parts, and none all. What is a
/// part in the first arm, which goes to `parts`, is no memory of others in the second one: two
/// names would each be one of the other.
FailureOr<scf::IfOp> NameLinker::giveMemories(scf::IfOp op, ResultNumbers &parts) {
  for (unsigned region : {0u, 1u}) {
    auto lacksWhole = [&](const auto &of) {
      return of.second.size() > 1 && !wholeOf(of.first, of.second, parts);
    };
    FailureOr<PartsByMemory> own = partsMadeIn(op, region);
    for (; succeeded(own); own = partsMadeIn(op, region)) {
      auto *lacking = llvm::find_if(*own, lacksWhole);
      if (lacking == own->end())
        break;
      op = giveMemory(op, region, lacking->first);
    }
    if (failed(own))
      return failure();
    if (region == 1)
      break;
    for (auto &[memory, shown] : *own)
      for (const auto &[result, source] : shown)
        if (shown.size() > 1 && result != *wholeOf(memory, shown, {}))
          parts.insert(result.getResultNumber());
  }
  return op;
}

LogicalResult NameLinker::linkArm(scf::IfOp op, unsigned region, Value condition,
                                  const ResultNumbers &parts) {
  Operation *yield = op->getRegion(region).front().getTerminator();
  OpBuilder before(op);
  for (OpResult result : op->getResults()) {
    if (!isNamed(result) || !classes.writeAfter(result, op))
      continue;
    auto sources = sourcesOf(yield->getOperand(result.getResultNumber()), op, yield);
    if (failed(sources))
      return failure();
    for (Source source : *sources) {
      Value root = viewRoot(source.memory);
      if (isInside(root, op)) {
        if (!root.getDefiningOp<PoisonOp>() && classes.writeBehind(result, op) &&
            failed(checkPlaces(result, source.memory, root)))
          return failure();
        continue;
      }
      if (!isShared(source.memory, op) && !mayRepeat(source.memory, root))
        continue;
      Value memory = outside(source.memory, op, before);
      if (!memory)
        return refuse(result, source.memory.getLoc(),
                      "it may be this view, whose place only a branch knows");
      links[result].push_back({conditionIn(op, source.condition, condition), memory});
    }
  }
  FailureOr<PartsByMemory> own = partsMadeIn(op, region);
  if (failed(own))
    return failure();
  for (auto &[root, shown] : *own)
    if (shown.size() > 1 &&
        failed(linkParts(op, root, shown, condition, *wholeOf(root, shown, parts))))
      return failure();
  return success();
}

/// Links results of a branch that show `root`, a memory of one of its arms, to the one that is it.
LogicalResult NameLinker::linkParts(scf::IfOp op, Value root, ArrayRef<ShownPart> shown,
                                    Value condition, OpResult whole) {
  OpBuilder after(op->getContext());
  after.setInsertionPointAfter(op);
  for (const auto &[result, source] : shown) {
    if (result == whole)
      continue;
    Value memory = rebased(source.memory, root, whole, after, op);
    if (!memory)
      return refuse(result, root.getLoc(),
                    "it may be a part of this, whose place only a branch knows");
    links[result].push_back({conditionIn(op, source.condition, condition), memory});
  }
  return success();
}

LogicalResult NameLinker::linkIf(scf::IfOp op) {
  if (op.getNumResults() == 0)
    return success();
  ResultNumbers parts;
  FailureOr<scf::IfOp> given = giveMemories(op, parts);
  if (failed(given))
    return failure();
  op = *given;
  OpBuilder builder(op);
  Value isOther = arith::XOrIOp::create(builder, op.getLoc(), op.getCondition(),
                                        constant(builder, op.getLoc(), true));
  if (failed(linkArm(op, 0, op.getCondition(), {})) || failed(linkArm(op, 1, isOther, parts)))
    return failure();
  exportConditions(op);
  return success();
}

} // namespace jit
