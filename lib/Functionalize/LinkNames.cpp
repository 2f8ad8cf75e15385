//===- LinkNames.cpp - names for one of several memories ------------------===//
//
// A branch gives a tensor of the one arm or of the other, a loop's variable is on the first trip
// what the loop started with. Each such value keeps elements of its own here, and a link to every
// memory that it may be: the condition under which it is that, as a value of the program.
//
//===----------------------------------------------------------------------===//

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
  Value rebased(Value value, Value root, Value onto, OpBuilder &builder);
  LogicalResult refuse(Value name, Location where, const Twine &how);

  LogicalResult link(Operation *op);
  LogicalResult linkIf(scf::IfOp op);
  LogicalResult linkArm(scf::IfOp op, unsigned region, Value condition);
  LogicalResult linkParts(scf::IfOp op, Value root, ArrayRef<std::pair<OpResult, Source>> shown,
                          Value condition);
  LogicalResult linkFor(scf::ForOp op);
  LogicalResult checkWhile(scf::WhileOp op);
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

/// The views that lead from `root` to `value`, taken of `onto`.
Value NameLinker::rebased(Value value, Value root, Value onto, OpBuilder &builder) {
  SmallVector<Operation *> views;
  for (; value != root; value = viewedValue(value))
    views.push_back(value.getDefiningOp());
  for (Operation *view : llvm::reverse(views)) {
    if (isa<OverwriteOp>(view))
      continue;
    if (onto.getType() != view->getOperand(0).getType())
      onto = castTo(builder, view->getLoc(), onto, view->getOperand(0).getType());
    IRMapping map;
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

LogicalResult NameLinker::linkArm(scf::IfOp op, unsigned region, Value condition) {
  // Of several results that show one memory of the arm itself, the one that is all of it is the
  // others' memory.
  llvm::MapVector<Value, SmallVector<std::pair<OpResult, Source>>> own;
  Operation *yield = op->getRegion(region).front().getTerminator();
  OpBuilder before(op);
  for (OpResult result : op->getResults()) {
    if (!isNamed(result) || !classes.writeAfter(result, op))
      continue;
    for (Source source : sourcesOf(yield->getOperand(result.getResultNumber()))) {
      Value root = viewRoot(source.memory);
      if (isInside(root, op)) {
        if (!root.getDefiningOp<UninitializedOp>())
          own[root].push_back({result, source});
        continue;
      }
      if (!isSeenBeside(source.memory, op, classes))
        continue;
      Value memory = outside(source.memory, op, before);
      if (!memory)
        return refuse(result, source.memory.getLoc(),
                      "it may be this view, whose place only a branch knows");
      links[result].push_back({source.condition ? source.condition : condition, memory});
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
    Value memory = rebased(source.memory, root, whole->first, after);
    if (memory != whole->first &&
        llvm::any_of(memory.getDefiningOp()->getOperands(),
                     [&](Value operand) { return isInside(operand, op); }))
      return refuse(result, root.getLoc(),
                    "it may be a part of this, whose place only a branch knows");
    links[result].push_back({source.condition ? source.condition : condition, memory});
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

namespace {
/// What the variables of a loop may be from trip to trip: for each the memories outside of the
/// loop, and how the next trip tells that it is one of them.
struct LoopMemories {
  struct Step {
    Value condition;              // in the body; null for always
    std::optional<unsigned> from; // as this variable is now; else just the memory
    Value memory;
  };
  llvm::SetVector<Value> memories;
  SmallVector<llvm::SmallSetVector<unsigned, 2>> of;
  SmallVector<SmallVector<Step>> next;
  SmallVector<Value> starts;

  explicit LoopMemories(unsigned count) : of(count), next(count), starts(count) {}

  void add(unsigned variable, Value memory) {
    memories.insert(memory);
    of[variable].insert(llvm::find(memories, memory) - memories.begin());
  }
  /// What a variable may be is also what takes its value over may be.
  void close() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto [variable, steps] : llvm::enumerate(next))
        for (const Step &step : steps)
          if (step.from)
            for (unsigned memory : of[*step.from])
              changed |= of[variable].insert(memory);
    }
  }
};
} // namespace

/// The loop with a variable more for each memory that each of its variables may be.
static scf::ForOp withFlags(scf::ForOp op, const LoopMemories &known,
                            SmallVectorImpl<SmallVector<unsigned>> &flagOf) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> inits(op.getInitArgs());
  flagOf.resize(known.of.size());
  for (auto [variable, memories] : llvm::enumerate(known.of))
    for (unsigned memory : memories) {
      flagOf[variable].push_back(inits.size());
      inits.push_back(constant(builder, loc, known.starts[variable] == known.memories[memory]));
    }
  auto wider =
      scf::ForOp::create(builder, loc, op.getLowerBound(), op.getUpperBound(), op.getStep(), inits,
                         [](OpBuilder &, Location, Value, ValueRange) {});
  wider.setUnsignedCmp(op.getUnsignedCmp());
  wider->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  wider.getRegion().takeBody(op.getRegion());
  for (size_t i = op.getInitArgs().size(); i < inits.size(); ++i)
    wider.getBody()->addArgument(builder.getI1Type(), loc);
  return wider;
}

/// Whether the next trip's variable is a memory, at the end of the body.
static Value nextFlag(OpBuilder &b, Location loc, const LoopMemories &known, unsigned variable,
                      unsigned memory, function_ref<Value(unsigned, unsigned)> flag) {
  Value result;
  for (const LoopMemories::Step &step : known.next[variable]) {
    Value holds;
    if (!step.from)
      holds = step.memory == known.memories[memory] ? constant(b, loc, true) : Value();
    else if (known.of[*step.from].contains(memory))
      holds = flag(*step.from, memory);
    if (!holds)
      continue;
    if (step.condition)
      holds = arith::AndIOp::create(b, loc, holds, step.condition);
    result = result ? Value(arith::OrIOp::create(b, loc, result, holds)) : holds;
  }
  return result ? result : constant(b, loc, false);
}

LogicalResult NameLinker::linkFor(scf::ForOp op) {
  LoopMemories known(op.getInitArgs().size());
  DenseMap<Value, unsigned> variableOf;
  for (auto [i, argument] : llvm::enumerate(op.getRegionIterArgs()))
    variableOf[argument] = i;
  OpBuilder before(op);
  DenseMap<Value, unsigned> takers;
  for (auto [i, argument] : llvm::enumerate(op.getRegionIterArgs())) {
    if (!isNamed(argument) || !classes.writeAfter(op.getResult(i), op))
      continue;
    Value init = op.getInitArgs()[i], yielded = op.getYieldedValues()[i];
    if (isSeenBeside(init, op, classes) && !init.getDefiningOp<UninitializedOp>()) {
      known.starts[i] = init;
      known.add(i, init);
    }
    for (Source source : sourcesOf(yielded)) {
      Value root = viewRoot(source.memory);
      if (isInside(root, op)) {
        // The same value seen through a branch under a condition counts once.
        auto [taker, isNew] = takers.insert({root, i});
        if (!isNew && taker->second != i)
          return refuse(argument, root.getLoc(), "two variables of a loop may be this");
        if (auto variable = variableOf.find(root); variable != variableOf.end())
          known.next[i].push_back({source.condition, variable->second, source.memory});
        continue;
      }
      Value memory = outside(source.memory, op, before);
      if (!memory)
        return refuse(argument, source.memory.getLoc(),
                      "it may be this view, whose place only a loop knows");
      known.next[i].push_back({source.condition, std::nullopt, memory});
      known.add(i, memory);
    }
  }
  known.close();
  for (auto [i, steps] : llvm::enumerate(known.next))
    for (const auto &step : steps)
      if (step.from && !known.of[*step.from].empty() &&
          step.memory != op.getRegionIterArgs()[*step.from])
        return refuse(op.getRegionIterArgs()[i], step.memory.getLoc(),
                      "a variable of a loop is a view of what it was before");
  if (known.memories.empty())
    return success();

  SmallVector<SmallVector<unsigned>> flagOf;
  unsigned count = op.getNumResults();
  scf::ForOp wider = withFlags(op, known, flagOf);
  auto indexOf = [&](unsigned variable, unsigned memory) {
    return flagOf[variable][llvm::find(known.of[variable], memory) - known.of[variable].begin()];
  };
  Operation *yield = wider.getBody()->getTerminator();
  OpBuilder end(yield);
  auto flag = [&](unsigned variable, unsigned memory) -> Value {
    return wider.getRegionIterArg(indexOf(variable, memory));
  };
  SmallVector<Value> flags;
  for (auto [variable, memories] : llvm::enumerate(known.of))
    for (unsigned memory : memories)
      flags.push_back(nextFlag(end, op.getLoc(), known, variable, memory, flag));
  yield->insertOperands(yield->getNumOperands(), flags);
  for (unsigned i = 0; i < count; ++i) {
    op.getResult(i).replaceAllUsesWith(wider.getResult(i));
    replace(op.getResult(i), wider.getResult(i));
  }
  op.erase();
  for (auto [variable, memories] : llvm::enumerate(known.of))
    for (unsigned memory : memories) {
      unsigned at = indexOf(variable, memory);
      links[wider.getRegionIterArg(variable)].push_back(
          {wider.getRegionIterArg(at), known.memories[memory]});
      links[wider.getResult(variable)].push_back({wider.getResult(at), known.memories[memory]});
    }
  return success();
}

/// A while loop's variables have to be new memory on each trip, or the same all the time.
LogicalResult NameLinker::checkWhile(scf::WhileOp op) {
  DenseSet<Value> taken;
  auto check = [&](Value name, Value given, Block &from) -> LogicalResult {
    if (!isNamed(name))
      return success();
    for (Source source : sourcesOf(given)) {
      Value root = viewRoot(source.memory);
      bool isOwn = isInside(root, op) && (!isa<BlockArgument>(root) || root == given);
      if (!isOwn || !taken.insert(root).second)
        return refuse(name, source.memory.getLoc(), "a variable of a while loop may be this");
    }
    return success();
  };
  for (auto [i, init] : llvm::enumerate(op.getInits())) {
    Value name = op.getBeforeArguments()[i];
    if (isNamed(name) && classes.writeAfter(name, op) && isSeenBeside(init, op, classes))
      return refuse(name, init.getLoc(), "a while loop starts with this, which has another name");
    if (failed(check(name, op.getYieldOp().getOperand(i), op.getAfter().front())))
      return failure();
  }
  for (auto [i, passed] : llvm::enumerate(op.getConditionOp().getArgs()))
    if (failed(check(op.getAfterArguments()[i], passed, op.getBefore().front())))
      return failure();
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
    return checkWhile(loop);
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

FailureOr<Links> linkNames(func::FuncOp func, MemoryClasses &classes, Value &unknown) {
  return NameLinker(func, classes, unknown).run();
}

} // namespace jit
