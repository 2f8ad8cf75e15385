//===- LinkNames.cpp - names for one of several memories ------------------===//
//
// A branch gives a tensor of the one arm or of the other, a loop's variable is on the first trip
// what the loop started with. Each such value keeps elements of its own here, and a link to every
// memory that it may be: the condition under which it is that, as a value of the program.
//
//===----------------------------------------------------------------------===//

#include "LoopMemories.h"
#include "TensorMemory.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace jit {

namespace {

class NameLinker {
public:
  NameLinker(func::FuncOp func, MemoryClasses &classes, Value &unknown)
      : func(func), classes(classes), unknown(unknown) {}
  FailureOr<Links> run();

private:
  /// One of the memories that a value may show: `memory` where `condition` holds, which is null
  /// for always.
  struct Source {
    Value condition;
    Value memory;
  };
  SmallVector<Source> sourcesOf(Value value);
  Value outside(Value value, Operation *op, OpBuilder &builder);
  Value rebased(Value value, Value root, Value onto, OpBuilder &builder, Operation *left = nullptr);
  LogicalResult refuse(Value name, Location where, const Twine &how);

  LogicalResult link(Operation *op);
  LogicalResult linkIf(scf::IfOp op);
  LogicalResult linkArm(scf::IfOp op, unsigned region, Value condition);
  LogicalResult linkParts(scf::IfOp op, Value root, ArrayRef<std::pair<OpResult, Source>> shown,
                          Value condition);
  void startVariable(LoopMemories &known, unsigned variable, Operation *op, Value init);
  LogicalResult giveVariable(LoopMemories &known, unsigned variable, Operation *op, Value given);
  LogicalResult closeLoop(LoopMemories &known);
  void linkVariables(const LoopMemories &known, ArrayRef<Value> names,
                     ArrayRef<LoopMemories::Flag> flags, ValueRange values);
  void replaceResults(Operation *from, Operation *to);
  LogicalResult linkFor(scf::ForOp op);
  LogicalResult linkWhile(scf::WhileOp op);
  LogicalResult linkElement(Operation *op);
  scf::IfOp exportConditions(scf::IfOp op);
  void replace(Value from, Value to);

  bool isNamed(Value value) { return isa<TensorType>(value.getType()) && classes.isWritten(value); }

  func::FuncOp func;
  MemoryClasses &classes;
  Value &unknown;
  Links links;
};

} // namespace

static bool isInside(Value value, Operation *op) {
  return op->isAncestor(value.getParentRegion()->getParentOp());
}

LogicalResult NameLinker::refuse(Value name, Location where, const Twine &how) {
  unknown = name;
  Operation *write = classes.writeAfter(name, func);
  InFlightDiagnostic diag = (write ? write : func.getOperation())
                                ->emitOpError("expected to know which memory is written in place");
  diag.attachNote(where) << how;
  return diag;
}

/// What the memory of `value` may be, other than memory of its own that nothing else names.
SmallVector<NameLinker::Source> NameLinker::sourcesOf(Value value) {
  Value root = viewRoot(value);
  SmallVector<Source> sources{{Value(), value}};
  auto linked = links.find(root);
  if (linked == links.end())
    return sources;
  for (const Link &link : linked->second) {
    OpBuilder builder(func.getContext());
    builder.setInsertionPointAfterValue(root);
    sources.push_back({link.condition, rebased(value, root, link.memory, builder)});
  }
  return sources;
}

/// The views that lead from `root` to `value`, taken of `onto`; null where a place or size of
/// theirs is known in `left` alone, behind which they are taken.
Value NameLinker::rebased(Value value, Value root, Value onto, OpBuilder &builder,
                          Operation *left) {
  SmallVector<Operation *> views;
  for (; value != root; value = viewedValue(value))
    views.push_back(value.getDefiningOp());
  for (Operation *view : llvm::reverse(views)) {
    if (isa<OverwriteOp>(view))
      continue;
    if (onto.getType() != view->getOperand(0).getType())
      onto = castTo(builder, view->getLoc(), onto, view->getOperand(0).getType());
    IRMapping map;
    for (Value operand : left ? view->getOperands().drop_front() : ValueRange()) {
      OpBuilder before(left);
      Value known = outside(operand, left, before);
      if (!known)
        return {};
      map.map(operand, known);
    }
    map.map(view->getOperand(0), onto);
    Operation *clone = builder.clone(*view, map);
    classes.add(onto, clone->getResult(0));
    onto = clone->getResult(0);
  }
  return onto;
}

