//===- Calls.cpp - functions and methods ----------------------------------===//

#include "FunctionImporter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace jit {

namespace ts = torchscript;

Value FunctionImporter::importCall(const ts::CallExpr &call) {
  Location loc = location(&call);
  if (std::optional<std::string> name = ts::dottedName(call.callee)) {
    StringRef qualified = *name;
    if (SpecialForm form = findSpecialForm(qualified); form && !scope.contains(qualified))
      return (this->*form)(call, loc);
    if (qualified.starts_with("torch.") || qualified.starts_with("ops.") ||
        qualified.starts_with("__torch__."))
      return importQualifiedCall(qualified, call);
  }
  if (auto *callee = call.callee->as<ts::AttributeExpr>())
    return importMethodCall(call, *callee);
  if (!call.callee->as<ts::NameExpr>())
    return unsupported(loc, "a call of anything but a function or a method");
  StringRef name = call.callee->as<ts::NameExpr>()->name;
  auto bound = scope.find(name);
  if (bound == scope.end() || bound->second.function.empty())
    return unsupported(loc, "a call of '" + name + "'");
  return callFunction(program.function(bound->second.function, loc), {}, call);
}

Value FunctionImporter::importQualifiedCall(StringRef name, const ts::CallExpr &call) {
  Location loc = location(&call);
  if (name.consume_front("torch.")) {
    name.consume_front("autograd."); // of grad and backward
    return callOperator(("aten::" + name).str(), call);
  }
  if (name.consume_front("ops.")) {
    auto [space, base] = name.split('.');
    return callOperator((space + "::" + base).str(), call);
  }
  if (name.consume_back(".__new__")) {
    if (!program.classOf(name, loc))
      return unknown();
    return CreateObjectOp::create(builder, loc, ObjectType::get(context, name));
  }
  if (program.isFunction(name))
    return callFunction(program.function(name, loc), {}, call);
  // A NamedTuple is made by calling its class.
  auto type = dyn_cast_or_null<TupleType>(program.type(call.callee, loc));
  if (!type)
    return unknown();
  SmallVector<Value> values;
  for (const Expr *argument : call.args)
    values.push_back(importExpr(argument));
  for (const ts::Keyword &keyword : call.keywords)
    values.push_back(importExpr(keyword.value));
  if (values.size() != type.getTypes().size()) {
    error(loc) << "expected " << type.getTypes().size() << " values for " << name << ", got "
               << values.size();
    return unknown();
  }
  for (auto [value, part] : llvm::zip(values, type.getTypes())) {
    value = widen(value, part, loc, "field");
    if (!value)
      return unknown();
  }
  return TupleOp::create(builder, loc, type, values);
}

Value FunctionImporter::importMethodCall(const ts::CallExpr &call,
                                         const ts::AttributeExpr &callee) {
  Location loc = location(&call);
  Binding base = importBinding(callee.base);
  if (base.place)
    return callPicked(base, call, callee.name);
  Value self = valueOf(base, callee.base);
  auto type = self ? dyn_cast<ObjectType>(self.getType()) : ObjectType();
  if (self && !type)
    unsupported(loc, "method '" + StringRef(callee.name) + "' of a value of type " +
                         spell(self.getType()));
  return callFunction(type ? program.method(type, callee.name, loc) : nullptr, self, call);
}

/// Calls a method of the module that stands at a place of a list or dict of modules: of each that
/// there is, in a branch of its own.
Value FunctionImporter::callPicked(const Binding &picked, const ts::CallExpr &call,
                                   StringRef method) {
  Location loc = location(&call);
  auto container = cast<ObjectType>(picked.modules.getType());
  SmallVector<StringRef> names = program.submodules(container, loc);
  bool isList = picked.place.getType().isInteger(64);
  if (names.empty() || (!isList && !isa<StrType>(picked.place.getType())))
    return unsupported(loc, "an index into modules of type " + spell(picked.place.getType()));
  auto keyOf = [&](size_t i) -> Value {
    return isList ? intConstant(i, loc) : ConstantOp::create(builder, loc, names[i]).getResult();
  };
  std::function<Value(size_t)> callFrom = [&](size_t i) -> Value {
    auto callThis = [&] {
      Value module = getAttribute(picked.modules, names[i], loc);
      return callFunction(program.method(cast<ObjectType>(module.getType()), method, loc), module,
                          call);
    };
    Value isThis = callOperator("aten::eq", {picked.place, keyOf(i)}, loc);
    if (i + 1 < names.size())
      return choose(isThis, callThis, [&] { return callFrom(i + 1); }, loc);
    raiseUnless(isThis, "expected the place of one of " + std::to_string(names.size()) + " modules",
                isList ? "builtins.IndexError" : "builtins.KeyError", loc);
    return callThis();
  };
  return callFrom(0);
}

