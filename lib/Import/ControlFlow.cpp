//===- ControlFlow.cpp - if, for, while and with --------------------------===//

#include "FunctionImporter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace jit {

namespace ts = torchscript;

static ArrayRef<const ts::Stmt *> asArray(ts::Block block) { return {block.data(), block.size()}; }

Value FunctionImporter::importCondition(const Expr *expr) {
  Value condition = importExpr(expr);
  if (condition && condition.getDefiningOp<MissingOp>())
    condition = unknown();
  if (condition && !condition.getType().isInteger(1)) {
    error(location(expr)) << "expected a condition of type bool, got "
                          << spell(condition.getType());
    condition = unknown();
  }
  return condition ? condition : boolConstant(false, location(expr));
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

void FunctionImporter::importIf(const ts::IfStmt &stmt) {
  Location loc = location(&stmt);
  Value condition = importCondition(stmt.condition);
  Environment before = scope, after[2];
  std::unique_ptr<Region> regions[2];
  for (int side : {0, 1}) {
    OpenRegion open(builder, regions[side]);
    importStatements(asArray(side == 0 ? stmt.body : stmt.orElse));
    after[side] = std::exchange(scope, before);
  }

  llvm::SetVector<StringRef> names = assignedNames(stmt.body);
  for (StringRef name : assignedNames(stmt.orElse))
    names.insert(name);
  SmallVector<StringRef> joined;
  SmallVector<Value> values[2];
  SmallVector<Type> types;
  for (StringRef name : names) {
    auto whenTrue = after[0].find(name), whenFalse = after[1].find(name);
    scope.erase(name);
    if (!liveness.liveAfter(&stmt).contains(name) || whenTrue == after[0].end() ||
        whenFalse == after[1].end())
      continue;
    Binding &a = whenTrue->second, &b = whenFalse->second;
    if (a != b && (a.place || b.place)) {
      scope[name] = {unsupported(loc, "a module that a branch picks")};
      continue;
    }
    scope[name] = a == b ? a : Binding();
    if (a == b || !a.value || !b.value)
      continue;
    Type type = joinTypes(a.value.getType(), b.value.getType());
    // Whatever it is may be what the function gives.
    if (!type && isa_and_nonnull<AnyType>(callable.result))
      type = callable.result;
    if (!type) {
      error(loc) << "expected '" << name << "' to have one type after both branches, got "
                 << spell(a.value.getType()) << " and " << spell(b.value.getType());
      continue;
    }
    joined.push_back(name);
    types.push_back(type);
    values[0].push_back(a.value);
    values[1].push_back(b.value);
  }
  ArrayRef<Value> yields[2] = {values[0], values[1]};
  for (auto [name, result] : llvm::zip(joined, buildIf(loc, condition, regions, yields, types)))
    bind(name, result);
}

Value FunctionImporter::importConditional(Location loc, Value condition,
                                          function_ref<Value()> whenTrue,
                                          function_ref<Value()> whenFalse) {
  std::unique_ptr<Region> regions[2];
  Value values[2];
  for (int side : {0, 1}) {
    OpenRegion open(builder, regions[side]);
    values[side] = side == 0 ? whenTrue() : whenFalse();
  }
  if (!values[0] || !values[1])
    return unknown();
  Type type = joinTypes(values[0].getType(), values[1].getType());
  if (!type) {
    error(loc) << "expected one type on both sides, got " << spell(values[0].getType()) << " and "
               << spell(values[1].getType());
    return unknown();
  }
  ArrayRef<Value> yields[2] = {values[0], values[1]};
  return buildIf(loc, condition, regions, yields, type).front();
}

/// What follows an early return is nested into the other side of its if.
static constexpr unsigned maxReturnDepth = 200;

/// Whether control never comes to the end of \p block.
static bool returnsAlways(ts::Block block) {
  for (const ts::Stmt *stmt : block) {
    if (stmt->as<ts::ReturnStmt>())
      return true;
    if (auto *branch = stmt->as<ts::IfStmt>())
      if (returnsAlways(branch->body) && returnsAlways(branch->orElse))
        return true;
  }
  return false;
}

Value FunctionImporter::importReturningIf(const ts::IfStmt &stmt, Stmts rest) {
  bool returns[2] = {returnsAlways(stmt.body), returnsAlways(stmt.orElse)};
  if (!returns[0] && !returns[1])
    return {};
  if (returnDepth == maxReturnDepth) {
    unsupported(location(&stmt),
                "a chain of more than " + Twine(maxReturnDepth) + " early returns");
    return PoisonOp::create(builder, location(&stmt), resultType());
  }
  llvm::SaveAndRestore deeper(returnDepth, returnDepth + 1);
  // What follows belongs to the side that does not return.
  auto side = [&](ts::Block block, bool ends) {
    SmallVector<const Stmt *> stmts(block.begin(), block.end());
    if (!ends)
      stmts.append(rest.begin(), rest.end());
    Environment before = scope;
    Value value = importBody(stmts);
    scope = std::move(before);
    return value ? value : PoisonOp::create(builder, location(&stmt), resultType());
  };
  Value condition = importCondition(stmt.condition);
  return importConditional(
      location(&stmt), condition, [&] { return side(stmt.body, returns[0]); },
      [&] { return side(stmt.orElse, returns[1]); });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

FunctionImporter::Carried FunctionImporter::carriedBy(const Stmt *loop, ts::Block body,
                                                      StringRef target) {
  Carried carried;
  const NameSet &live = liveness.liveAfter(loop);
  for (StringRef name : assignedNames(body)) {
    auto bound = scope.find(name);
    if (bound == scope.end() || name == target || !live.contains(name))
      continue;
    if (bound->second.place)
      bound->second = {unsupported(location(loop), "a module that each trip of a loop picks")};
    if (!bound->second.value)
      continue;
    carried.names.push_back(name);
    carried.values.push_back(bound->second.value);
  }
  return carried;
}

void FunctionImporter::enterTrip(const Carried &carried, ValueRange arguments) {
  for (auto [name, argument] : llvm::zip(carried.names, arguments))
    bind(name, argument);
}

void FunctionImporter::yieldTrip(const Carried &carried, Location loc) {
  SmallVector<Value> values;
  for (auto [name, initial] : llvm::zip(carried.names, carried.values)) {
    auto bound = scope.find(name);
    Value value = bound == scope.end() ? Value() : bound->second.value;
    value = widen(value, initial.getType(), loc, "value of '" + name + "' for the next trip");
    // The module is not going to live after the error that made this unknown.
    values.push_back(value ? value : initial);
  }
  scf::YieldOp::create(builder, loc, values);
}

void FunctionImporter::leaveLoop(const Carried &carried, ValueRange results, Environment before) {
  scope = std::move(before);
  for (auto [name, result] : llvm::zip(carried.names, results))
    bind(name, result);
}

void FunctionImporter::importFor(const ts::ForStmt &stmt) {
  Location loc = location(&stmt);
  auto *call = stmt.iterable->as<ts::CallExpr>();
  auto *callee = call ? call->callee->as<ts::NameExpr>() : nullptr;
  if (!callee || callee->name != "range")
    return importForEach(stmt, loc);
  if (call->args.empty() || call->args.size() > 2) {
    unsupported(loc, "a range with a step");
    return;
  }
  Value lower = call->args.size() == 2 ? importExpr(call->args[0]) : intConstant(0, loc);
  Value upper = importExpr(call->args.back());
  importCountedFor(stmt, lower, upper, {}, loc);
}

void FunctionImporter::importForEach(const ts::ForStmt &stmt, Location loc) {
  ts::ExprList literal;
  if (auto *tuple = stmt.iterable->as<ts::TupleExpr>())
    literal = tuple->elements;
  else if (auto *list = stmt.iterable->as<ts::ListExpr>())
    literal = list->elements;
  for (const Expr *element : literal) {
    assign(stmt.target, importExpr(element), loc);
    importStatements(asArray(stmt.body));
  }
  if (!literal.empty())
    return;
  Value list = importExpr(stmt.iterable);
  if (!list || !isa<ListType, StrType>(list.getType())) {
    if (list)
      unsupported(loc, "a loop over a value of type " + spell(list.getType()));
    list = unknown();
  }
  Value length = list ? callOperator("aten::len", ArrayRef(list), loc) : unknown();
  importCountedFor(stmt, intConstant(0, loc), length, list, loc);
}

void FunctionImporter::importCountedFor(const ts::ForStmt &stmt, Value lower, Value upper,
                                        Value list, Location loc) {
  for (Value *bound : {&lower, &upper}) {
    if (*bound && !(*bound).getType().isInteger(64)) {
      error(loc) << "expected a range of ints, got " << spell((*bound).getType());
      *bound = unknown();
    }
    // A trip is imported all the same, for its own errors.
    if (!*bound)
      *bound = intConstant(0, loc);
  }
  auto *name = stmt.target->as<ts::NameExpr>();
  Carried carried = carriedBy(&stmt, stmt.body, name ? StringRef(name->name) : StringRef());
  auto loop = scf::ForOp::create(builder, loc, lower, upper, intConstant(1, loc), carried.values);
  Environment before = scope;
  {
    llvm::SaveAndRestore deeper(loopDepth, loopDepth + 1);
    OpBuilder::InsertionGuard guard(builder);
    // Without carried variables the loop comes with a terminator.
    if (!loop.getBody()->empty())
      loop.getBody()->back().erase();
    builder.setInsertionPointToStart(loop.getBody());
    enterTrip(carried, loop.getRegionIterArgs());
    Value element = loop.getInductionVar();
    if (list)
      element = callOperator("aten::__getitem__", {list, element}, loc);
    assign(stmt.target, element, loc);
    importStatements(asArray(stmt.body));
    yieldTrip(carried, loc);
  }
  leaveLoop(carried, loop.getResults(), std::move(before));
}

void FunctionImporter::importWhile(const ts::WhileStmt &stmt) {
  Location loc = location(&stmt);
  Carried carried = carriedBy(&stmt, stmt.body);
  SmallVector<Type> types(ValueRange(carried.values).getTypes());
  SmallVector<Location> locations(types.size(), loc);
  auto loop = scf::WhileOp::create(builder, loc, types, carried.values);
  Environment before = scope;
  {
    llvm::SaveAndRestore deeper(loopDepth, loopDepth + 1);
    OpBuilder::InsertionGuard guard(builder);
    Block *test = builder.createBlock(&loop.getBefore(), {}, types, locations);
    enterTrip(carried, test->getArguments());
    Value condition = importCondition(stmt.condition);
    scf::ConditionOp::create(builder, loc, condition, test->getArguments());
    Block *body = builder.createBlock(&loop.getAfter(), {}, types, locations);
    enterTrip(carried, body->getArguments());
    importStatements(asArray(stmt.body));
    yieldTrip(carried, loc);
  }
  leaveLoop(carried, loop.getResults(), std::move(before));
}

//===----------------------------------------------------------------------===//
// With
//===----------------------------------------------------------------------===//

/// Enters a region of automatic precision, where `object` is one: in an archive the methods of the
/// class do nothing. Gives the device and its state before, or nothing.
SmallVector<Value> FunctionImporter::enterAutocast(Value object, Location loc) {
  auto type = cast<ObjectType>(object.getType());
  if (!type.getClassName().ends_with(".autocast_mode.autocast"))
    return {};
  Value device = getAttribute(object, "device", loc);
  Value enabled = getAttribute(object, "_enabled", loc);
  Value dtype = getAttribute(object, "fast_dtype", loc);
  if (!device || !enabled || !dtype)
    return {};
  Value wasEnabled = callOperator("jit::autocast_enabled", ArrayRef(device), loc);
  Value before = callOperator("aten::get_autocast_dtype", ArrayRef(device), loc);
  callOperator("jit::set_autocast", {device, enabled, dtype}, loc);
  return {device, wasEnabled, before};
}

void FunctionImporter::importWith(const ts::WithStmt &stmt) {
  Location loc = location(&stmt);
  SmallVector<std::pair<Value, SmallVector<Value>>> contexts;
  for (const ts::WithItem &item : stmt.items) {
    Value value = importExpr(item.context);
    auto type = value ? dyn_cast<ObjectType>(value.getType()) : ObjectType();
    if (value && !type)
      error(loc) << "expected an object to enter, got " << spell(value.getType());
    Value entered =
        type ? call(program.method(type, "__enter__", loc), ArrayRef(value), loc) : unknown();
    if (item.target)
      assign(item.target, entered, loc);
    if (value && type)
      contexts.push_back({value, enterAutocast(value, loc)});
  }
  importStatements(asArray(stmt.body));
  for (auto &[value, autocast] : llvm::reverse(contexts)) {
    // An exception ends the whole call, so no exit ever sees one.
    Value none = noneConstant(loc);
    call(program.method(cast<ObjectType>(value.getType()), "__exit__", loc),
         {value, none, none, none}, loc);
    if (!autocast.empty())
      callOperator("jit::set_autocast", autocast, loc);
  }
}

} // namespace jit
