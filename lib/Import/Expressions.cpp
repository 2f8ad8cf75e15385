//===- Expressions.cpp - literals, names, attributes and elements ---------===//

#include "FunctionImporter.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace jit {

namespace ts = torchscript;

Value FunctionImporter::importExpr(const Expr *expr, Type hint) {
  return valueOf(importBinding(expr, hint), expr);
}

Value FunctionImporter::valueOf(const Binding &binding, const Expr *expr) {
  if (!binding.function.empty())
    return unsupported(location(expr), "a function as a value");
  if (binding.awaitable)
    return unsupported(location(expr), "an awaitable that another function gets or gives");
  if (binding.place)
    return unsupported(location(expr), "a module of a list or dict of modules as a value");
  return binding.value;
}

Binding FunctionImporter::importBinding(const Expr *expr, Type hint) {
  Location loc = location(expr);
  auto value = [](Value value) { return Binding{value, {}}; };
  switch (expr->kind) {
  case ts::ExprKind::Name: {
    StringRef name = expr->as<ts::NameExpr>()->name;
    if (auto bound = scope.find(name); bound != scope.end())
      return bound->second;
    error(loc) << "expected '" << name << "' to be defined on every path to here";
    bind(name, unknown());
    return {};
  }
  case ts::ExprKind::Attribute:
    return importAttribute(*expr->as<ts::AttributeExpr>());
  case ts::ExprKind::Call:
    if (auto awaitable = importAwaitable(*expr->as<ts::CallExpr>()))
      return *awaitable;
    return value(importCall(*expr->as<ts::CallExpr>()));
  case ts::ExprKind::Subscript:
    return importSubscript(*expr->as<ts::SubscriptExpr>());
  case ts::ExprKind::Int:
    return value(intConstant(expr->as<ts::IntExpr>()->value, loc));
  case ts::ExprKind::Float:
    return value(floatConstant(expr->as<ts::FloatExpr>()->value, loc));
  case ts::ExprKind::Bool:
    return value(boolConstant(expr->as<ts::BoolExpr>()->value, loc));
  case ts::ExprKind::None:
    return value(noneConstant(loc));
  case ts::ExprKind::String:
    return value(ConstantOp::create(builder, loc, StringRef(expr->as<ts::StringExpr>()->value)));
  case ts::ExprKind::List:
    return value(importList(*expr->as<ts::ListExpr>(), hint));
  case ts::ExprKind::Tuple:
    return value(importTuple(*expr->as<ts::TupleExpr>(), hint));
  case ts::ExprKind::Dict:
    return value(importDict(*expr->as<ts::DictExpr>(), hint));
  case ts::ExprKind::Unary:
    return value(importUnary(*expr->as<ts::UnaryExpr>()));
  case ts::ExprKind::Binary:
    return value(importBinary(*expr->as<ts::BinaryExpr>()));
  case ts::ExprKind::Conditional: {
    auto *conditional = expr->as<ts::ConditionalExpr>();
    Value condition = importCondition(conditional->condition);
    return value(importConditional(
        loc, condition, [&] { return importExpr(conditional->whenTrue, hint); },
        [&] { return importExpr(conditional->whenFalse, hint); }));
  }
  case ts::ExprKind::Complex:
    return value(complexConstant({0, expr->as<ts::ComplexExpr>()->imaginary}, loc));
  case ts::ExprKind::Slice:
  case ts::ExprKind::Ellipsis:
    break;
  }
  return value(unsupported(loc, "a slice or an ellipsis here"));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Binding FunctionImporter::importAttribute(const ts::AttributeExpr &expr) {
  Location loc = location(&expr);
  std::optional<std::string> dotted = ts::dottedName(&expr);
  StringRef qualified = dotted ? StringRef(*dotted) : StringRef();
  if (qualified.consume_front("CONSTANTS."))
    return {importArchiveConstant(qualified, loc), {}};
  if (qualified.starts_with("__torch__.")) {
    if (program.isFunction(qualified))
      return {{}, qualified.str()};
    auto [className, member] = qualified.rsplit('.');
    if (const ts::AttributeDef *known = program.enumMember(className, member))
      return {importEnumMember(*known, loc)};
    program.errorOnce(loc, "expected a function named " + qualified.str());
    return {};
  }
  return {getAttribute(importExpr(expr.base), expr.name, loc), {}};
}

Value FunctionImporter::importEnumMember(const ts::AttributeDef &member, Location loc) {
  Value parts[2] = {ConstantOp::create(builder, loc, StringRef(member.name)),
                    importExpr(member.value)};
  if (!parts[1])
    return unknown();
  auto type = TupleType::get(context, {parts[0].getType(), parts[1].getType()});
  return TupleOp::create(builder, loc, type, parts);
}

Value FunctionImporter::getAttribute(Value object, StringRef name, Location loc) {
  if (!object)
    return unknown();
  if (isEnum(object.getType()) && (name == "name" || name == "value")) {
    unsigned index = name == "value";
    Type part = cast<TupleType>(object.getType()).getTypes()[index];
    return TupleIndexOp::create(builder, loc, part, object, index);
  }
  auto type = dyn_cast<ObjectType>(object.getType());
  if (!type)
    return unsupported(loc,
                       "attribute '" + name + "' of a value of type " + spell(object.getType()));
  Type declared = program.attributeType(type, name, loc);
  if (!declared)
    return unknown();
  return GetAttrOp::create(builder, loc, declared, object, name);
}

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

Value FunctionImporter::importList(const ts::ListExpr &expr, Type hint) {
  Location loc = location(&expr);
  if (auto optional = dyn_cast_or_null<OptionalType>(hint))
    hint = optional.getElementType();
  auto asked = dyn_cast_or_null<ListType>(hint);
  Type element = asked ? asked.getElementType() : Type();
  SmallVector<Value> values;
  for (const Expr *part : expr.elements) {
    values.push_back(importExpr(part, element));
    if (!values.back())
      return unknown();
  }
  // Without elements and without an annotation TorchScript takes a list of tensors.
  if (!element)
    element = values.empty() ? Type(TensorType::get(context)) : values.front().getType();
  if (!asked)
    for (Value value : values) {
      element = joinTypes(element, value.getType());
      if (!element) {
        error(loc) << "expected list elements of one type, got " << spell(value.getType())
                   << " after " << spell(values.front().getType());
        return unknown();
      }
    }
  for (Value &value : values) {
    value = widen(value, element, value.getLoc(), "list element");
    if (!value)
      return unknown();
  }
  return ListOp::create(builder, loc, ListType::get(element), values);
}

Value FunctionImporter::importTuple(const ts::TupleExpr &expr, Type hint) {
  auto asked = dyn_cast_or_null<TupleType>(hint);
  if (asked && asked.getTypes().size() != expr.elements.size())
    asked = {};
  SmallVector<Value> values;
  for (auto [i, part] : llvm::enumerate(expr.elements)) {
    values.push_back(importExpr(part, asked ? asked.getTypes()[i] : Type()));
    if (values.back() && asked && isSubtype(values.back().getType(), asked.getTypes()[i]))
      values.back() = widen(values.back(), asked.getTypes()[i], location(part), "element");
  }
  if (llvm::is_contained(values, Value()))
    return unknown();
  return makeTuple(values, location(&expr));
}

/// Whether these are constants of which no two are equal.
static bool areDistinct(ArrayRef<Value> keys) {
  llvm::SmallDenseSet<Attribute> seen;
  return llvm::all_of(keys, [&](Value key) {
    Attribute constant;
    if (auto text = key.getDefiningOp<ConstantOp>())
      constant = text.getValue();
    else
      matchPattern(key, m_Constant(&constant));
    return constant && seen.insert(constant).second;
  });
}

Value FunctionImporter::importDict(const ts::DictExpr &expr, Type hint) {
  Location loc = location(&expr);
  auto asked = dyn_cast_or_null<DictType>(hint);
  Type sides[2] = {asked ? asked.getKeyType() : Type(), asked ? asked.getValueType() : Type()};
  SmallVector<Value> values[2];
  for (int side : {0, 1})
    for (const Expr *part : side == 0 ? expr.keys : expr.values) {
      Value value = importExpr(part, sides[side]);
      if (value && !sides[side])
        sides[side] = value.getType();
      value = widen(value, sides[side], location(part), side == 0 ? "key" : "value");
      if (!value)
        return unknown();
      values[side].push_back(value);
    }
  // Without entries and without an annotation TorchScript takes strings to tensors.
  if (!sides[0])
    sides[0] = StrType::get(context);
  if (!sides[1])
    sides[1] = TensorType::get(context);
  auto type = DictType::get(context, sides[0], sides[1]);
  auto entries = [&](ArrayRef<Value> keys, ArrayRef<Value> of) -> Value {
    return DictOp::create(builder, loc, type, keys, of);
  };
  if (areDistinct(values[0]))
    return entries(values[0], values[1]);
  Value dict = entries({}, {});
  for (auto [key, value] : llvm::zip(values[0], values[1]))
    dict = DictMergeOp::create(builder, loc, type, dict, entries(key, value));
  return dict;
}

Binding FunctionImporter::importSubscript(const ts::SubscriptExpr &expr) {
  Location loc = location(&expr);
  Value base = importExpr(expr.base);
  if (expr.indices.size() != 1)
    return {unsupported(loc, "an index of several dimensions")};
  const Expr *index = expr.indices.front();
  if (auto *slice = index->as<ts::SliceExpr>())
    return {importSlice(base, *slice, loc)};
  if (base && isa<TupleType>(base.getType()))
    return {importTupleIndex(base, index, loc)};
  Value position = importExpr(index);
  if (!base || !position)
    return {unknown()};
  // An index into a module that has a method for it is a call of that.
  if (isa<ObjectType>(base.getType()))
    return {.value = {}, .modules = base, .place = position};
  if (isa<TensorType>(base.getType()) && position.getType().isInteger(64))
    return {callOperator("aten::select", {base, intConstant(0, loc), position}, loc)};
  return {callOperator("aten::__getitem__", {base, position}, loc)};
}

Value FunctionImporter::importTupleIndex(Value tuple, const Expr *index, Location loc) {
  auto *literal = index->as<ts::IntExpr>();
  if (!literal)
    return unsupported(loc, "an index into a tuple that is not a literal");
  return tupleElement(tuple, literal->value, loc);
}

Value FunctionImporter::importSlice(Value base, const ts::SliceExpr &slice, Location loc) {
  auto bound = [&](const Expr *expr) { return expr ? importExpr(expr) : noneConstant(loc); };
  Value lower = bound(slice.lower), upper = bound(slice.upper);
  Value step = slice.step ? importExpr(slice.step) : intConstant(1, loc);
  if (!base)
    return unknown();
  if (isa<TensorType>(base.getType()))
    return callOperator("aten::slice", {base, intConstant(0, loc), lower, upper, step}, loc);
  return callOperator("aten::slice", {base, lower, upper, step}, loc);
}

//===----------------------------------------------------------------------===//
// Operators written as such
//===----------------------------------------------------------------------===//

Value FunctionImporter::importUnary(const ts::UnaryExpr &expr) {
  Location loc = location(&expr);
  Value operand = importExpr(expr.operand);
  switch (expr.op) {
  case ts::UnaryOp::Not:
    return callOperator("aten::__not__", ArrayRef(operand), loc);
  case ts::UnaryOp::Negate:
    return callOperator("aten::neg", ArrayRef(operand), loc);
  case ts::UnaryOp::Invert:
    return callOperator("aten::bitwise_not", ArrayRef(operand), loc);
  case ts::UnaryOp::Plus:
    break;
  }
  return operand;
}

static StringRef operatorName(ts::BinaryOp op) {
  switch (op) {
  case ts::BinaryOp::Equal:
    return "aten::eq";
  case ts::BinaryOp::NotEqual:
    return "aten::ne";
  case ts::BinaryOp::Less:
    return "aten::lt";
  case ts::BinaryOp::LessEqual:
    return "aten::le";
  case ts::BinaryOp::Greater:
    return "aten::gt";
  case ts::BinaryOp::GreaterEqual:
    return "aten::ge";
  case ts::BinaryOp::BitOr:
    return "aten::__or__";
  case ts::BinaryOp::BitXor:
    return "aten::__xor__";
  case ts::BinaryOp::BitAnd:
    return "aten::__and__";
  case ts::BinaryOp::ShiftLeft:
    return "aten::__lshift__";
  case ts::BinaryOp::ShiftRight:
    return "aten::__rshift__";
  case ts::BinaryOp::Add:
    return "aten::add";
  case ts::BinaryOp::Subtract:
    return "aten::sub";
  case ts::BinaryOp::Multiply:
    return "aten::mul";
  case ts::BinaryOp::Divide:
    return "aten::div";
  case ts::BinaryOp::FloorDivide:
    return "aten::floordiv";
  case ts::BinaryOp::Modulo:
    return "aten::remainder";
  case ts::BinaryOp::MatMul:
    return "aten::matmul";
  case ts::BinaryOp::Power:
    return "aten::pow";
  default:
    return {};
  }
}

Value FunctionImporter::importBinary(const ts::BinaryExpr &expr) {
  Location loc = location(&expr);
  if (StringRef name = operatorName(expr.op); !name.empty()) {
    Value lhs = importExpr(expr.lhs), rhs = importExpr(expr.rhs);
    return callOperator(name, {lhs, rhs}, loc);
  }
  switch (expr.op) {
  case ts::BinaryOp::And:
  case ts::BinaryOp::Or: {
    // The right side counts, and runs, only if the left one does not settle it.
    bool isOr = expr.op == ts::BinaryOp::Or;
    Value condition = importCondition(expr.lhs);
    auto settled = [&] { return boolConstant(isOr, loc); };
    auto rhs = [&] { return importCondition(expr.rhs); };
    return isOr ? importConditional(loc, condition, settled, rhs)
                : importConditional(loc, condition, rhs, settled);
  }
  case ts::BinaryOp::In:
  case ts::BinaryOp::NotIn: {
    Value element = importExpr(expr.lhs), list = importExpr(expr.rhs);
    Value contains = callOperator("aten::__contains__", {list, element}, loc);
    return expr.op == ts::BinaryOp::In ? contains
                                       : callOperator("aten::__not__", ArrayRef(contains), loc);
  }
  default:
    return unsupported(loc, "'is' outside torch.__is__");
  }
}

} // namespace jit
