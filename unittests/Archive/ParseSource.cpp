//===- ParseSource.cpp - code snippets as syntax trees --------------------===//

#include "ParseSource.h"

namespace jit::test {

using namespace torchscript;

Result<std::unique_ptr<SourceFile>> parseSource(const std::string &text,
                                                const ArchiveLimits &limits) {
  return SourceFile::parse("m.py", SharedBytes::copyOf(text), limits);
}

static std::string show(const Expr *expr);

static std::string show(ExprList items) {
  std::string out;
  for (const Expr *item : items)
    out += (out.empty() ? "" : " ") + show(item);
  return out;
}

static std::string showOperator(const Expr *expr) {
  static constexpr const char *binary[] = {
      "or", "and", "==", "!=", "<", "<=", ">", ">=", "in", "not-in", "is", "is-not", "|",
      "^",  "&",   "<<", ">>", "+", "-",  "*", "/",  "//", "%",      "@",  "**"};
  static constexpr const char *unary[] = {"not", "-", "+", "~"};
  if (const auto *node = expr->as<BinaryExpr>())
    return "(" + show(node->lhs) + " " + binary[static_cast<int>(node->op)] + " " +
           show(node->rhs) + ")";
  const auto *node = expr->as<UnaryExpr>();
  return "(" + std::string(unary[static_cast<int>(node->op)]) + " " + show(node->operand) + ")";
}

static std::string showCall(const CallExpr *call) {
  std::string out =
      "call(" + show(call->callee) + (call->args.empty() ? "" : " ") + show(call->args);
  for (const Keyword &keyword : call->keywords)
    out += " " + std::string(keyword.name) + "=" + show(keyword.value);
  return out + ")";
}

static std::string showLiteral(const Expr *expr) {
  if (const auto *node = expr->as<IntExpr>())
    return std::to_string(node->value);
  if (const auto *node = expr->as<FloatExpr>())
    return "f" + std::to_string(node->value);
  if (const auto *node = expr->as<ComplexExpr>())
    return "j" + std::to_string(node->imaginary);
  if (const auto *node = expr->as<StringExpr>())
    return "'" + std::string(node->value) + "'";
  if (const auto *node = expr->as<BoolExpr>())
    return node->value ? "True" : "False";
  return expr->as<NoneExpr>() ? "None" : "...";
}

static std::string show(const Expr *expr) {
  if (!expr)
    return "_";
  if (const auto *node = expr->as<NameExpr>())
    return std::string(node->name);
  if (const auto *node = expr->as<AttributeExpr>())
    return show(node->base) + "." + std::string(node->name);
  if (const auto *node = expr->as<CallExpr>())
    return showCall(node);
  if (const auto *node = expr->as<SubscriptExpr>())
    return show(node->base) + "[" + show(node->indices) + "]";
  if (const auto *node = expr->as<SliceExpr>())
    return "slice(" + show(node->lower) + " " + show(node->upper) + " " + show(node->step) + ")";
  if (const auto *node = expr->as<ListExpr>())
    return "list(" + show(node->elements) + ")";
  if (const auto *node = expr->as<TupleExpr>())
    return "tuple(" + show(node->elements) + ")";
  if (const auto *node = expr->as<DictExpr>())
    return "dict(" + show(node->keys) + " : " + show(node->values) + ")";
  if (const auto *node = expr->as<ConditionalExpr>())
    return "(" + show(node->condition) + " ? " + show(node->whenTrue) + " : " +
           show(node->whenFalse) + ")";
  if (expr->kind == ExprKind::Unary || expr->kind == ExprKind::Binary)
    return showOperator(expr);
  return showLiteral(expr);
}

static std::string show(Block block);

static std::string show(const Stmt *stmt) {
  if (const auto *node = stmt->as<AssignStmt>())
    return show(node->target) + (node->type ? ":" + show(node->type) : "") + "=" +
           show(node->value);
  if (const auto *node = stmt->as<AugAssignStmt>())
    return show(node->target) + (node->op == BinaryOp::Add ? "+=" : "?=") + show(node->value);
  if (const auto *node = stmt->as<ExpressionStmt>())
    return show(node->value);
  if (const auto *node = stmt->as<IfStmt>())
    return "if " + show(node->condition) + " {" + show(node->body) + "} {" + show(node->orElse) +
           "}";
  if (const auto *node = stmt->as<WhileStmt>())
    return "while " + show(node->condition) + " {" + show(node->body) + "}";
  if (const auto *node = stmt->as<ForStmt>())
    return "for " + show(node->target) + " in " + show(node->iterable) + " {" + show(node->body) +
           "}";
  if (const auto *node = stmt->as<WithStmt>())
    return "with " + show(node->items[0].context) + " as " + show(node->items[0].target) + " {" +
           show(node->body) + "}";
  if (const auto *node = stmt->as<ReturnStmt>())
    return "return " + show(node->value);
  if (const auto *node = stmt->as<DeleteStmt>())
    return "del " + show(node->targets);
  if (const auto *node = stmt->as<FunctionStmt>())
    return "def " + std::string(node->function->name) + " {" + show(node->function->body) + "}";
  return stmt->as<PassStmt>() ? "pass" : stmt->as<BreakStmt>() ? "break" : "continue";
}

static std::string show(Block block) {
  std::string out;
  for (const Stmt *stmt : block)
    out += (out.empty() ? "" : "; ") + show(stmt);
  return out;
}

std::string showBody(const std::string &text) {
  auto file = parseSource("def f():\n" + text);
  if (!file)
    return "error: " + file.error().str();
  return show((*file)->functions()[0]->body);
}

std::string showExpr(const std::string &text) {
  std::string body = showBody("  return " + text + "\n");
  return body.starts_with("return ") ? body.substr(7) : body;
}

} // namespace jit::test
