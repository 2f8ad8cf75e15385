//===- ResolveObjects.cpp - attributes of objects to slots and values -----===//

#include "ObjectResolver.h"
#include "jit/Dialect/Aten/Container.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/SelectionPatterns.h"
#include "jit/Normalize/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_RESOLVEOBJECTSPASS
#include "jit/Normalize/Passes.h.inc"

LogicalResult ObjectResolver::run() {
  for (BlockArgument arg : func.getArguments())
    if (isa<ObjectType>(arg.getType())) {
      if (!func.getArgAttr(arg.getArgNumber(), selfAttr))
        return func.emitOpError("expected no object among the arguments but the module itself, "
                                "got argument ")
               << arg.getArgNumber();
      objects[arg] = KnownObject();
    }
  if (failed(thread(func.getBody().front())))
    return failure();
  return removeObjects();
}

LogicalResult ObjectResolver::visit(Operation *op) {
  if (auto get = dyn_cast<GetAttrOp>(op))
    return visitGet(get);
  if (auto set = dyn_cast<SetAttrOp>(op))
    return visitSet(set);
  if (auto create = dyn_cast<CreateObjectOp>(op)) {
    visitCreate(create);
    return success();
  }
  if (isa<DerefineOp, UncheckedCastOp>(op) && mayBeObject(op->getResult(0).getType()))
    if (auto known = lookup(op->getOperand(0))) {
      objects[op->getResult(0)] = *known;
      eraseLater(op);
      return success();
    }
  if (visitHeldContainer(op) || visitContainer(op) || visitIdentity(op))
    return success();
  // Which object a while loop hands on is not asked: nothing but its attributes may be used.
  bool isOfWhile = isa<scf::WhileOp, scf::ConditionOp>(op) || isa<scf::WhileOp>(op->getParentOp());
  bool handsOn = isa<scf::YieldOp, scf::ConditionOp, scf::ForOp, scf::WhileOp, PoisonOp>(op);
  for (Value operand : op->getOperands())
    if (handsOn ? isOfWhile && isa<OptionalType>(operand.getType()) && lookup(operand)
                : isa<ObjectType>(operand.getType()) || lookup(operand))
      return op->emitOpError("expected objects to be used for their attributes alone, got ")
             << operand.getType();
  return success();
}

static bool holdsObjects(Type type) {
  auto tuple = dyn_cast<TupleType>(type);
  auto list = dyn_cast<ListType>(type);
  return isa<ObjectType>(type) || (list && holdsObjects(list.getElementType())) ||
         (tuple && llvm::any_of(tuple.getTypes(), holdsObjects));
}

/// The element of a list of known elements that `op` takes; none for any other operation.
static std::optional<size_t> elementOf(Operation *op) {
  auto item = dyn_cast<aten::GetItemTOp>(op);
  auto list = item ? item.getList().getDefiningOp<ListOp>() : ListOp();
  APInt index;
  if (!list || !matchPattern(item.getIdx(), m_ConstantInt(&index)))
    return std::nullopt;
  int64_t count = list.getElements().size(), place = index.getSExtValue();
  place += place < 0 ? count : 0;
  return place >= 0 && place < count ? std::optional(size_t(place)) : std::nullopt;
}

/// Whether tuples and lists are only taken apart again, as of what a method gives.
static bool isTakenApart(Operation *container) {
  return llvm::all_of(container->getUsers(), [&](Operation *user) {
    return isa<ListOp>(container) ? isa<aten::LenTOp>(user) || elementOf(user)
                                  : isa<TupleUnpackOp, TupleIndexOp>(user) ||
                                        (isa<TupleOp, ListOp>(user) && isTakenApart(user));
  });
}

/// A tuple or list with objects in it that is only taken apart again: true where nothing is left of
/// `op`.
bool ObjectResolver::visitContainer(Operation *op) {
  if (isa<TupleOp, ListOp>(op)) {
    bool isGone = holdsObjects(op->getResult(0).getType()) && isTakenApart(op);
    if (isGone)
      eraseLater(op);
    return isGone;
  }
  bool asksLength = isa<aten::LenTOp>(op);
  bool takesApart = isa<TupleUnpackOp, TupleIndexOp>(op) || isa<aten::GetItemTOp>(op);
  if (!(asksLength || takesApart) || !holdsObjects(op->getOperand(0).getType()))
    return false;
  Operation *container = op->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<TupleOp, ListOp>(container))
    return false;
  OpBuilder builder(op);
  if (asksLength) {
    auto count = builder.getI64IntegerAttr(container->getNumOperands());
    op->getResult(0).replaceAllUsesWith(arith::ConstantOp::create(builder, op->getLoc(), count));
    eraseLater(op);
    return true;
  }
  auto tupleIndex = dyn_cast<TupleIndexOp>(op);
  std::optional<size_t> one =
      tupleIndex ? std::optional<size_t>(tupleIndex.getIndex()) : elementOf(op);
  bool isFitting =
      one ? *one < container->getNumOperands()
          : isa<TupleUnpackOp>(op) && op->getNumResults() == container->getNumOperands();
  if (!isFitting)
    return false;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    Value element = container->getOperand(one.value_or(i));
    if (!isa<ObjectType>(result.getType()))
      result.replaceAllUsesWith(castTo(builder, op->getLoc(), element, result.getType()));
    else if (auto known = lookup(element))
      objects[result] = *known;
  }
  eraseLater(op);
  return true;
}

