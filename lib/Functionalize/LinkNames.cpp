//===- LinkNames.cpp - names for one of several memories ------------------===//

#include "LinkNames.h"
#include "ScatterPlaces.h"
#include "SinkIntoBranches.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace jit {

LogicalResult NameLinker::refuse(Value name, Location where, const Twine &how) {
  Operation *write = classes.writeAfter(name, func);
  obstacle = {name, write};
  InFlightDiagnostic diag = write->emitOpError("expected to know which memory is written in place");
  diag.attachNote(where) << how;
  return diag;
}

bool mayRepeat(Value value, Value root) {
  for (; value != root; value = viewedValue(value))
    if (mayRepeatElements(value.getDefiningOp()))
      return true;
  return false;
}

/// A name that is written keeps elements of its own where no other name has its memory, `root`, so
/// each of them needs a place.
LogicalResult NameLinker::checkPlaces(Value name, Value memory, Value root) {
  if (!mayRepeat(memory, root))
    return success();
  return refuse(name, memory.getLoc(),
                "it may show elements of this more than once; clone() it before");
}

/// How many links lie at most between `root` and memory that is no other's.
static unsigned depthOf(Value root, const Links &links, DenseMap<Value, unsigned> &known) {
  if (auto depth = known.find(root); depth != known.end())
    return depth->second;
  unsigned depth = 0;
  if (auto linked = links.find(root); linked != links.end())
    for (const Link &link : linked->second)
      depth = std::max(depth, 1 + depthOf(viewRoot(link.memory), links, known));
  return known[root] = depth;
}

/// Of how many memories a name may be one. The time to find them grows with the square of it.
static constexpr unsigned maxSources = 128;

/// The views that lead from `root` to `value`, the first one first.
static SmallVector<Operation *> viewsBetween(Value root, Value value) {
  SmallVector<Operation *> views;
  for (; value != root; value = viewedValue(value))
    views.push_back(value.getDefiningOp());
  std::reverse(views.begin(), views.end());
  return views;
}

/// Where the elements of the last of `views` lie among those of what the first one is of, if these
/// are counted row by row; unknown where that depends on more than the views.
static Layout placesIn(ArrayRef<Operation *> views) {
  Layout places = Layout::rowMajor();
  for (Operation *op : views) {
    if (isa<DerefineOp, UncheckedCastOp>(op))
      continue;
    auto shows = dyn_cast<ViewOpInterface>(op);
    if (!shows || isa<aten::AsStridedOp>(op)) // which counts places in memory
      return Layout::unknown();
    ViewOf shown = shows.viewOf(places);
    if (shown.kind != ViewOf::Kind::Shares)
      return Layout::unknown();
    places = shown.layout;
  }
  return places;
}

namespace {

/// One of the views that lead from a memory to a name: an operation, or successive ones that only
/// bring dimensions into another order.
struct ViewStep {
  Operation *op = nullptr;
  SmallVector<int64_t> order;
};

} // namespace

/// What `views` come to, for any sizes.
static SmallVector<ViewStep> stepsOf(ArrayRef<Operation *> views) {
  SmallVector<ViewStep> steps;
  for (Operation *op : views) {
    if (isa<DerefineOp, UncheckedCastOp>(op))
      continue;
    auto view = dyn_cast<ViewOpInterface>(op);
    auto order = view ? view.viewOf(Layout::unknown()).order : std::nullopt;
    if (!order) {
      steps.push_back({op, {}});
      continue;
    }
    if (!steps.empty() && !steps.back().op)
      for (int64_t &dim : *order)
        dim = steps.back().order[dim];
    if (!steps.empty() && !steps.back().op)
      steps.pop_back();
    if (!llvm::is_sorted(*order))
      steps.push_back({nullptr, std::move(*order)});
  }
  return steps;
}

/// Whether two operands of views are the same: one value, or constants and lists of such.
static bool areSame(Value one, Value other) {
  if (one == other)
    return true;
  Operation *op = one.getDefiningOp(), *same = other.getDefiningOp();
  return op && same && isa<ListOp, ConstantOp, arith::ConstantOp>(op) &&
         OperationEquivalence::isEquivalentTo(
             op, same, [](Value of, Value by) { return success(areSame(of, by)); }, nullptr,
             OperationEquivalence::IgnoreLocations);
}

