//===- ResolveObjects.cpp - attributes of objects to slots and values -----===//

#include "jit/Dialect/Jit/CellThreading.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Normalize/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_RESOLVEOBJECTSPASS
#include "jit/Normalize/Passes.h.inc"

namespace {

/// What an object value stands for: a submodule by its path, or a local object by its number.
struct Object {
  std::string path;
  unsigned local = 0;

  bool operator==(const Object &other) const = default;
};

/// The slots of a module, by every path that leads to them.
class SlotPaths {
public:
  explicit SlotPaths(ModuleOp module) : symbols(module) {
    for (auto alias : module.getOps<AliasOp>())
      aliases[alias.getSymName()] = alias.getTarget().str();
  }

  /// `name` under the module at `path`, by the first path that leads there.
  std::string join(StringRef path, StringRef name) const {
    std::string joined = path.empty() ? name.str() : (path + "." + name).str();
    // An alias may lead to another one; a cycle of them leads nowhere.
    for (unsigned steps = 0; steps <= aliases.size(); ++steps) {
      auto alias = aliases.find(joined);
      if (alias == aliases.end())
        break;
      joined = alias->second;
    }
    return joined;
  }

  SlotOp lookup(StringRef path) const { return symbols.lookup<SlotOp>(path); }

private:
  SymbolTable symbols;
  llvm::StringMap<std::string> aliases;
};

class ObjectResolver : CellThreading {
public:
  ObjectResolver(func::FuncOp func, const SlotPaths &paths) : func(func), paths(paths) {}

  LogicalResult run() {
    for (BlockArgument arg : func.getArguments())
      if (isa<ObjectType>(arg.getType())) {
        if (!func.getArgAttr(arg.getArgNumber(), selfAttr))
          return func.emitOpError("expected no object among the arguments but the module itself, "
                                  "got argument ")
                 << arg.getArgNumber();
        objects[arg] = Object();
      }
    if (failed(thread(func.getBody().front())))
      return failure();
    return removeObjects();
  }

private:
  LogicalResult visit(Operation *op) override;
  void collectAssigned(Operation *op, Cells &cells) override;
  LogicalResult define(ValueRange values) override;
  void replaced(Value from, Value to) override {
    if (auto known = lookup(from))
      objects[to] = *known;
    objects.erase(from);
  }

  bool visitTuple(Operation *op);
  LogicalResult visitGet(GetAttrOp op);
  LogicalResult visitSet(SetAttrOp op);
  void visitCreate(CreateObjectOp op);
  LogicalResult mergeWays(Value value, ValueRange ways, Operation *at);
  LogicalResult removeObjects();

  std::optional<Object> lookup(Value value) const {
    auto known = objects.find(value);
    return known == objects.end() ? std::nullopt : std::optional(known->second);
  }
  std::optional<Cell> cellOf(Value object, StringRef name) const {
    auto known = lookup(object);
    if (!known || known->local == 0)
      return std::nullopt;
    auto cell = attributes.find({known->local, name});
    return cell == attributes.end() ? std::nullopt : std::optional(cell->second);
  }

