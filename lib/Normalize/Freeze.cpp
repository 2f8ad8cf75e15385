//===- Freeze.cpp - module state that nothing writes ----------------------===//

#include "SlotMemories.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Jit/CellThreading.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Normalize/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_FREEZEPASS
#include "jit/Normalize/Passes.h.inc"

namespace {

/// Builds the value of a frozen slot where it is read.
class FrozenValue {
public:
  FrozenValue(OpBuilder &builder, SlotGetOp get) : builder(builder), get(get) {}

  /// `value` as a value of `type`; null, after an error, where it does not fit.
  Value build(Attribute value, Type type) {
    if (auto optional = dyn_cast<OptionalType>(type)) {
      Type element = optional.getElementType();
      Type wrapped = isa<UnitAttr>(value) ? NoneType::get(builder.getContext()) : element;
      return wrap(build(value, wrapped), type);
    }
    if (auto tensor = dyn_cast<TensorType>(type); tensor && isa<StorageAttr>(value))
      return SlotGetOp::create(builder, get.getLoc(), tensor, get.getSlotAttr());
    // A tensor in a container has a slot of its own.
    if (auto slot = dyn_cast<FlatSymbolRefAttr>(value); slot && isa<TensorType>(type))
      return SlotGetOp::create(builder, get.getLoc(), type, slot);
    if (auto numbers = dyn_cast<DenseElementsAttr>(value); numbers && isa<TensorType>(type))
      return wrap(constantTensor(numbers), type);
    auto typed = dyn_cast<TypedAttr>(value);
    if (typed && isa<AnyType, NumberType>(type) && !isa<AnyType, NumberType>(typed.getType()))
      return wrap(build(value, typed.getType()), type);
    if (auto elements = dyn_cast<ArrayAttr>(value))
      return container(elements, type);
    if (isConstant(value, type))
      return get->getContext()
          ->getLoadedDialect<JitDialect>()
          ->materializeConstant(builder, value, type, get.getLoc())
          ->getResult(0);
    get.emitOpError("expected the value of a slot to fit its type, got ")
        << value << " for " << type;
    return {};
  }

private:
  Value wrap(Value value, Type type) {
    return value ? castTo(builder, get.getLoc(), value, type) : Value();
  }

  static bool isConstant(Attribute value, Type type) {
    if (isa<StrType, DeviceType>(type))
      return isa<StringAttr>(value);
    if (isa<NoneType>(type))
      return isa<UnitAttr>(value);
    auto typed = dyn_cast<TypedAttr>(value);
    return typed && typed.getType() == type &&
           (type.isInteger(64) || type.isInteger(1) || type.isF64());
  }

  Value constantTensor(DenseElementsAttr numbers) {
    ShapedType type = numbers.getType();
    auto tensor = TensorType::get(builder.getContext(), type.getShape(), type.getElementType());
    return ConstantOp::create(builder, get.getLoc(), tensor, numbers);
  }

  Value container(ArrayAttr elements, Type type) {
    SmallVector<Value> values;
    auto addAll = [&](auto typeOf) {
      for (auto [index, element] : llvm::enumerate(elements)) {
        values.push_back(build(element, typeOf(index)));
        if (!values.back())
          return false;
      }
      return true;
    };
    if (auto list = dyn_cast<ListType>(type))
      return addAll([&](size_t) { return list.getElementType(); })
                 ? ListOp::create(builder, get.getLoc(), type, values).getResult()
                 : Value();
    if (isa<ComplexType>(type))
      return addAll([&](size_t) { return builder.getF64Type(); })
                 ? ComplexOp::create(builder, get.getLoc(), values[0], values[1]).getResult()
                 : Value();
    auto tuple = dyn_cast<TupleType>(type);
    if (tuple && tuple.getTypes().size() == elements.size())
      return addAll([&](size_t index) { return tuple.getTypes()[index]; })
                 ? TupleOp::create(builder, get.getLoc(), type, values).getResult()
                 : Value();
    if (auto dict = dyn_cast<DictType>(type))
      return dictionary(elements, dict);
    get.emitOpError("expected the value of a slot to fit its type, got ")
        << elements << " for " << type;
    return {};
  }

  /// A dict's value is the array of its pairs, each an array of key and value.
  Value dictionary(ArrayAttr pairs, DictType type) {
    SmallVector<Value> keys, values;
    for (Attribute attr : pairs) {
      auto pair = dyn_cast<ArrayAttr>(attr);
      if (!pair || pair.size() != 2) {
        get.emitOpError("expected a key and a value, got ") << attr;
        return {};
      }
      keys.push_back(build(pair[0], type.getKeyType()));
      values.push_back(build(pair[1], type.getValueType()));
      if (!keys.back() || !values.back())
        return {};
    }
    return DictOp::create(builder, get.getLoc(), type, keys, values);
  }