/// The class of the objects that a slot of this type holds.
static Type heldType(Type type) {
  if (auto optional = dyn_cast<OptionalType>(type))
    return optional.getElementType();
  if (auto list = dyn_cast<ListType>(type))
    return list.getElementType();
  auto dict = dyn_cast<DictType>(type);
  return dict ? dict.getValueType() : Type();
}

LogicalResult ObjectResolver::visitGet(GetAttrOp op) {
  auto object = lookup(op.getObject());
  if (!object)
    return op.emitOpError("expected an object that is known, for attribute '")
           << op.getName() << "', got " << op.getObject().getType();
  Value result = op.getResult();
  OpBuilder builder(op);
  eraseLater(op);
  if (isa<ObjectType>(result.getType())) {
    if (object->local == 0) {
      objects[result] = KnownObject{paths.join(object->path, op.getName())};
      return success();
    }
    auto member = members.find({object->local, op.getName()});
    if (member == members.end())
      return op.emitOpError("expected attribute '") << op.getName() << "' to be set before";
    objects[result] = member->second;
    return success();
  }
  if (auto cell = cellOf(op.getObject(), op.getName())) {
    result.replaceAllUsesWith(castTo(builder, op.getLoc(), get(*cell), result.getType()));
    return success();
  }
  if (object->held)
    return getHeld(op, object->held);
  std::string path = paths.join(object->path, op.getName());
  SlotOp slot = paths.lookup(path);
  if (!slot)
    return op.emitOpError("expected a slot '") << path << "' of module state, got none";
  auto names = slot->getAttrOfType<ArrayAttr>(attributesAttr);
  Type type = names ? slot.getType() : result.getType();
  Value value = SlotGetOp::create(builder, op.getLoc(), type, path);
  if (!names) {
    result.replaceAllUsesWith(value);
    return success();
  }
  objects[result] = KnownObject{.path = {}, .held = value};
  if (Type object = heldType(result.getType()))
    namesOfHeld[object] = names;
  return success();
}

LogicalResult ObjectResolver::visitSet(SetAttrOp op) {
  auto object = lookup(op.getObject());
  if (!object)
    return op.emitOpError("expected an object that is known, for attribute '")
           << op.getName() << "', got " << op.getObject().getType();
  OpBuilder builder(op);
  eraseLater(op);
  if (kept.contains(object->local) || object->held)
    return op.emitOpError("expected an object that module state holds not to change, got an "
                          "assignment of '")
           << op.getName() << "'";
  SlotOp slot =
      object->local == 0 ? paths.lookup(paths.join(object->path, op.getName())) : SlotOp();
  if (slot && slot->hasAttr(attributesAttr))
    return setHeld(op, slot);
  auto value = lookup(op.getValue());
  if (value && isa<OptionalType>(op.getValue().getType()))
    return op.emitOpError("expected an attribute that is never None to hold an object, got '")
           << op.getName() << "'";
  if (isa<ObjectType>(op.getValue().getType())) {
    if (!value || object->local == 0)
      return op.emitOpError("expected no assignment of a submodule, got one of '")
             << op.getName() << "'";
    if (!members.try_emplace({object->local, op.getName()}, *value).second)
      return op.emitOpError("expected the object '")
             << op.getName() << "' to be assigned once, got another assignment";
    return success();
  }
  if (auto cell = cellOf(op.getObject(), op.getName())) {
    set(*cell, castTo(builder, op.getLoc(), op.getValue(), typeOf(*cell)));
    return success();
  }
  std::string path = paths.join(object->path, op.getName());
  if (!slot)
    return op.emitOpError("expected a slot '") << path << "' of module state, got none";
  SlotSetOp::create(builder, op.getLoc(), path, op.getValue());
  return success();
}