  func::FuncOp func;
  const SlotPaths &paths;
  DenseMap<Value, Object> objects;
  std::map<std::pair<unsigned, StringRef>, Cell> attributes;
  /// Attributes of local objects that are objects themselves: assigned once each.
  std::map<std::pair<unsigned, StringRef>, Object> members;
  unsigned locals = 0;
};

LogicalResult ObjectResolver::visit(Operation *op) {
  if (auto get = dyn_cast<GetAttrOp>(op))
    return visitGet(get);
  if (auto set = dyn_cast<SetAttrOp>(op))
    return visitSet(set);
  if (auto create = dyn_cast<CreateObjectOp>(op)) {
    visitCreate(create);
    return success();
  }
  if (isa<DerefineOp, UncheckedCastOp>(op) && isa<ObjectType>(op->getResult(0).getType()))
    if (auto known = lookup(op->getOperand(0))) {
      objects[op->getResult(0)] = *known;
      eraseLater(op);
      return success();
    }
  if (visitTuple(op))
    return success();
  if (isa<scf::YieldOp, scf::ConditionOp, scf::ForOp, scf::WhileOp, PoisonOp>(op))
    return success();
  for (Value operand : op->getOperands())
    if (isa<ObjectType>(operand.getType()))
      return op->emitOpError("expected objects to be used for their attributes alone, got ")
             << operand.getType();
  return success();
}

static bool holdsObjects(TupleOp tuple) {
  return tuple && llvm::any_of(tuple.getOperandTypes(), llvm::IsaPred<ObjectType>);
}

/// A tuple with an object in it that is only taken apart again, as of what a method gives: true
/// where nothing is left of `op`.
bool ObjectResolver::visitTuple(Operation *op) {
  if (auto tuple = dyn_cast<TupleOp>(op)) {
    bool isTakenApart = holdsObjects(tuple) &&
                        llvm::all_of(op->getUsers(), llvm::IsaPred<TupleUnpackOp, TupleIndexOp>);
    if (isTakenApart)
      eraseLater(op);
    return isTakenApart;
  }
  if (!isa<TupleUnpackOp, TupleIndexOp>(op))
    return false;
  auto tuple = op->getOperand(0).getDefiningOp<TupleOp>();
  auto index = dyn_cast<TupleIndexOp>(op);
  bool isFitting = holdsObjects(tuple) && (index ? index.getIndex() < tuple.getNumOperands()
                                                 : op->getNumResults() == tuple.getNumOperands());
  if (!isFitting)
    return false;
  OpBuilder builder(op);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    Value element = tuple.getElements()[index ? index.getIndex() : i];
    if (!isa<ObjectType>(result.getType()))
      result.replaceAllUsesWith(castTo(builder, op->getLoc(), element, result.getType()));
    else if (auto known = lookup(element))
      objects[result] = *known;
  }
  eraseLater(op);
  return true;
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
      objects[result] = Object{paths.join(object->path, op.getName())};
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
  std::string path = paths.join(object->path, op.getName());
  if (!paths.lookup(path))
    return op.emitOpError("expected a slot '") << path << "' of module state, got none";
  result.replaceAllUsesWith(SlotGetOp::create(builder, op.getLoc(), result.getType(), path));
  return success();
}

LogicalResult ObjectResolver::visitSet(SetAttrOp op) {
  auto object = lookup(op.getObject());
  if (!object)
    return op.emitOpError("expected an object that is known, for attribute '")
           << op.getName() << "', got " << op.getObject().getType();
  OpBuilder builder(op);
  eraseLater(op);
  if (isa<ObjectType>(op.getValue().getType())) {
    auto value = lookup(op.getValue());
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
  SlotOp slot = paths.lookup(path);
  if (!slot)
    return op.emitOpError("expected a slot '") << path << "' of module state, got none";
  SlotSetOp::create(builder, op.getLoc(), path, op.getValue());
  return success();
}

/// Each attribute that is read or assigned on any object of this class is a cell of the new object.
void ObjectResolver::visitCreate(CreateObjectOp op) {
  unsigned local = ++locals;
  objects[op.getResult()] = Object{"", local};
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
  std::optional<Object> merged;
  for (Value way : ways) {
    if (way == value || way.getDefiningOp<PoisonOp>())
      continue;
    auto known = lookup(way);
    if (!known || (merged && *known != *merged)) {
      InFlightDiagnostic diag = at->emitOpError("expected the same object whichever way is taken");
      if (known)
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
    if (!isa<ObjectType>(value.getType()) || lookup(value))
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
  FrozenRewritePatternSet frozen(std::move(patterns),
                                 {"(anonymous namespace)::ConvertTrivialIfToSelect"});
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

struct ResolveObjectsPass : impl::ResolveObjectsPassBase<ResolveObjectsPass> {
  void runOnOperation() override {
    SlotPaths paths(getOperation());
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (failed(ObjectResolver(func, paths).run()))
        return signalPassFailure();
    for (auto alias : llvm::make_early_inc_range(getOperation().getOps<AliasOp>()))
      alias.erase();
  }
};

} // namespace

} // namespace jit
