//===- ValueForms.cpp - what has rules of its own -------------------------===//
//
// Parts of the language that no schema describes, on values: all importers meet them.
//
//===----------------------------------------------------------------------===//

#include "OperatorBuilder.h"
#include "jit/Dialect/Jit/Format.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Types and identity
//===----------------------------------------------------------------------===//

Value OperatorBuilder::unwrapOptional(Value value, Location loc) {
  auto optional = value ? dyn_cast<OptionalType>(value.getType()) : OptionalType();
  if (!optional)
    return value;
  Value isNone = callOperator("aten::__is__", {value, noneConstant(loc)}, loc);
  if (!isNone)
    return unknown();
  auto check = scf::IfOp::create(builder, loc, isNone, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(check.thenBlock());
    Value message = ConstantOp::create(builder, loc, "expected a value, got None");
    RaiseOp::create(builder, loc, message, "builtins.RuntimeError");
  }
  return UncheckedCastOp::create(builder, loc, optional.getElementType(), value);
}

Value OperatorBuilder::isInstance(Value value, ArrayRef<Type> types, Location loc,
                                  ArrayRef<StringRef> containers) {
  if (!value || llvm::is_contained(types, Type()))
    return unknown();
  Type actual = value.getType();
  auto holds = [&](Type held) {
    return (isa<ListType>(held) && llvm::is_contained(containers, "list")) ||
           (isa<TupleType>(held) && llvm::is_contained(containers, "tuple")) ||
           llvm::any_of(types, [&](Type type) { return isSubtype(held, type); });
  };
  if (holds(actual))
    return boolConstant(true, loc);
  // What is exactly one other type is none of these.
  if (!isa<OptionalType, AnyType, NumberType>(actual) &&
      llvm::none_of(types, [&](Type type) { return isSubtype(type, actual); }))
    return boolConstant(false, loc);
  // An Optional that is of its own type is not None.
  auto optional = dyn_cast<OptionalType>(actual);
  if (optional) {
    Type element = optional.getElementType();
    bool takesNone = holds(NoneType::get(context)), takesElement = holds(element);
    if (takesNone && takesElement)
      return boolConstant(true, loc);
    if (takesElement)
      return callOperator("aten::__isnot__", {value, noneConstant(loc)}, loc);
    // What is not None may still be of a narrower type that is asked for.
    if (isa<AnyType, NumberType>(element) ||
        llvm::any_of(types, [&](Type type) { return isSubtype(type, element); }))
      return unsupported(loc, "isinstance of a value of type " + spell(actual));
    return takesNone ? callOperator("aten::__is__", {value, noneConstant(loc)}, loc)
                     : boolConstant(false, loc);
  }
  // A call says what it is.
  SmallVector<Value> names;
  for (Type type : types)
    names.push_back(ConstantOp::create(builder, loc, StringRef(spell(type))));
  for (StringRef container : containers)
    names.push_back(ConstantOp::create(builder, loc, container));
  auto list = ListOp::create(builder, loc, ListType::get(StrType::get(context)), names);
  return callOperator("jit::_isinstance", {value, list}, loc);
}

Value OperatorBuilder::identity(Value a, Value b, bool negate, Location loc) {
  if (!a || !b)
    return unknown();
  if (isEnum(a.getType()) && isEnum(b.getType()))
    return callOperator(negate ? "aten::ne" : "aten::eq", {a, b}, loc);
  bool noneA = isa<NoneType>(a.getType()), noneB = isa<NoneType>(b.getType());
  if (noneA && noneB)
    return boolConstant(!negate, loc);
  // A value of a type without None is never None.
  if ((noneA || noneB) && !isa<OptionalType, AnyType>((noneA ? b : a).getType()))
    return boolConstant(negate, loc);
  // Nor are values one that are of types which have no value in common.
  auto isOpen = [](Type type) { return isa<OptionalType, AnyType, NumberType, NoneType>(type); };
  if (!isOpen(a.getType()) && !isOpen(b.getType()) &&
      a.getType().getTypeID() != b.getType().getTypeID())
    return boolConstant(negate, loc);
  return callOperator(negate ? "aten::__isnot__" : "aten::__is__", {a, b}, loc);
}

Value OperatorBuilder::castScalar(StringRef name, Type type, Value value, Location loc) {
  if (value && value.getType() == type)
    return value;
  return callOperator(name, ArrayRef(value), loc);
}

//===----------------------------------------------------------------------===//
// Strings, lists, exceptions
//===----------------------------------------------------------------------===//

Value OperatorBuilder::formatText(Arguments textAndValues, Location loc) {
  if (textAndValues.empty() || llvm::is_contained(textAndValues, Value()))
    return unknown();
  Value text = textAndValues.front();
  if (!isa<StrType>(text.getType()))
    return unsupported(loc, "a template of type " + spell(text.getType()));
  return FormatOp::create(builder, loc, StrType::get(context), text, textAndValues.drop_front());
}

