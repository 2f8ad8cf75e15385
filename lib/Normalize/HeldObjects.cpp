//===- HeldObjects.cpp - objects that module state holds ------------------===//
//
// A slot holds an object as the tuple of its attributes, or None; see ObjectResolver.h.
//
//===----------------------------------------------------------------------===//

#include "ObjectResolver.h"
#include "jit/Dialect/Aten/Container.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

/// `is` of objects of which both, or one alone, are the module's, or are one: true where nothing is
/// left of `op`. Two that calls made may be two arguments, and only the caller knows whether these
/// are one.
bool ObjectResolver::visitIdentity(Operation *op) {
  bool asksWhether = isa<aten::IsOp>(op);
  if (!asksWhether && !isa<aten::IsNotOp>(op))
    return false;
  auto a = lookup(op->getOperand(0)), c = lookup(op->getOperand(1));
  if ((a && a->held) || (c && c->held)) {
    // Whether there is one is asked of the slot.
    bool isOther = !a || !a->held;
    bool isOfNone = isa<NoneType>(op->getOperand(!isOther).getType());
    if (isOfNone)
      op->setOperand(isOther, isOther ? c->held : a->held);
    return isOfNone;
  }
  bool isOfNone = (a && isa<NoneType>(op->getOperand(1).getType())) ||
                  (c && isa<NoneType>(op->getOperand(0).getType()));
  bool isDecided = isOfNone || (a && c && (*a == *c || a->local == 0 || c->local == 0));
  if (!isDecided)
    return false;
  bool areOne = a && c && *a == *c;
  OpBuilder builder(op);
  Value answer =
      arith::ConstantOp::create(builder, op->getLoc(), builder.getBoolAttr(areOne == asksWhether));
  op->getResult(0).replaceAllUsesWith(answer);
  eraseLater(op);
  return true;
}

/// An object in a list or dict that a slot holds, by its place or key, and how many there are: true
/// where nothing is left of `op`.
bool ObjectResolver::visitHeldContainer(Operation *op) {
  auto container = op->getNumOperands() == 0 ? std::nullopt : lookup(op->getOperand(0));
  if (!container || !container->held || isa<GetAttrOp>(op) || op->getNumResults() != 1)
    return false;
  Type type = container->held.getType(), element;
  if (auto list = dyn_cast<ListType>(type))
    element = list.getElementType();
  else if (auto dict = dyn_cast<DictType>(type))
    element = dict.getValueType();
  bool gives = isa<ObjectType>(op->getResult(0).getType()) && op->hasTrait<PicksElement>();
  if (!element || !(gives || isa<aten::LenTOp>(op)))
    return false;
  OpBuilder builder(op);
  Operation *copy = builder.clone(*op);
  copy->setOperand(0, container->held);
  if (gives) {
    copy->getResult(0).setType(element);
    objects[op->getResult(0)] = KnownObject{.path = {}, .held = copy->getResult(0)};
  } else {
    op->getResult(0).replaceAllUsesWith(copy->getResult(0));
  }
  eraseLater(op);
  return true;
}

/// The place of an attribute among those that a slot holds.
static std::optional<unsigned> placeOf(ArrayAttr names, StringRef name) {
  for (auto [i, known] : llvm::enumerate(names.getAsRange<StringAttr>()))
    if (known.getValue() == name)
      return i;
  return std::nullopt;
}

LogicalResult ObjectResolver::getHeld(GetAttrOp op, Value held) {
  Type type = held.getType();
  if (auto optional = dyn_cast<OptionalType>(type))
    type = optional.getElementType();
  ArrayAttr names = namesOfHeld.lookup(op.getObject().getType());
  auto place = names ? placeOf(names, op.getName()) : std::nullopt;
  auto tuple = dyn_cast<TupleType>(type);
  if (!place || !tuple || *place >= tuple.getTypes().size())
    return op.emitOpError("expected an attribute '") << op.getName() << "' in module state";
  OpBuilder builder(op);
  Value parts = castTo(builder, op.getLoc(), held, tuple);
  Value part = TupleIndexOp::create(builder, op.getLoc(), tuple.getTypes()[*place], parts, *place);
  op.getResult().replaceAllUsesWith(castTo(builder, op.getLoc(), part, op.getType()));
  return success();
}

/// A slot comes to hold an object as it is now, or None.
LogicalResult ObjectResolver::setHeld(SetAttrOp op, SlotOp slot) {
  auto value = lookup(op.getValue());
  auto names = slot->getAttrOfType<ArrayAttr>(attributesAttr);
  auto tuple = cast<TupleType>(cast<OptionalType>(slot.getType()).getElementType());
  if (!value || value->local == 0 || op->getParentOfType<LoopLikeOpInterface>())
    return op.emitOpError("expected an object that is made in this call, outside of loops, as the "
                          "new value of '")
           << slot.getSymName() << "'";
  OpBuilder builder(op);
  SmallVector<Value> parts;
  for (auto [name, type] : llvm::zip(names.getAsRange<StringAttr>(), tuple.getTypes())) {
    auto cell = attributes.find({value->local, name.getValue()});
    if (cell == attributes.end())
      return op.emitOpError("expected attribute ") << name << " to be set before";
    parts.push_back(castTo(builder, op.getLoc(), get(cell->second), type));
  }
  kept.insert(value->local);
  Value made = TupleOp::create(builder, op.getLoc(), tuple, parts);
  SlotSetOp::create(builder, op.getLoc(), slot.getSymName(),
                    castTo(builder, op.getLoc(), made, slot.getType()));
  return success();
}

} // namespace jit
