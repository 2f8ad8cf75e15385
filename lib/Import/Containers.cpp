//===- Containers.cpp - lists and dicts that change -----------------------===//
//
// Each change is the new content, made of the old one by operators that change nothing, and a mark
// that the container itself takes it.
//
//===----------------------------------------------------------------------===//

#include "OperatorBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

OperatorBuilder::Change OperatorBuilder::findChange(StringRef name, Type type) {
  using F = OperatorBuilder;
  if (isa<ListType>(type))
    return llvm::StringSwitch<Change>(name)
        .Case("aten::insert", &F::listInsert)
        .Case("aten::_set_item", &F::listSetItem)
        .Cases({"aten::pop", "aten::Delete"}, &F::listPop)
        .Case("aten::remove", &F::listRemove)
        .Cases({"aten::extend", "aten::add_"}, &F::listExtend)
        .Case("aten::mul_", &F::listRepeat)
        .Case("aten::clear", &F::containerClear)
        .Case("aten::reverse", &F::listReverse)
        .Case("aten::sort", &F::listSort)
        .Default(nullptr);
  if (isa<DictType>(type))
    return llvm::StringSwitch<Change>(name)
        .Case("aten::_set_item", &F::dictSetItem)
        .Cases({"aten::pop", "aten::Delete"}, &F::dictPop)
        .Case("aten::update", &F::dictUpdate)
        .Case("aten::popitem", &F::dictPopItem)
        .Case("aten::setdefault", &F::dictSetDefault)
        .Case("aten::clear", &F::containerClear)
        .Default(nullptr);
  return nullptr;
}

Value OperatorBuilder::replace(Value container, Value content, Location loc) {
  if (!content)
    return unknown();
  ReplaceOp::create(builder, loc, container, content);
  return container;
}