Value FunctionImporter::callFunction(const Callable *callable, Value self,
                                     const ts::CallExpr &call) {
  Location loc = location(&call);
  // Even where the callee is unknown its arguments are imported, for their own errors.
  size_t next = 0, given = call.args.size() + (self ? 1 : 0);
  if (callable && given > callable->parameters.size()) {
    error(loc) << "expected at most " << callable->parameters.size() << " arguments for "
               << callable->symbol << ", got " << given;
    callable = nullptr;
  }
  SmallVector<Value> arguments(callable ? callable->parameters.size() : 0);
  if (self && callable)
    arguments[next++] = self;
  for (const Expr *expr : call.args) {
    Value value = importExpr(expr, callable ? callable->parameters[next] : Type());
    if (callable)
      arguments[next++] = value;
  }
  SmallVector<bool> filled(arguments.size());
  std::fill_n(filled.begin(), next, true);
  for (const ts::Keyword &keyword : call.keywords) {
    Value value = importExpr(keyword.value);
    if (!callable)
      continue;
    auto found = llvm::find_if(callable->def->parameters,
                               [&](const ts::Parameter &p) { return p.name == keyword.name; });
    size_t index = found - callable->def->parameters.begin();
    if (index >= arguments.size() || filled[index]) {
      error(location(keyword.begin))
          << "expected an argument of " << callable->symbol << " that is not given yet, got '"
          << StringRef(keyword.name) << "'";
      return unknown();
    }
    arguments[index] = value;
    filled[index] = true;
  }
  for (size_t i = 0; i < arguments.size(); ++i)
    if (!filled[i])
      arguments[i] = importDefault(*callable, i, loc);
  return this->call(callable, arguments, loc);
}

Value FunctionImporter::importDefault(const Callable &callee, size_t index, Location loc) {
  const ts::Parameter &parameter = callee.def->parameters[index];
  if (!parameter.defaultValue) {
    error(loc) << "expected an argument '" << StringRef(parameter.name) << "' for "
               << callee.symbol;
    return unknown();
  }
  return importExpr(parameter.defaultValue, callee.parameters[index]);
}

Value FunctionImporter::call(const Callable *callee, ArrayRef<Value> arguments, Location loc) {
  if (!callee || !callee->isKnown())
    return unknown();
  callee = program.use(
      *callee, llvm::map_to_vector(arguments, [](Value v) { return v ? v.getType() : Type(); }));
  if (arguments.size() != callee->parameters.size()) {
    error(loc) << "expected " << callee->parameters.size() << " arguments for " << callee->symbol
               << ", got " << arguments.size();
    return unknown();
  }
  SmallVector<Value> operands;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    StringRef name = callee->def->parameters[i].name;
    Value converted = convert(argument, callee->parameters[i], loc);
    operands.push_back(widen(converted, callee->parameters[i], loc, "argument '" + name + "'"));
  }
  // The result's type is known even where an argument is not.
  if (llvm::is_contained(operands, Value()))
    return PoisonOp::create(builder, loc, callee->result);
  return func::CallOp::create(builder, loc, callee->symbol, callee->result, operands).getResult(0);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value FunctionImporter::callOperator(StringRef name, const ts::CallExpr &call) {
  SmallVector<CallArgument> arguments;
  for (const Expr *expr : call.args)
    arguments.push_back({importExpr(expr), {}});
  for (const ts::Keyword &keyword : call.keywords)
    arguments.push_back({importExpr(keyword.value), StringRef(keyword.name)});
  return callVersioned(name, arguments, location(&call));
}

} // namespace jit