/// What a template of `%` asks for that PyTorch does not convert; empty where there is none.
static std::string badConversion(StringRef text, TypeRange types) {
  size_t used = 0;
  for (size_t at = text.find('%'); at != StringRef::npos; at = text.find('%', at + 2)) {
    StringRef letter = text.substr(at + 1, 1);
    if (letter == "%")
      continue;
    if (letter.empty() || !StringRef("sdieEfFc").contains(letter))
      return "a conversion among %s, %d, %i, %f, %F, %e, %E, %c and %%, got %" + letter.str();
    if (used == types.size())
      return "a value for each conversion of %, got " + std::to_string(types.size());
    Type type = types[used++];
    if (!StringRef("sc").contains(letter) && !type.isInteger(64) && !type.isF64())
      return "an int or a float for %" + letter.str() + ", got one of type " + spell(type);
  }
  return used == types.size() ? ""
                              : "as many conversions of % as values, got " + std::to_string(used);
}

Value OperatorBuilder::percentText(Arguments textAndValue, Location loc) {
  if (textAndValue.size() != 2 || llvm::is_contained(textAndValue, Value()))
    return unknown();
  SmallVector<Value> values = {textAndValue[1]};
  if (auto tuple = dyn_cast<TupleType>(values.front().getType())) {
    values.clear();
    for (size_t i = 0; i < tuple.getTypes().size(); ++i)
      values.push_back(tupleElement(textAndValue[1], int64_t(i), loc));
  }
  auto constant = textAndValue[0].getDefiningOp<ConstantOp>();
  auto text = constant ? dyn_cast<StringAttr>(constant.getValue()) : StringAttr();
  std::string bad = text ? badConversion(text.getValue(), ValueRange(values).getTypes()) : "";
  if (!bad.empty())
    return error(loc) << "expected " << bad, unknown();
  auto made = FormatOp::create(builder, loc, StrType::get(context), textAndValue[0], values);
  made->setAttr(percentAttr, builder.getUnitAttr());
  return made;
}

Value OperatorBuilder::appendElement(Value list, Value element, Location loc) {
  auto type = list ? dyn_cast<ListType>(list.getType()) : ListType();
  if (list && !type)
    return unsupported(loc, "append to a value of type " + spell(list.getType()));
  if (type)
    element = widen(element, type.getElementType(), loc, "list element");
  if (type && element)
    AppendOp::create(builder, loc, list, element);
  return list;
}

Value OperatorBuilder::raise(Value message, Value pythonClass, Location loc) {
  StringRef name = "builtins.RuntimeError";
  if (auto constant = pythonClass ? pythonClass.getDefiningOp<ConstantOp>() : ConstantOp())
    if (auto text = dyn_cast<StringAttr>(constant.getValue()))
      name = text;
  if (message && !isa<StrType>(message.getType()))
    return unsupported(loc, "an exception whose message is of type " + spell(message.getType()));
  if (message)
    RaiseOp::create(builder, loc, message, name);
  return noneConstant(loc);
}

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

Value OperatorBuilder::makeTuple(ValueRange values, Location loc) {
  return TupleOp::create(builder, loc, TupleType::get(context, llvm::to_vector(values.getTypes())),
                         values);
}

Value OperatorBuilder::tupleElement(Value tuple, int64_t index, Location loc) {
  ArrayRef<Type> types = cast<TupleType>(tuple.getType()).getTypes();
  int64_t size = types.size();
  if (index < -size || index >= size) {
    error(loc) << "expected an index into a tuple of " << size << ", got " << index;
    return unknown();
  }
  if (index < 0)
    index += size;
  return TupleIndexOp::create(builder, loc, types[index], tuple, index);
}

SmallVector<Value> OperatorBuilder::unpackValue(Value value, size_t count, Location loc) {
  SmallVector<Value> parts(count);
  if (!value)
    return parts;
  Type type = value.getType();
  if (value.getDefiningOp<MissingOp>()) {
    llvm::fill(parts, value);
  } else if (auto tuple = dyn_cast<TupleType>(type)) {
    if (tuple.getTypes().size() != count) {
      error(loc) << "expected " << count << " values to unpack, got " << tuple.getTypes().size();
    } else if (auto made = value.getDefiningOp<TupleOp>(); made && value.use_empty()) {
      // A literal, or the results of an operator: no need for the tuple.
      parts.assign(made.getElements().begin(), made.getElements().end());
      made.erase();
    } else {
      llvm::copy(TupleUnpackOp::create(builder, loc, tuple.getTypes(), value).getResults(),
                 parts.begin());
    }
  } else if (auto list = dyn_cast<ListType>(type)) {
    SmallVector<Type> types(count, list.getElementType());
    llvm::copy(ListUnpackOp::create(builder, loc, types, value).getResults(), parts.begin());
  } else {
    error(loc) << "expected a tuple or a list to unpack, got " << spell(type);
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

SmallVector<Value> OperatorBuilder::buildIf(Location loc, Value condition,
                                            std::unique_ptr<Region> regions[2],
                                            ArrayRef<Value> yields[2], ArrayRef<Type> types) {
  for (int side : {0, 1}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&regions[side]->front());
    SmallVector<Value> values;
    for (auto [value, type] : llvm::zip(yields[side], types))
      values.push_back(widen(value, type, loc, "value"));
    scf::YieldOp::create(builder, loc, values);
  }
  if (types.empty() && llvm::hasSingleElement(regions[1]->front()))
    regions[1]->getBlocks().clear();
  OperationState state(loc, scf::IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(types);
  state.addRegion(std::move(regions[0]));
  state.addRegion(std::move(regions[1]));
  return llvm::to_vector_of<Value>(builder.create(state)->getResults());
}

} // namespace jit