/// `value`, a view of what is known before `op`, as a value that exists there; null where it is
/// made of what exists in `op` alone.
Value NameLinker::outside(Value value, Operation *op, OpBuilder &builder) {
  if (!isInside(value, op))
    return value;
  Operation *definition = value.getDefiningOp();
  if (!definition || definition->getNumRegions() != 0 ||
      !isa<ViewOpInterface, DerefineOp, UncheckedCastOp, OverwriteOp, ListOp, ConstantOp,
           arith::ConstantOp>(definition))
    return {};
  if (isa<OverwriteOp>(definition))
    return outside(definition->getOperand(0), op, builder);
  IRMapping map;
  for (Value operand : definition->getOperands()) {
    Value known = outside(operand, op, builder);
    if (!known)
      return {};
    map.map(operand, known);
  }
  Value result = builder.clone(*definition, map)->getResult(0);
  if (classes.isWritten(value))
    classes.add(value, result);
  return result;
}

void NameLinker::replace(Value from, Value to) {
  classes.replace(from, to);
  replaceInLinks(links, from, to);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

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
  wider->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  unsigned count = op.getNumResults();
  for (unsigned i = 0; i < count; ++i) {
    op.getResult(i).replaceAllUsesWith(wider.getResult(i));
    replace(op.getResult(i), wider.getResult(i));
  }
  for (Value result : wider.getResults().take_front(count))
    if (auto known = links.find(result); known != links.end())
      for (Link &link : known->second)
        if (auto at = inside.find(link.condition); at != inside.end())
          link.condition = wider.getResult(count + (at - inside.begin()));
  op.erase();
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

LogicalResult NameLinker::linkArm(scf::IfOp op, unsigned region, Value condition) {
  // Of several results that show one memory of the arm itself, which is written later, the one that
  // is all of it is the others' memory.
  llvm::MapVector<Value, SmallVector<std::pair<OpResult, Source>>> own;
  Operation *yield = op->getRegion(region).front().getTerminator();
  OpBuilder before(op);
  for (OpResult result : op->getResults()) {
    if (!isNamed(result) || !classes.writeAfter(result, op))
      continue;
    for (Source source : sourcesOf(yield->getOperand(result.getResultNumber()))) {
      Value root = viewRoot(source.memory);
      if (isInside(root, op)) {
        if (!root.getDefiningOp<PoisonOp>() && classes.writeBehind(result, op))
          own[root].push_back({result, source});
        continue;
      }
      if (!isSeenBeside(source.memory, op, classes))
        continue;
      Value memory = outside(source.memory, op, before);
      if (!memory)
        return refuse(result, source.memory.getLoc(),
                      "it may be this view, whose place only a branch knows");
      links[result].push_back({conditionIn(op, source.condition, condition), memory});
    }
  }
  for (auto &[root, shown] : own)
    if (shown.size() > 1 && failed(linkParts(op, root, shown, condition)))
      return failure();
  return success();
}

/// Links results of a branch that show `root`, a memory of one of its arms, to the one that is it.
LogicalResult NameLinker::linkParts(scf::IfOp op, Value root,
                                    ArrayRef<std::pair<OpResult, Source>> shown, Value condition) {
  const auto *whole = llvm::find_if(shown, [&](const auto &part) {
    return part.second.memory == root && !part.second.condition;
  });
  if (whole == shown.end())
    return refuse(shown[0].first, root.getLoc(), "several results of a branch are parts of this");
  OpBuilder after(op->getContext());
  after.setInsertionPointAfter(op);
  for (const auto &[result, source] : shown) {
    if (result == whole->first)
      continue;
    Value memory = rebased(source.memory, root, whole->first, after, op);
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
  OpBuilder builder(op);
  Value isOther = arith::XOrIOp::create(builder, op.getLoc(), op.getCondition(),
                                        constant(builder, op.getLoc(), true));
  if (failed(linkArm(op, 0, op.getCondition())) || failed(linkArm(op, 1, isOther)))
    return failure();
  exportConditions(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The variable begins as `init`.
void NameLinker::startVariable(LoopMemories &known, unsigned variable, Operation *op, Value init) {
  if (isSeenBeside(init, op, classes) && !init.getDefiningOp<PoisonOp>()) {
    known.starts[variable] = init;
    known.add(variable, init);
  }
}

/// The variable becomes `given`, a value of a trip.
LogicalResult NameLinker::giveVariable(LoopMemories &known, unsigned variable, Operation *op,
                                       Value given) {
  Value name = known.variables[variable];
  OpBuilder before(op);
  for (Source source : sourcesOf(given)) {
    Value root = viewRoot(source.memory);
    if (isInside(root, op)) {
      // The same value seen through a branch under a condition counts once.
      auto [taker, isNew] = known.takers.insert({root, variable});
      if (!isNew && taker->second != variable)
        return refuse(name, root.getLoc(), "two variables of a loop may be this");
      if (auto from = known.find(root))
        known.next[variable].push_back({source.condition, from, source.memory});
      continue;
    }
    Value memory = outside(source.memory, op, before);
    if (!memory)
      return refuse(name, source.memory.getLoc(),
                    "it may be this view, whose place only a loop knows");
    known.next[variable].push_back({source.condition, std::nullopt, memory});
    known.add(variable, memory);
  }
  return success();
}

LogicalResult NameLinker::closeLoop(LoopMemories &known) {
  known.close();
  for (auto [variable, steps] : llvm::enumerate(known.next))
    for (const auto &step : steps)
      if (step.from && !known.of[*step.from].empty() && step.memory != known.variables[*step.from])
        return refuse(known.variables[variable], step.memory.getLoc(),
                      "a variable of a loop is a view of what it was before");
  return success();
}

/// Each of `names` is the memory of its flag where that is set.
void NameLinker::linkVariables(const LoopMemories &known, ArrayRef<Value> names,
                               ArrayRef<LoopMemories::Flag> flags, ValueRange values) {
  for (auto [flag, value] : llvm::zip_equal(flags, values))
    links[names[flag.first]].push_back({value, known.memories[flag.second]});
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
      if (failed(giveVariable(known, i, op, op.getYieldedValues()[i])))
        return failure();
    }
  if (failed(closeLoop(known)))
    return failure();
  if (known.memories.empty())
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
  body.getTerminator()->insertOperands(count, known.nextFlags(body, flags, flags, now));
  replaceResults(op, wider);
  linkVariables(known, known.variables, flags, now);
  linkVariables(known, SmallVector<Value>(wider.getResults()), flags,
                wider.getResults().drop_front(count));
  return success();
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
      if (failed(giveVariable(known, i, op, op.getYieldOp().getOperand(i))))
        return failure();
    }
  for (unsigned i = 0; i < after; ++i)
    if (isLinked(variables[before + i]) &&
        failed(giveVariable(known, before + i, op, op.getConditionOp().getArgs()[i])))
      return failure();
  if (failed(closeLoop(known)))
    return failure();
  if (known.memories.empty())
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
  condition.getTerminator()->insertOperands(1 + after,
                                            known.nextFlags(condition, handed, asked, atCondition));
  body.getTerminator()->insertOperands(before, known.nextFlags(body, asked, handed, inBody));
  replaceResults(op, wider);
  linkVariables(known, known.variables, asked, atCondition);
  linkVariables(known, known.variables, handed, inBody);
  SmallVector<Value> results(before);
  llvm::append_range(results, wider.getResults().take_front(after));
  linkVariables(known, results, handed, wider.getResults().drop_front(after));
  return success();
}

//===----------------------------------------------------------------------===//
// Elements of lists
//===----------------------------------------------------------------------===//

/// An element at a place that data tell is one of the list's.
LogicalResult NameLinker::linkElement(Operation *op) {
  Value element = op->getResult(0);
  if (!isNamed(element) || !classes.writeAfter(element, op))
    return success();
  auto list = op->getOperand(0).getDefiningOp<ListOp>();
  if (!list || op->getNumOperands() != 2 || !op->getOperand(1).getType().isInteger(64))
    return refuse(element, op->getLoc(), "it may be an element of this list");
  OpBuilder builder(op);
  auto is = [&](int64_t place) -> Value {
    Value number =
        arith::ConstantOp::create(builder, op->getLoc(), builder.getI64IntegerAttr(place));
    return arith::CmpIOp::create(builder, op->getLoc(), arith::CmpIPredicate::eq, op->getOperand(1),
                                 number);
  };
  int64_t count = list.getElements().size();
  for (auto [place, memory] : llvm::enumerate(list.getElements())) {
    Value either =
        arith::OrIOp::create(builder, op->getLoc(), is(place), is(int64_t(place) - count));
    links[element].push_back({either, memory});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// All of a function
//===----------------------------------------------------------------------===//

LogicalResult NameLinker::link(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : llvm::make_early_inc_range(block))
        if (failed(link(&inner)))
          return failure();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return linkIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return linkFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return linkWhile(loop);
  if (op->hasTrait<PicksElement>() && isa<TensorType>(op->getResult(0).getType()))
    return linkElement(op);
  if (mayCopyOrShare(op) && classes.writeAfter(op->getResult(0), op))
    return refuse(op->getResult(0), op->getLoc(),
                  "whether this copies depends on strides that are not known");
  for (Value result : op->getResults())
    if (isa<ListUnpackOp, TupleUnpackOp, TupleIndexOp>(op) && isNamed(result) &&
        classes.writeAfter(result, op))
      return refuse(result, op->getLoc(), "it may be an element of this");
  return success();
}

FailureOr<Links> NameLinker::run() {
  for (Operation &op : llvm::make_early_inc_range(func.getBody().front()))
    if (failed(link(&op)))
      return failure();
  return std::move(links);
}

void replaceInLinks(Links &links, Value from, Value to) {
  if (auto known = links.find(from); known != links.end()) {
    auto moved = std::move(known->second);
    links.erase(from);
    links[to] = std::move(moved);
  }
  for (auto &[name, all] : links)
    for (Link &link : all) {
      if (link.condition == from)
        link.condition = to;
      if (link.memory == from)
        link.memory = to;
    }
}

FailureOr<Links> linkNames(func::FuncOp func, MemoryClasses &classes, Value &unknown) {
  return NameLinker(func, classes, unknown).run();
}

} // namespace jit
