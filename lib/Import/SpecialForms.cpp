//===- SpecialForms.cpp - what looks like a call but has rules of its own -===//

#include "FunctionImporter.h"
#include "jit/Dialect/Aten/Container.h"
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
      .Cases({"unwrap_optional", "unchecked_unwrap_optional", "torch._unwrap_optional"},
             &F::formUnwrapOptional)
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
      .Case("ops.prim.awaitable_wait", &F::formAwait)
      .Case("ops.prim.RaiseException", &F::formRaise)
      .Case("torch.format", &F::formFormat)
      .Case("torch.percentFormat", &F::formPercentFormat)
      .Case("torch.append", &F::formAppend)
      .Case("torch.device", &F::formDevice)
      .Cases({"torch.warn", "print", "ops.profiler._record_function_exit"}, &F::formWarn)
      .Case("ops.profiler._record_function_enter_new", &F::formRecord)
      .Case("sorted", &F::formSorted)
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

/// The tensor of `x.tolist()`, which gives what it is annotated with; null for anything else.
Value FunctionImporter::tensorOfToList(const Expr *expr) {
  auto *call = expr->as<ts::CallExpr>();
  auto *method = call ? call->callee->as<ts::AttributeExpr>() : nullptr;
  if (!method || StringRef(method->name) != "tolist" || !call->args.empty())
    return {};
  Value value = importExpr(method->base);
  return value && isa<TensorType>(value.getType()) ? value : Value();
}

Value FunctionImporter::formAnnotate(const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 2, loc))
    return unknown();
  Type type = program.type(call.args[0], loc);
  if (Value tensor = tensorOfToList(call.args[1]))
    return type ? Value(aten::ToListOp::create(builder, loc, type, tensor)) : unknown();
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
  // What is left of a Union is no narrower than what the value is known to be.
  if (isa<AnyType, NumberType>(type) && isSubtype(value.getType(), type))
    return value;
  return UncheckedCastOp::create(builder, loc, type, value);
}

Value FunctionImporter::formUnwrapOptional(const ts::CallExpr &call, Location loc) {
  return expectArguments(call, 1, loc) ? unwrapOptional(importExpr(call.args[0]), loc) : unknown();
}

Value FunctionImporter::formUninitialized(const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 1, loc))
    return unknown();
  Type type = program.type(call.args[0], loc);
  return type ? PoisonOp::create(builder, loc, type) : unknown();
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
  SmallVector<StringRef> containers;
  for (const Expr *candidate : candidates) {
    auto *name = candidate->as<ts::NameExpr>();
    if (name && (name->name == "list" || name->name == "tuple"))
      containers.push_back(name->name);
    else
      types.push_back(program.type(candidate, loc));
  }
  return isInstance(value, types, loc, containers);
}

Value FunctionImporter::castTo(StringRef name, Type type, const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 1, loc))
    return unknown();
  return castScalar(name, type, importExpr(call.args[0]), loc);
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
  return identity(call, /*negate=*/false, loc);
}
Value FunctionImporter::formIsNot(const ts::CallExpr &call, Location loc) {
  return identity(call, /*negate=*/true, loc);
}

Value FunctionImporter::identity(const ts::CallExpr &call, bool negate, Location loc) {
  if (!expectArguments(call, 2, loc))
    return unknown();
  Value a = importExpr(call.args[0]), b = importExpr(call.args[1]);
  return identity(a, b, negate, loc);
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
  return raise(message, call.args.size() > 1 ? importExpr(call.args[1]) : Value(), loc);
}

Value FunctionImporter::formFormat(const ts::CallExpr &call, Location loc) {
  SmallVector<Value> values;
  for (const Expr *argument : call.args)
    values.push_back(importExpr(argument));
  return formatText(values, loc);
}

Value FunctionImporter::formPercentFormat(const ts::CallExpr &call, Location loc) {
  SmallVector<Value> values;
  for (const Expr *argument : call.args)
    values.push_back(importExpr(argument));
  return percentText(values, loc);
}

Value FunctionImporter::formAppend(const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 2, loc))
    return unknown();
  Value list = importExpr(call.args[0]);
  auto type = list ? dyn_cast<ListType>(list.getType()) : ListType();
  return appendElement(list, importExpr(call.args[1], type ? type.getElementType() : Type()), loc);
}

Value FunctionImporter::formDevice(const ts::CallExpr &call, Location loc) {
  auto *name = call.args.size() == 1 ? call.args[0]->as<ts::StringExpr>() : nullptr;
  if (!name)
    return callOperator("aten::device", call);
  return deviceConstant(name->value, loc);
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

std::optional<Binding> FunctionImporter::importAwaitable(const ts::CallExpr &call) {
  std::optional<std::string> callee = ts::dottedName(call.callee);
  const Expr *last = call.args.empty() ? nullptr : call.args.back();
  auto *name = last ? last->as<ts::NameExpr>() : nullptr;
  auto bound = name ? scope.find(StringRef(name->name)) : scope.end();
  if (callee == "ops.prim.awaitable_nowait" && last)
    return Binding{importExpr(last)};
  if (callee == "unchecked_cast" && bound != scope.end() && bound->second.awaitable)
    return bound->second;
  if (callee != "awaitable" || scope.contains("awaitable"))
    return std::nullopt;
  if (bound == scope.end() || !bound->second.closure)
    return Binding{unsupported(location(&call),
                               "an awaitable of anything but a function that stands before it")};
  auto awaitable = std::make_shared<Awaitable>(
      Awaitable{.closure = bound->second.closure, .seen = scope, .loopDepth = loopDepth});
  return Binding{.value = {}, .awaitable = std::move(awaitable)};
}

/// The call that was put off. Its names stand for what it gave from here on, to the end of the
/// branch.
Value FunctionImporter::formAwait(const ts::CallExpr &call, Location loc) {
  if (!expectArguments(call, 1, loc))
    return unknown();
  Binding binding = importBinding(call.args[0]);
  if (!binding.awaitable)
    return binding.function.empty() ? binding.value : unsupported(loc, "a function as a value");
  Awaitable &awaitable = *binding.awaitable;
  if (awaitable.isWaitedFor || awaitable.loopDepth != loopDepth)
    return unsupported(loc, "an awaitable that is waited for in a loop or in several branches");
  awaitable.isWaitedFor = true;
  Environment here = std::exchange(scope, awaitable.seen);
  Value result = importClosure(*awaitable.closure, loc);
  scope = std::move(here);
  for (auto &named : scope)
    if (named.second.awaitable == binding.awaitable)
      named.second = {result};
  return result;
}

Value FunctionImporter::formSorted(const ts::CallExpr &call, Location) {
  return callOperator("aten::sorted", call);
}

/// A profiler's range, of which there is nothing to look at: any number.
Value FunctionImporter::formRecord(const ts::CallExpr &call, Location loc) {
  (void)formWarn(call, loc);
  return intConstant(0, loc);
}

/// A warning changes no value, and compiled code has nobody to warn.
Value FunctionImporter::formWarn(const ts::CallExpr &call, Location loc) {
  for (const Expr *argument : call.args)
    (void)importExpr(argument);
  return noneConstant(loc);
}

} // namespace jit
