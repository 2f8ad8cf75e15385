//===- SpecialForms.cpp - what looks like a call but has rules of its own -===//

#include "FunctionImporter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

namespace ts = torchscript;

FunctionImporter::SpecialForm FunctionImporter::findSpecialForm(StringRef name) {
  using F = FunctionImporter;
  return llvm::StringSwitch<SpecialForm>(name)
      .Case("annotate", &F::formAnnotate)
      .Case("unchecked_cast", &F::formUncheckedCast)
      .Cases({"unwrap_optional", "unchecked_unwrap_optional"}, &F::formUnwrapOptional)
      .Case("uninitialized", &F::formUninitialized)
      .Case("isinstance", &F::formIsInstance)
      .Case("getattr", &F::formGetAttr)
      .Case("int", &F::formInt)
      .Case("float", &F::formFloat)
      .Case("bool", &F::formBool)
      .Case("str", &F::formStr)
      .Case("torch.dict", &F::formDict)
      .Case("fork", &F::formFork)
      .Case("torch.wait", &F::formWait)
      .Case("ops.prim.RaiseException", &F::formRaise)
      .Case("torch.format", &F::formFormat)
      .Case("torch.append", &F::formAppend)
      .Case("torch.device", &F::formDevice)
      .Case("torch.warn", &F::formWarn)
      .Case("torch.__is__", &F::formIs)
      .Case("torch.__isnot__", &F::formIsNot)
      .Default(nullptr);
}

bool FunctionImporter::expectArguments(const ts::CallExpr &call, size_t count, Location loc) {
  if (call.args.size() == count)
    return true;
  error(loc) << "expected " << count << " arguments here, got " << call.args.size();
  return false;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Value FunctionImporter::formAnnotate(const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 2, loc))
    return unknown();
  Type type = program.type(call.args[0], loc);
  Value value = importExpr(call.args[1], type);
  return type ? widen(convert(value, type, loc), type, loc, "value") : unknown();
}

Value FunctionImporter::formUncheckedCast(const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 2, loc))
    return unknown();
  Type type = program.type(call.args[0], loc);
  Value value = importExpr(call.args[1]);
  if (!type || !value || value.getType() == type)
    return type ? value : unknown();
  return UncheckedCastOp::create(builder, loc, type, value);
}

Value FunctionImporter::formUnwrapOptional(const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 1, loc))
    return unknown();
  Value value = importExpr(call.args[0]);
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

Value FunctionImporter::formUninitialized(const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 1, loc))
    return unknown();
  Type type = program.type(call.args[0], loc);
  return type ? UninitializedOp::create(builder, loc, type) : unknown();
}

Value FunctionImporter::formIsInstance(const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 2, loc))
    return unknown();
  Value value = importExpr(call.args[0]);
  ts::ExprList candidates = call.args.subspan(1);
  if (auto *tuple = call.args[1]->as<ts::TupleExpr>())
    candidates = tuple->elements;
  else if (auto *list = call.args[1]->as<ts::ListExpr>())
    candidates = list->elements;
  SmallVector<Type> types;
  for (const Expr *candidate : candidates)
    types.push_back(program.type(candidate, loc));
  if (!value || llvm::is_contained(types, Type()))
    return unknown();
  Type actual = value.getType();
  if (llvm::any_of(types, [&](Type type) { return isSubtype(actual, type); }))
    return boolConstant(true, loc);
  // What is exactly one other type is none of these.
  if (!isa<OptionalType, AnyType, NumberType>(actual) &&
      llvm::none_of(types, [&](Type type) { return isSubtype(type, actual); }))
    return boolConstant(false, loc);
  // An Optional that is of its own type is not None.
  auto optional = dyn_cast<OptionalType>(actual);
  auto holds = [&](Type held) {
    return llvm::any_of(types, [&](Type type) { return isSubtype(held, type); });
  };
  if (optional && holds(optional.getElementType()) && !holds(NoneType::get(context)))
    return callOperator("aten::__isnot__", {value, noneConstant(loc)}, loc);
  return unsupported(loc, "isinstance of a value of type " + spell(actual));
}

Value FunctionImporter::castTo(StringRef name, Type type, const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 1, loc))
    return unknown();
  Value value = importExpr(call.args[0]);
  if (value && value.getType() == type)
    return value;
  return callOperator(name, ArrayRef(value), loc);
}

Value FunctionImporter::formInt(const ts::CallExpr &call, Location loc) {
  return castTo("aten::Int", builder.getI64Type(), call, loc);
}
Value FunctionImporter::formFloat(const ts::CallExpr &call, Location loc) {
  return castTo("aten::Float", builder.getF64Type(), call, loc);
}
Value FunctionImporter::formBool(const ts::CallExpr &call, Location loc) {
  return castTo("aten::Bool", builder.getI1Type(), call, loc);
}
Value FunctionImporter::formStr(const ts::CallExpr &call, Location loc) {
  return castTo("aten::str", StrType::get(context), call, loc);
}

//===----------------------------------------------------------------------===//
// Attributes and identity
//===----------------------------------------------------------------------===//

