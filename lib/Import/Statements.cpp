//===- Statements.cpp - functions, blocks and assignments -----------------===//

#include "FunctionImporter.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace jit {

namespace ts = torchscript;

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

FunctionImporter::FunctionImporter(Program &program, const Callable &callable)
    : OperatorBuilder(program.context, program.schemas, program), program(program),
      callable(callable), file(*callable.def->file), liveness(callable.def->body) {}

void importFunction(Program &program, const Callable &callable) {
  FunctionImporter(program, callable).import();
}

void setArgumentAttributes(func::FuncOp function, const Callable &callable) {
  Builder b(function.getContext());
  for (auto [i, parameter] : llvm::enumerate(callable.def->parameters)) {
    function.setArgAttr(i, nameAttr, b.getStringAttr(StringRef(parameter.name)));
    if (parameter.defaultValue)
      if (Attribute value = literalAttribute(parameter.defaultValue, function.getContext()))
        function.setArgAttr(i, defaultAttr, value);
  }
  if (function.isPublic())
    function.setArgAttr(0, selfAttr, b.getUnitAttr());
}

void FunctionImporter::import() {
  const ts::FunctionDef *def = callable.def;
  Location loc = location(def);
  builder.setInsertionPointToEnd(program.module->getBody());
  SmallVector<Type> types;
  for (Type type : callable.parameters)
    types.push_back(type ? type : AnyType::get(context));
  auto type = FunctionType::get(context, types, resultType());
  auto function = func::FuncOp::create(builder, loc, callable.symbol, type);
  if (!callable.isPublic)
    function.setPrivate();
  setArgumentAttributes(function, callable);

  builder.setInsertionPointToStart(function.addEntryBlock());
  for (auto [parameter, argument, known] :
       llvm::zip(def->parameters, function.getArguments(), callable.parameters)) {
    bind(StringRef(parameter.name), known ? Value(argument) : unknown());
    argument.setLoc(location(parameter.begin));
    if (!callable.entry.empty() && known && isa<AnyType>(known))
      demandUnion(parameter, argument);
  }
  Value result = importBody(Stmts(def->body.data(), def->body.size()));
  if (!result)
    result = PoisonOp::create(builder, loc, resultType());
  func::ReturnOp::create(builder, result.getLoc(), result);
}

/// A call is to give one of the types of a Union, as PyTorch sees to before it runs anything.
void FunctionImporter::demandUnion(const ts::Parameter &parameter, Value argument) {
  auto *generic = parameter.type ? parameter.type->as<ts::SubscriptExpr>() : nullptr;
  if (!generic || ts::dottedName(generic->base) != "Union")
    return;
  Location loc = argument.getLoc();
  SmallVector<Type> types;
  for (const Expr *alternative : generic->indices)
    types.push_back(program.type(alternative, loc));
  if (Value isOne = isInstance(argument, types, loc))
    raiseUnless(isOne,
                "expected argument '" + std::string(parameter.name) +
                    "' of one of the types of its Union",
                "builtins.RuntimeError", loc);
}