void OperatorBuilder::raiseUnless(Value condition, StringRef message, StringRef pythonClass,
                                  Location loc) {
  auto check = scf::IfOp::create(builder, loc, TypeRange(), condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(check.elseBlock());
  RaiseOp::create(builder, loc, ConstantOp::create(builder, loc, message), pythonClass);
}

Value OperatorBuilder::choose(Value condition, function_ref<Value()> whenTrue,
                              function_ref<Value()> whenFalse, Location loc) {
  OpBuilder::InsertionGuard guard(builder);
  auto scratch = scf::IfOp::create(builder, loc, TypeRange(), condition, true, true);
  Block *blocks[] = {scratch.thenBlock(), scratch.elseBlock()};
  Value values[2];
  for (int side : {0, 1}) {
    blocks[side]->clear();
    builder.setInsertionPointToStart(blocks[side]);
    values[side] = side == 0 ? whenTrue() : whenFalse();
  }
  Type type = values[0] && values[1] ? joinTypes(values[0].getType(), values[1].getType()) : Type();
  if (!type) {
    scratch.erase();
    return unknown();
  }
  for (int side : {0, 1}) {
    builder.setInsertionPointToEnd(blocks[side]);
    scf::YieldOp::create(builder, loc, widen(values[side], type, loc, "value"));
  }
  builder.setInsertionPoint(scratch);
  auto chosen = scf::IfOp::create(builder, loc, type, condition);
  chosen.getThenRegion().takeBody(scratch.getThenRegion());
  chosen.getElseRegion().takeBody(scratch.getElseRegion());
  scratch.erase();
  return chosen.getResult(0);
}

Value OperatorBuilder::containerClear(Arguments arguments, Location loc) {
  Type type = arguments[0].getType();
  Value empty = isa<ListType>(type)
                    ? Value(ListOp::create(builder, loc, type, ValueRange()))
                    : DictOp::create(builder, loc, type, ValueRange(), ValueRange());
  return replace(arguments[0], empty, loc);
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// The list of one element, of the type of \p like; unknown where it cannot hold that element.
Value OperatorBuilder::listOf(Value element, Value like, Location loc) {
  auto type = cast<ListType>(like.getType());
  Value held = widen(convert(element, type.getElementType(), loc), type.getElementType(), loc,
                     "list element");
  return held ? ListOp::create(builder, loc, type, held) : unknown();
}

Value OperatorBuilder::listPart(Value list, Value start, Value end, Location loc) {
  return callOperator("aten::slice", {list, start, end, intConstant(1, loc)}, loc);
}

/// \p index counted from the front, checked.
Value OperatorBuilder::listPosition(Value list, Value index, Location loc) {
  Value length = callOperator("aten::len", ArrayRef(list), loc);
  if (!length || !index.getType().isInteger(64))
    return unsupported(loc, "an index into a list of type " + spell(index.getType()));
  Value zero = intConstant(0, loc);
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  Value fromBack = arith::AddIOp::create(builder, loc, index, length);
  Value isNegative = compare(arith::CmpIPredicate::slt, index, zero);
  Value position = arith::SelectOp::create(builder, loc, isNegative, fromBack, index);
  // Negative positions are large unsigned ones.
  raiseUnless(compare(arith::CmpIPredicate::ult, position, length), "list index out of range",
              "builtins.IndexError", loc);
  return position;
}

/// The list without the element at \p position, or with \p instead, a list, in its place.
Value OperatorBuilder::listWithout(Value list, Value position, Value instead, Location loc) {
  Value next = arith::AddIOp::create(builder, loc, position, intConstant(1, loc));
  Value before = listPart(list, noneConstant(loc), position, loc);
  Value after = listPart(list, next, noneConstant(loc), loc);
  if (instead)
    before = callOperator("aten::add", {before, instead}, loc);
  return callOperator("aten::add", {before, after}, loc);
}

Value OperatorBuilder::listInsert(Arguments arguments, Location loc) {
  if (arguments.size() != 3)
    return unsupported(loc, "insert with other than two arguments");
  Value list = arguments[0], added = listOf(arguments[2], list, loc);
  if (!added)
    return unknown();
  Value before = listPart(list, noneConstant(loc), arguments[1], loc);
  Value after = listPart(list, arguments[1], noneConstant(loc), loc);
  before = callOperator("aten::add", {before, added}, loc);
  return replace(list, callOperator("aten::add", {before, after}, loc), loc);
}

Value OperatorBuilder::listSetItem(Arguments arguments, Location loc) {
  Value list = arguments[0], added = listOf(arguments[2], list, loc);
  Value position = added ? listPosition(list, arguments[1], loc) : unknown();
  return position ? replace(list, listWithout(list, position, added, loc), loc) : unknown();
}

Value OperatorBuilder::listPop(Arguments arguments, Location loc) {
  Value list = arguments[0];
  Value index = arguments.size() > 1 ? arguments[1] : intConstant(-1, loc);
  Value position = listPosition(list, index, loc);
  if (!position)
    return unknown();
  Value element = callOperator("aten::__getitem__", {list, position}, loc);
  replace(list, listWithout(list, position, {}, loc), loc);
  return element;
}

Value OperatorBuilder::listRemove(Arguments arguments, Location loc) {
  Value list = arguments[0];
  Value position = callOperator("aten::index", {list, arguments[1]}, loc);
  return position ? replace(list, listWithout(list, position, {}, loc), loc) : unknown();
}

/// A new list of the elements from the last to the first.
Value OperatorBuilder::reversed(Value list, Location loc) {
  Value length = list ? callOperator("aten::len", ArrayRef(list), loc) : unknown();
  if (!length)
    return unknown();
  Value one = intConstant(1, loc), last = arith::SubIOp::create(builder, loc, length, one);
  Value turned = ListOp::create(builder, loc, list.getType(), ValueRange());
  auto loop = scf::ForOp::create(builder, loc, intConstant(0, loc), length, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value place = arith::SubIOp::create(builder, loc, last, loop.getInductionVar());
  AppendOp::create(builder, loc, turned, callOperator("aten::__getitem__", {list, place}, loc));
  return turned;
}

Value OperatorBuilder::listReverse(Arguments arguments, Location loc) {
  return replace(arguments[0], reversed(arguments[0], loc), loc);
}

Value OperatorBuilder::listSort(Arguments arguments, Location loc) {
  Value list = arguments[0];
  Value sorted = callOperator("aten::sorted", ArrayRef(list), loc);
  if (!sorted || sorted.getDefiningOp<MissingOp>())
    return sorted;
  if (arguments.size() > 1 && arguments[1].getType().isInteger(1))
    sorted =
        choose(arguments[1], [&] { return reversed(sorted, loc); }, [&] { return sorted; }, loc);
  return replace(list, sorted, loc);
}

Value OperatorBuilder::listExtend(Arguments arguments, Location loc) {
  Value list = arguments[0], more = arguments[1];
  // Without a use it is as it was made.
  auto literal = more.getDefiningOp<ListOp>();
  if (literal && more.use_empty() && literal->getBlock() == builder.getInsertionBlock()) {
    more = widen(more, list.getType(), loc, "value");
    // One by one: a loop that appends may stay a loop.
    for (Value element : more ? literal.getElements() : ValueRange())
      AppendOp::create(builder, loc, list, element);
    return list;
  }
  return replace(list, callOperator("aten::add", {list, more}, loc), loc);
}

Value OperatorBuilder::listRepeat(Arguments arguments, Location loc) {
  return replace(arguments[0], callOperator("aten::mul", arguments, loc), loc);
}

//===----------------------------------------------------------------------===//
// Dicts
//===----------------------------------------------------------------------===//

/// The dict with the value of one key added or changed.
Value OperatorBuilder::dictWith(Value dict, Value key, Value value, Location loc) {
  auto type = cast<DictType>(dict.getType());
  key = widen(key, type.getKeyType(), loc, "key");
  value = widen(convert(value, type.getValueType(), loc), type.getValueType(), loc, "value");
  if (!key || !value)
    return unknown();
  Value entry = DictOp::create(builder, loc, type, key, value);
  return DictMergeOp::create(builder, loc, type, dict, entry);
}

Value OperatorBuilder::dictSetItem(Arguments arguments, Location loc) {
  Value dict = arguments[0];
  return replace(dict, dictWith(dict, arguments[1], arguments[2], loc), loc);
}

Value OperatorBuilder::dictPop(Arguments arguments, Location loc) {
  Value dict = arguments[0], key = arguments[1];
  auto get = [&] { return callOperator("aten::__getitem__", {dict, key}, loc); };
  auto erase = [&]() -> Value {
    return DictEraseOp::create(builder, loc, dict.getType(), dict, key);
  };
  if (arguments.size() == 2) {
    Value value = get();
    return replace(dict, erase(), loc) ? value : unknown();
  }
  Value contains = callOperator("aten::__contains__", {dict, key}, loc);
  if (!contains)
    return unknown();
  Value value = choose(contains, get, [&] { return arguments[2]; }, loc);
  replace(dict, choose(contains, erase, [&] { return dict; }, loc), loc);
  return value;
}

/// TorchScript takes the first entry, where Python takes the last one.
Value OperatorBuilder::dictPopItem(Arguments arguments, Location loc) {
  Value dict = arguments[0];
  Value length = callOperator("aten::len", ArrayRef(dict), loc);
  Value items = callOperator("aten::items", ArrayRef(dict), loc);
  if (!length || !items)
    return unknown();
  Value isFilled =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, length, intConstant(0, loc));
  raiseUnless(isFilled, "popitem(): dictionary is empty", "builtins.RuntimeError", loc);
  Value item = callOperator("aten::__getitem__", {items, intConstant(0, loc)}, loc);
  if (!item || !isa<TupleType>(item.getType()))
    return item;
  Value key = tupleElement(item, 0, loc);
  replace(dict, DictEraseOp::create(builder, loc, dict.getType(), dict, key), loc);
  return item;
}

Value OperatorBuilder::dictUpdate(Arguments arguments, Location loc) {
  Value dict = arguments[0], more = widen(arguments[1], dict.getType(), loc, "dict");
  if (!more)
    return unknown();
  return replace(dict, DictMergeOp::create(builder, loc, dict.getType(), dict, more), loc);
}

Value OperatorBuilder::dictSetDefault(Arguments arguments, Location loc) {
  Value dict = arguments[0], key = arguments[1];
  Value contains = callOperator("aten::__contains__", {dict, key}, loc);
  if (!contains)
    return unknown();
  auto with = [&] { return dictWith(dict, key, arguments[2], loc); };
  replace(dict, choose(contains, [&] { return dict; }, with, loc), loc);
  return callOperator("aten::__getitem__", {dict, key}, loc);
}

} // namespace jit