/// Each attribute that is read or assigned on any object of this class is a cell of the new object.
void ObjectResolver::visitCreate(CreateObjectOp op) {
  unsigned local = ++locals;
  objects[op.getResult()] = KnownObject{"", local};
  OpBuilder builder(op);
  auto add = [&](Value object, StringAttr name, Type type) {
    if (object.getType() != op.getType() || isa<ObjectType>(type) ||
        attributes.count({local, name.getValue()}))
      return;
    Cell cell = attributes[{local, name.getValue()}] = addCell(type);
    set(cell, PoisonOp::create(builder, op.getLoc(), type));
  };
  // Reads know the declared types; what is assigned may be narrower.
  func.walk([&](GetAttrOp get) { add(get.getObject(), get.getNameAttr(), get.getType()); });
  func.walk(
      [&](SetAttrOp set) { add(set.getObject(), set.getNameAttr(), set.getValue().getType()); });
  eraseLater(op);
}

void ObjectResolver::collectAssigned(Operation *op, Cells &cells) {
  if (auto set = dyn_cast<SetAttrOp>(op))
    if (auto cell = cellOf(set.getObject(), set.getName()))
      cells.insert(*cell);
}

/// `value` of a branch or loop is what all its ways agree on.
LogicalResult ObjectResolver::mergeWays(Value value, ValueRange ways, Operation *at) {
  std::optional<KnownObject> merged;
  bool isOptional = isa<OptionalType>(value.getType());
  if (isOptional && llvm::none_of(ways, [&](Value way) { return lookup(way).has_value(); }))
    return success();
  for (Value way : ways) {
    if (way == value || way.getDefiningOp<PoisonOp>())
      continue;
    auto known = lookup(way);
    if (!known || (merged && *known != *merged)) {
      InFlightDiagnostic diag = at->emitOpError("expected the same object whichever way is taken");
      if (known && merged)
        diag << ", got '" << merged->path << "' and '" << known->path << "'";
      return diag;
    }
    merged = known;
  }
  if (merged)
    objects[value] = *merged;
  return success();
}

LogicalResult ObjectResolver::define(ValueRange values) {
  for (Value value : values) {
    if (!mayBeObject(value.getType()) || lookup(value))
      continue;
    if (auto result = dyn_cast<OpResult>(value)) {
      auto branch = dyn_cast<scf::IfOp>(result.getOwner());
      unsigned index = result.getResultNumber();
      if (branch &&
          failed(mergeWays(
              value, {branch.thenYield().getOperand(index), branch.elseYield().getOperand(index)},
              branch)))
        return failure();
      auto loop = dyn_cast<scf::ForOp>(result.getOwner());
      if (loop && failed(mergeWays(
                      value, {loop.getInitArgs()[index], loop.getYieldedValues()[index]}, loop)))
        return failure();
    } else if (auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp())) {
      // What the body hands on is compared when the loop's result is defined.
      unsigned index = cast<BlockArgument>(value).getArgNumber() - 1;
      if (failed(mergeWays(value, loop.getInitArgs()[index], loop)))
        return failure();
    }
  }
  return success();
}

/// Nothing reads an object any more, so branches and loops need not hand them on.
LogicalResult ObjectResolver::removeObjects() {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  for (auto &[value, object] : objects)
    if (!value.use_empty())
      value.replaceAllUsesWith(PoisonOp::create(builder, func.getLoc(), value.getType()));
  eraseNow();
  RewritePatternSet patterns(func.getContext());
  scf::IfOp::getCanonicalizationPatterns(patterns, func.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, func.getContext());
  FrozenRewritePatternSet frozen(std::move(patterns), selectionPatterns());
  // A branch may be simpler once one inside of it is: models of many take more rounds than usual.
  GreedyRewriteConfig config;
  config.setMaxIterations(200);
  if (failed(applyPatternsGreedily(func, frozen, config)))
    return func.emitOpError("expected simplification to come to an end");
  for (unsigned index = func.getNumArguments(); index-- > 0;)
    if (isa<ObjectType>(func.getArgument(index).getType()) && failed(func.eraseArgument(index)))
      return failure();
  return success();
}

namespace {

struct ResolveObjectsPass : impl::ResolveObjectsPassBase<ResolveObjectsPass> {
  void runOnOperation() override {
    SlotPaths paths(getOperation());
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (failed(ObjectResolver(func, paths).run()))
        return signalPassFailure();
    NamedAttrList aliases;
    for (auto alias : llvm::make_early_inc_range(getOperation().getOps<AliasOp>())) {
      aliases.set(alias.getSymName(), alias.getTargetAttr());
      alias.erase();
    }
    if (!aliases.empty())
      getOperation()->setAttr(aliasesAttr, aliases.getDictionary(&getContext()));
  }
};

} // namespace

} // namespace jit