Value FunctionImporter::importBody(Stmts stmts) {
  for (auto [i, stmt] : llvm::enumerate(stmts)) {
    if (auto *ret = stmt->as<ts::ReturnStmt>()) {
      Value value =
          ret->value ? importExpr(ret->value, callable.result) : noneConstant(location(stmt));
      return widen(value, callable.result, location(stmt), "result");
    }
    if (auto *branch = stmt->as<ts::IfStmt>())
      if (Value value = importReturningIf(*branch, stmts.drop_front(i + 1)))
        return value;
    importStatement(stmt);
  }
  Location loc = stmts.empty() ? location(callable.def) : location(stmts.back());
  return widen(noneConstant(loc), callable.result, loc, "result");
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void FunctionImporter::importStatements(Stmts stmts) {
  for (const Stmt *stmt : stmts)
    importStatement(stmt);
}

void FunctionImporter::importStatement(const Stmt *stmt) {
  switch (stmt->kind) {
  case ts::StmtKind::Assign:
    return importAssign(*stmt->as<ts::AssignStmt>());
  case ts::StmtKind::Expression:
    (void)importExpr(stmt->as<ts::ExpressionStmt>()->value);
    return;
  case ts::StmtKind::If:
    return importIf(*stmt->as<ts::IfStmt>());
  case ts::StmtKind::While:
    return importWhile(*stmt->as<ts::WhileStmt>());
  case ts::StmtKind::For:
    return importFor(*stmt->as<ts::ForStmt>());
  case ts::StmtKind::With:
    return importWith(*stmt->as<ts::WithStmt>());
  case ts::StmtKind::Pass:
    return;
  case ts::StmtKind::Delete:
    for (const Expr *target : stmt->as<ts::DeleteStmt>()->targets)
      if (auto *name = target->as<ts::NameExpr>())
        scope.erase(StringRef(name->name));
    return;
  case ts::StmtKind::AugAssign:
    unsupported(location(stmt), "an augmented assignment");
    return;
  case ts::StmtKind::Return:
    unsupported(location(stmt), "a return inside a loop, a with or one of several open branches");
    return;
  case ts::StmtKind::Break:
  case ts::StmtKind::Continue:
    unsupported(location(stmt), "break or continue");
    return;
  case ts::StmtKind::Function: {
    const ts::FunctionDef *function = stmt->as<ts::FunctionStmt>()->function;
    scope[StringRef(function->name)] = {{}, {}, function};
    return;
  }
  }
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

void FunctionImporter::importAssign(const ts::AssignStmt &stmt) {
  Location loc = location(&stmt);
  Type annotated = stmt.type ? program.type(stmt.type, loc) : Type();
  if (!stmt.value)
    return;
  Binding binding = importBinding(stmt.value, annotated);
  auto *name = stmt.target->as<ts::NameExpr>();
  if (!binding.function.empty() || binding.awaitable || binding.place) {
    if (name)
      scope[StringRef(name->name)] = std::move(binding);
    else
      unsupported(loc, "a function, awaitable or picked module assigned to anything but a name");
    return;
  }
  Value value = binding.value;
  if (annotated)
    value = widen(value, annotated, loc, "value");
  assign(stmt.target, value, loc);
}

void FunctionImporter::assign(const Expr *target, Value value, Location loc) {
  if (auto *name = target->as<ts::NameExpr>())
    return bind(StringRef(name->name), value);
  if (auto *tuple = target->as<ts::TupleExpr>())
    return unpack(tuple->elements, value, loc);
  if (auto *list = target->as<ts::ListExpr>())
    return unpack(list->elements, value, loc);
  if (auto *attribute = target->as<ts::AttributeExpr>())
    return setAttribute(*attribute, value, loc);
  auto *subscript = target->as<ts::SubscriptExpr>();
  if (!subscript || subscript->indices.size() != 1) {
    unsupported(loc, "an assignment to anything but names, attributes and elements");
    return;
  }
  Value base = importExpr(subscript->base);
  Value index = importExpr(subscript->indices.front());
  callOperator("aten::_set_item", {base, index, value}, loc);
}

void FunctionImporter::unpack(ts::ExprList targets, Value value, Location loc) {
  SmallVector<Value> parts = unpackValue(value, targets.size(), loc);
  for (auto [target, part] : llvm::zip(targets, parts))
    assign(target, part, loc);
}

void FunctionImporter::setAttribute(const ts::AttributeExpr &target, Value value, Location loc) {
  Value object = importExpr(target.base);
  if (!object)
    return;
  auto type = dyn_cast<ObjectType>(object.getType());
  if (!type) {
    error(loc) << "expected an object to set '" << StringRef(target.name) << "' of, got "
               << spell(object.getType());
    return;
  }
  Type declared = program.attributeType(type, target.name, loc);
  if (!declared)
    return;
  value = widen(value, declared, loc, "value of '" + StringRef(target.name) + "'");
  if (!value)
    return;
  program.noteAssigned(type, target.name);
  SetAttrOp::create(builder, loc, object, StringRef(target.name), value);
}

//===----------------------------------------------------------------------===//
// Shared by all
//===----------------------------------------------------------------------===//

Type FunctionImporter::resultType() const {
  return callable.result ? callable.result : Type(AnyType::get(context));
}

Location FunctionImporter::location(ts::Position position) const {
  return program.location(file, position);
}

} // namespace jit