  OpBuilder &builder;
  SlotGetOp get;
};

/// What a value is another name of: the tensor that an operator in place has written, and returns.
static Value originOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<OverwriteOp, DerefineOp, UncheckedCastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// `self.s += 1` sets the slot to the tensor that is there.
static bool setsWhatItHas(SlotSetOp set) {
  auto get = originOf(set.getValue()).getDefiningOp<SlotGetOp>();
  auto isOfSlot = [&](SlotSetOp other) { return other.getSlotAttr() == set.getSlotAttr(); };
  if (!get || get->getBlock() != set->getBlock() || get.getSlotAttr() != set.getSlotAttr())
    return false;
  for (Operation *op = get->getNextNode(); op != set; op = op->getNextNode()) {
    auto found = op->walk([&](SlotSetOp other) {
      return isOfSlot(other) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (found.wasInterrupted())
      return false;
  }
  return true;
}

/// Whether `value`, which is put into `slot`, is certainly the first of its memory if what is there
/// is.
static bool isFirstOfMemory(Value value, StringAttr slot, DenseSet<Value> &seen) {
  value = originOf(value);
  if (!seen.insert(value).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (auto get = dyn_cast_or_null<SlotGetOp>(op))
    return get.getSlotAttr().getAttr() == slot;
  // Whether a view copies may depend on how a call's arguments lie.
  if (isa_and_present<AtenOpInterface>(op))
    return !isa<ViewOpInterface>(op) && makesMemory(op);
  SmallVector<Value> ways = waysTo(value);
  return !ways.empty() &&
         llvm::all_of(ways, [&](Value way) { return isFirstOfMemory(way, slot, seen); });
}

static bool isFirstOfMemory(SlotSetOp set) {
  DenseSet<Value> seen;
  return isa<TensorType>(set.getValue().getType()) &&
         isFirstOfMemory(set.getValue(), set.getSlotAttr().getAttr(), seen);
}

static bool wasSavedFirst(SlotOp slot) {
  auto storage = dyn_cast<StorageAttr>(slot.getValue());
  return storage && storage.getOffset() == 0;
}

struct FreezePass : impl::FreezePassBase<FreezePass> {
  void runOnOperation() override {
    getOperation().walk([](SlotSetOp set) {
      if (setsWhatItHas(set))
        set.erase();
    });
    DenseMap<StringAttr, SmallVector<SlotGetOp>> reads;
    DenseSet<StringAttr> assigned, moved, written;
    getOperation().walk([&](Operation *op) {
      if (auto set = dyn_cast<SlotSetOp>(op)) {
        assigned.insert(set.getSlotAttr().getAttr());
        if (!isFirstOfMemory(set))
          moved.insert(set.getSlotAttr().getAttr());
      }
      auto get = dyn_cast<SlotGetOp>(op);
      if (!get)
        return;
      reads[get.getSlotAttr().getAttr()].push_back(get);
      if (isWrittenInPlace(get))
        written.insert(get.getSlotAttr().getAttr());
    });
    SlotMemories memories(getOperation());
    for (auto slot : getOperation().getOps<SlotOp>()) {
      bool isAssigned = assigned.contains(slot.getSymNameAttr());
      StringAttr sharedWith = memories.sharedWith(slot);
      bool isSeen = sharedWith && memories.isObserved(slot);
      bool isMutable = isAssigned || isSeen || written.contains(slot.getSymNameAttr());
      mark(slot, sharesAttr, isSeen, sharedWith);
      mark(slot, unobservedAttr, sharedWith && !isSeen);
      mark(slot, writtenAttr, written.contains(slot.getSymNameAttr()));
      mark(slot, assignedAttr, isAssigned);
      mark(slot, beginsAttr,
           isAssigned && !moved.contains(slot.getSymNameAttr()) && wasSavedFirst(slot));
      mark(slot, mutableAttr, isMutable);
      // An object that is in several of them would be one.
      if (isMutable && slot->hasAttr(attributesAttr) && isa<ListType, DictType>(slot.getType())) {
        slot.emitOpError("expected no writes to what objects in a list or dict of module state "
                         "hold, got one to those of '")
            << slot.getSymName() << "'";
        return signalPassFailure();
      }
      if (isMutable)
        continue;
      if (failed(freeze(slot, reads.lookup(slot.getSymNameAttr()))))
        return signalPassFailure();
    }
  }

  static void mark(SlotOp slot, StringRef attr, bool holds, Attribute value = {}) {
    if (holds)
      slot->setAttr(attr, value ? value : UnitAttr::get(slot.getContext()));
    else
      slot->removeAttr(attr);
  }

  LogicalResult freeze(SlotOp slot, ArrayRef<SlotGetOp> reads) {
    for (SlotGetOp get : reads) {
      if (get.getType() == slot.getType() && isa<TensorType>(slot.getType()))
        continue;
      OpBuilder builder(get);
      Value value = FrozenValue(builder, get).build(slot.getValue(), slot.getType());
      if (!value)
        return failure();
      get.getResult().replaceAllUsesWith(castTo(builder, get.getLoc(), value, get.getType()));
      get.erase();
    }
    return success();
  }
};

} // namespace

} // namespace jit