Value FunctionImporter::formGetAttr(const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 2, loc))
    return unknown();
  auto *name = call.args[1]->as<ts::StringExpr>();
  if (!name)
    return unsupported(loc, "getattr of a computed name");
  return getAttribute(importExpr(call.args[0]), name->value, loc);
}

Value FunctionImporter::formIs(const ts::CallExpr &call, Location loc) {
  return identity(call, "aten::__is__", /*negate=*/false, loc);
}
Value FunctionImporter::formIsNot(const ts::CallExpr &call, Location loc) {
  return identity(call, "aten::__isnot__", /*negate=*/true, loc);
}

Value FunctionImporter::identity(const ts::CallExpr &call, StringRef name, bool negate,
                                 Location loc) {
  if (!expectArguments(call, 2, loc))
    return unknown();
  Value a = importExpr(call.args[0]), b = importExpr(call.args[1]);
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
  return callOperator(name, {a, b}, loc);
}

//===----------------------------------------------------------------------===//
// Strings, lists, exceptions
//===----------------------------------------------------------------------===//

/// Without arguments an empty dict, which is annotated with its type.
Value FunctionImporter::formDict(const ts::CallExpr &call, Location loc) {
  if (!call.args.empty())
    return callOperator("aten::dict", call);
  auto type = DictType::get(context, StrType::get(context), TensorType::get(context));
  return DictOp::create(builder, loc, type, ValueRange(), ValueRange());
}

Value FunctionImporter::formRaise(const ts::CallExpr &call, Location loc) {
  if (call.args.empty())
    return unsupported(loc, "an exception without a message");
  Value message = importExpr(call.args[0]);
  StringRef pythonClass = "builtins.RuntimeError";
  if (call.args.size() > 1)
    if (Value named = importExpr(call.args[1]))
      if (auto constant = named.getDefiningOp<ConstantOp>())
        if (auto text = dyn_cast<StringAttr>(constant.getValue()))
          pythonClass = text;
  if (message && !isa<StrType>(message.getType()))
    return unsupported(loc, "an exception whose message is of type " + spell(message.getType()));
  if (message)
    RaiseOp::create(builder, loc, message, pythonClass);
  return noneConstant(loc);
}

Value FunctionImporter::formFormat(const ts::CallExpr &call, Location loc) {
  SmallVector<Value> values;
  for (const Expr *argument : call.args)
    values.push_back(importExpr(argument));
  if (values.empty() || llvm::is_contained(values, Value()))
    return unknown();
  if (!isa<StrType>(values[0].getType()))
    return unsupported(loc, "a template of type " + spell(values[0].getType()));
  return FormatOp::create(builder, loc, StrType::get(context), values[0],
                          ArrayRef(values).drop_front());
}

Value FunctionImporter::formAppend(const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 2, loc))
    return unknown();
  Value list = importExpr(call.args[0]);
  auto type = list ? dyn_cast<ListType>(list.getType()) : ListType();
  Value element = importExpr(call.args[1], type ? type.getElementType() : Type());
  if (list && !type)
    return unsupported(loc, "append to a value of type " + spell(list.getType()));
  if (type)
    element = widen(element, type.getElementType(), loc, "list element");
  if (type && element)
    AppendOp::create(builder, loc, list, element);
  return list;
}

Value FunctionImporter::formDevice(const ts::CallExpr &call, Location loc) {
  auto *name = call.args.size() == 1 ? call.args[0]->as<ts::StringExpr>() : nullptr;
  if (!name)
    return callOperator("aten::device", call);
  return ConstantOp::create(builder, loc, DeviceType::get(context),
                            builder.getStringAttr(StringRef(name->value)));
}

/// Runs the forked function where it is forked: nobody can tell.
Value FunctionImporter::formFork(const ts::CallExpr &call, Location loc) {
  auto *name = call.args.size() == 1 ? call.args[0]->as<ts::NameExpr>() : nullptr;
  auto bound = name ? scope.find(StringRef(name->name)) : scope.end();
  if (bound == scope.end() || !bound->second.closure)
    return unsupported(loc, "fork of anything but a function that stands before it");
  Environment before = scope;
  Value result = importClosure(*bound->second.closure, loc);
  scope = std::move(before);
  return result;
}

Value FunctionImporter::importClosure(const ts::FunctionDef &closure, Location loc) {
  Stmts body(closure.body.data(), closure.body.size());
  auto *end = body.empty() ? nullptr : body.back()->as<ts::ReturnStmt>();
  if (!end || !end->value)
    return unsupported(loc, "a forked function that does not end in a return");
  importStatements(body.drop_back());
  return importExpr(end->value);
}

Value FunctionImporter::formWait(const ts::CallExpr &call, Location loc) {
  return expectArguments(call, 1, loc) ? importExpr(call.args[0]) : unknown();
}

/// A warning changes no value, and compiled code has nobody to warn.
Value FunctionImporter::formWarn(const ts::CallExpr &call, Location loc) {
  for (const Expr *argument : call.args)
    (void)importExpr(argument);
  return noneConstant(loc);
}

} // namespace jit