static bool areSame(const ViewStep &one, const ViewStep &other) {
  if (!one.op || !other.op)
    return !one.op && !other.op && one.order == other.order;
  return one.op->getName() == other.op->getName() &&
         one.op->getAttrDictionary() == other.op->getAttrDictionary() &&
         one.op->getResultTypes() == other.op->getResultTypes() &&
         llvm::equal(one.op->getOperands().drop_front(), other.op->getOperands().drop_front(),
                     [](Value of, Value by) { return areSame(of, by); });
}

/// Whether both are known to show the same elements of the same memory in the same places: a matrix
/// that is transposed twice is that matrix.
static bool showTheSame(Value one, Value other) {
  if (one == other)
    return true;
  auto type = cast<TensorType>(one.getType());
  Value root = viewRoot(one);
  if (type != other.getType() || viewRoot(other) != root)
    return false;
  SmallVector<Operation *> views = viewsBetween(root, one), others = viewsBetween(root, other);
  SmallVector<ViewStep> steps = stepsOf(views), otherSteps = stepsOf(others);
  if (llvm::equal(steps, otherSteps,
                  [](const ViewStep &of, const ViewStep &by) { return areSame(of, by); }))
    return true;
  if (!type.hasStaticSizes())
    return false;
  Layout first = placesIn(views), second = placesIn(others);
  auto strides = first.strides(type.getSizes());
  return strides && first.offset() && first.offset() == second.offset() &&
         strides == second.strides(type.getSizes());
}

/// `value`, which `end` gives out of `op`, and what its memory may be where it is a name inside of
/// `op`, or a name of such names: each memory once, so that names of names and views of views do
/// not multiply. A name from outside of `op` stays what it is there.
FailureOr<SmallVector<NameLinker::Source>> NameLinker::sourcesOf(Value value, Operation *op,
                                                                 Operation *end) {
  OpBuilder builder(end);
  DenseMap<Value, unsigned> depths;
  SmallVector<Source> sources{{Value(), value}};
  auto depthAt = [&](unsigned at) { return depthOf(viewRoot(sources[at].memory), links, depths); };
  for (SmallVector<unsigned> open{0}; !open.empty();) {
    unsigned *deepest = llvm::max_element(
        open, [&](unsigned one, unsigned other) { return depthAt(one) < depthAt(other); });
    Source source = sources[*deepest];
    open.erase(deepest);
    Value root = viewRoot(source.memory);
    if (!isInside(root, op))
      continue;
    for (const Link &link : links.lookup(root)) {
      Value memory = rebased(source.memory, root, link.memory, builder), holds = link.condition;
      if (source.condition)
        holds = arith::AndIOp::create(builder, end->getLoc(), source.condition, holds);
      Source *known =
          llvm::find_if(sources, [&](Source of) { return showTheSame(of.memory, memory); });
      if (known == sources.end()) {
        if (sources.size() == maxSources)
          return refuse(value, value.getLoc(),
                        "it may be one of more than " + Twine(maxSources) + " tensors");
        open.push_back(sources.size());
        sources.push_back({holds, memory});
      } else if (known->condition) {
        known->condition = arith::OrIOp::create(builder, end->getLoc(), known->condition, holds);
      }
    }
  }
  return sources;
}

/// A clone of `op`, a view or what a view takes, or an operation before it in its block that is the
/// same.
static Operation *cloneOnce(OpBuilder &builder, Operation *op, IRMapping &map,
                            bool isTakenOut = false) {
  Operation *clone = builder.clone(*op, map);
  if (isTakenOut)
    noteTakenOut(clone);
  if (clone->getNumOperands() == 0)
    return clone;
  for (Operation *user : clone->getOperand(0).getUsers())
    if (user != clone && user->getBlock() == clone->getBlock() && user->isBeforeInBlock(clone) &&
        OperationEquivalence::isEquivalentTo(user, clone, OperationEquivalence::exactValueMatch,
                                             nullptr, OperationEquivalence::IgnoreLocations)) {
      clone->erase();
      return user;
    }
  return clone;
}

