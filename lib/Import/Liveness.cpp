//===- Liveness.cpp - which variables a statement's successors read -------===//

#include "Liveness.h"
#include "llvm/ADT/STLExtras.h"

namespace jit {

namespace ts = torchscript;
using llvm::StringRef;

/// Calls \p visit with every name that \p expr reads.
template <typename Visit> static void forEachName(const ts::Expr *expr, Visit visit) {
  if (!expr)
    return;
  auto all = [&](ts::ExprList exprs) {
    for (const ts::Expr *e : exprs)
      forEachName(e, visit);
  };
  if (auto *name = expr->as<ts::NameExpr>()) {
    visit(StringRef(name->name));
  } else if (auto *attribute = expr->as<ts::AttributeExpr>()) {
    forEachName(attribute->base, visit);
  } else if (auto *call = expr->as<ts::CallExpr>()) {
    forEachName(call->callee, visit);
    all(call->args);
    for (const ts::Keyword &keyword : call->keywords)
      forEachName(keyword.value, visit);
  } else if (auto *subscript = expr->as<ts::SubscriptExpr>()) {
    forEachName(subscript->base, visit);
    all(subscript->indices);
  } else if (auto *slice = expr->as<ts::SliceExpr>()) {
    forEachName(slice->lower, visit);
    forEachName(slice->upper, visit);
    forEachName(slice->step, visit);
  } else if (auto *list = expr->as<ts::ListExpr>()) {
    all(list->elements);
  } else if (auto *tuple = expr->as<ts::TupleExpr>()) {
    all(tuple->elements);
  } else if (auto *dict = expr->as<ts::DictExpr>()) {
    all(dict->keys);
    all(dict->values);
  } else if (auto *unary = expr->as<ts::UnaryExpr>()) {
    forEachName(unary->operand, visit);
  } else if (auto *binary = expr->as<ts::BinaryExpr>()) {
    forEachName(binary->lhs, visit);
    forEachName(binary->rhs, visit);
  } else if (auto *conditional = expr->as<ts::ConditionalExpr>()) {
    forEachName(conditional->condition, visit);
    forEachName(conditional->whenTrue, visit);
    forEachName(conditional->whenFalse, visit);
  }
}

static void addReads(const ts::Expr *expr, NameSet &live) {
  forEachName(expr, [&](StringRef name) { live.insert(name); });
}

/// Calls \p assigned for each name that assigning to \p target binds, \p read for each other part.
template <typename Assigned, typename Read>
static void forEachTarget(const ts::Expr *target, Assigned assigned, Read read) {
  if (!target)
    return;
  if (auto *name = target->as<ts::NameExpr>())
    return assigned(StringRef(name->name));
  ts::ExprList parts;
  if (auto *tuple = target->as<ts::TupleExpr>())
    parts = tuple->elements;
  else if (auto *list = target->as<ts::ListExpr>())
    parts = list->elements;
  else
    return read(target);
  for (const ts::Expr *part : parts)
    forEachTarget(part, assigned, read);
}

static void assign(const ts::Expr *target, NameSet &live) {
  forEachTarget(target, [&](StringRef name) { live.erase(name); }, [](const ts::Expr *) {});
  forEachTarget(target, [](StringRef) {}, [&](const ts::Expr *part) { addReads(part, live); });
}

static void join(NameSet &into, const NameSet &other) { into.insert(other.begin(), other.end()); }

NameSet Liveness::before(ts::Block block, NameSet live, bool record) {
  for (const ts::Stmt *stmt : llvm::reverse(block))
    step(stmt, live, record);
  return live;
}

void Liveness::step(const ts::Stmt *stmt, NameSet &live, bool record) {
  if (auto *assignment = stmt->as<ts::AssignStmt>()) {
    assign(assignment->target, live);
    addReads(assignment->value, live);
  } else if (auto *augmented = stmt->as<ts::AugAssignStmt>()) {
    addReads(augmented->target, live);
    addReads(augmented->value, live);
  } else if (auto *expression = stmt->as<ts::ExpressionStmt>()) {
    addReads(expression->value, live);
  } else if (auto *branch = stmt->as<ts::IfStmt>()) {
    if (record)
      after[stmt] = live;
    NameSet whenTrue = before(branch->body, live, record);
    live = before(branch->orElse, std::move(live), record);
    join(live, whenTrue);
    addReads(branch->condition, live);
  } else if (stmt->as<ts::WhileStmt>() || stmt->as<ts::ForStmt>()) {
    loop(stmt, live, record);
  } else if (auto *with = stmt->as<ts::WithStmt>()) {
    live = before(with->body, std::move(live), record);
    for (const ts::WithItem &item : llvm::reverse(with->items)) {
      assign(item.target, live);
      addReads(item.context, live);
    }
  } else if (auto *inner = stmt->as<ts::FunctionStmt>()) {
    // It sees the variables around it, which do not change before it is run.
    join(live, before(inner->function->body, {}, record));
  } else if (auto *ret = stmt->as<ts::ReturnStmt>()) {
    live.clear();
    addReads(ret->value, live);
  }
}

/// What a trip reads of the variables as they were before it.
const NameSet &Liveness::readByLoop(const ts::Stmt *stmt) {
  if (auto known = loopReads.find(stmt); known != loopReads.end())
    return known->second;
  NameSet reads;
  if (auto *loop = stmt->as<ts::WhileStmt>()) {
    reads = before(loop->body, {}, /*record=*/false);
    addReads(loop->condition, reads);
  } else {
    auto *forLoop = stmt->as<ts::ForStmt>();
    reads = before(forLoop->body, {}, /*record=*/false);
    assign(forLoop->target, reads);
  }
  return loopReads[stmt] = std::move(reads);
}

void Liveness::loop(const ts::Stmt *stmt, NameSet &live, bool record) {
  // There may be no trip at all, so nothing that was live before stops being so.
  join(live, readByLoop(stmt));
  auto *forLoop = stmt->as<ts::ForStmt>();
  if (record) {
    after[stmt] = live;
    before(forLoop ? forLoop->body : stmt->as<ts::WhileStmt>()->body, live, /*record=*/true);
  }
  if (forLoop)
    addReads(forLoop->iterable, live);
}

static void collectAssigned(ts::Block block, llvm::SetVector<StringRef> &names) {
  auto add = [&](const ts::Expr *target) {
    forEachTarget(target, [&](StringRef name) { names.insert(name); }, [](const ts::Expr *) {});
  };
  for (const ts::Stmt *stmt : block) {
    if (auto *assignment = stmt->as<ts::AssignStmt>()) {
      add(assignment->target);
    } else if (auto *augmented = stmt->as<ts::AugAssignStmt>()) {
      add(augmented->target);
    } else if (auto *branch = stmt->as<ts::IfStmt>()) {
      collectAssigned(branch->body, names);
      collectAssigned(branch->orElse, names);
    } else if (auto *whileLoop = stmt->as<ts::WhileStmt>()) {
      collectAssigned(whileLoop->body, names);
    } else if (auto *forLoop = stmt->as<ts::ForStmt>()) {
      add(forLoop->target);
      collectAssigned(forLoop->body, names);
    } else if (auto *with = stmt->as<ts::WithStmt>()) {
      for (const ts::WithItem &item : with->items)
        add(item.target);
      collectAssigned(with->body, names);
    }
  }
}

llvm::SetVector<StringRef> assignedNames(ts::Block block) {
  llvm::SetVector<StringRef> names;
  collectAssigned(block, names);
  return names;
}

} // namespace jit