/// The views that lead from `root` to `value`, taken of `onto`; null where a place or size of
/// theirs is known in `left` alone, behind which they are taken.
Value NameLinker::rebased(Value value, Value root, Value onto, OpBuilder &builder,
                          Operation *left) {
  for (Operation *view : viewsBetween(root, value)) {
    if (onto.getType() != view->getOperand(0).getType()) {
      Value cast = castTo(builder, view->getLoc(), onto, view->getOperand(0).getType());
      classes.add(onto, cast);
      onto = cast;
    }
    IRMapping map;
    for (Value operand : left ? view->getOperands().drop_front() : ValueRange()) {
      OpBuilder before(left);
      Value known = outside(operand, left, before);
      if (!known)
        return {};
      map.map(operand, known);
    }
    map.map(view->getOperand(0), onto);
    Operation *clone = cloneOnce(builder, view, map);
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
      !isa<ViewOpInterface, DerefineOp, UncheckedCastOp, ListOp, ConstantOp, arith::ConstantOp>(
          definition))
    return {};
  IRMapping map;
  for (Value operand : definition->getOperands()) {
    Value known = outside(operand, op, builder);
    if (!known)
      return {};
    map.map(operand, known);
  }
  Value result = cloneOnce(builder, definition, map, /*isTakenOut=*/true)->getResult(0);
  if (classes.isWritten(value))
    classes.add(value, result);
  return result;
}

/// Whether what `op` writes to `value` may be seen beside it: through the value, what it may be, or
/// a name that may be it, as the two results of a loop that are one after its first trip.
bool NameLinker::isShared(Value value, Operation *op) {
  llvm::SetVector<Value> names;
  names.insert(value);
  for (size_t next = 0; next < names.size(); ++next) {
    Value root = viewRoot(names[next]);
    if (isSeenBeside(names[next], op) || links.contains(root))
      return true;
    for (const auto &[name, all] : links)
      if (!isInside(name, op) &&
          llvm::any_of(all, [&](const Link &link) { return viewRoot(link.memory) == root; }))
        names.insert(name);
  }
  return false;
}

void NameLinker::replace(Value from, Value to) {
  classes.replace(from, to);
  replaceInLinks(links, from, to);
}

//===----------------------------------------------------------------------===//
// Elements of lists
//===----------------------------------------------------------------------===//

/// An element at a place that data tell is one of the list's.
LogicalResult NameLinker::linkElement(Operation *op) {
  Value element = op->getResult(0);
  if (!isNamed(element) || !classes.writeAfter(element, op))
    return success();
  ListOp list = listPickedFrom(op);
  if (!list)
    return refuse(element, op->getLoc(), "it may be an element of this list");
  OpBuilder builder(op);
  for (auto [place, memory] : llvm::enumerate(list.getElements())) {
    Value isPicked =
        isIndexOf(builder, op->getLoc(), op->getOperand(1), place, list.getElements().size());
    links[element].push_back({isPicked, memory});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// All of a function
//===----------------------------------------------------------------------===//

/// Of an operator that may give its operand, and does not show yet whether it does, nothing may be
/// written after it.
LogicalResult NameLinker::checkUnwritten(Operation *op) {
  SmallVector<Value> names(op->getResults());
  llvm::append_range(names, op->getOperands());
  for (Value name : names)
    if (isNamed(name) && classes.writeAfter(name, op))
      return refuse(name, op->getLoc(), "whether this gives new memory is not known");
  return success();
}

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
  if (op->hasTrait<MayGiveOperand>() && isa<DecomposableOpInterface>(op))
    return checkUnwritten(op);
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

FailureOr<Links> linkNames(func::FuncOp func, MemoryClasses &classes, Obstacle &obstacle) {
  return NameLinker(func, classes, obstacle).run();
}

} // namespace jit
