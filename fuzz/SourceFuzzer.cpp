//===- SourceFuzzer.cpp - code from strangers -----------------------------===//
//
// Parses the input, and visits every node by recursion as an importer would.
//
//===----------------------------------------------------------------------===//

#include "jit/Archive/TorchScriptAst.h"

#include <cstdlib>

using namespace jit;
using namespace jit::torchscript;

namespace {

class Walk {
public:
  explicit Walk(const SourceFile &file) : file(file) {}

  void visit(const FunctionDef *function) {
    use(function->begin, function->name);
    for (const Parameter &parameter : function->parameters) {
      use(parameter.begin, parameter.name);
      visit(parameter.type);
      visit(parameter.defaultValue);
    }
    visit(function->returnType);
    visit(function->body);
  }

  void visit(const ClassDef *definition) {
    use(definition->begin, definition->name);
    for (const AttributeDef &attribute : definition->attributes) {
      use(attribute.begin, attribute.name);
      visit(attribute.type);
      visit(attribute.value);
    }
    for (const FunctionDef *method : definition->methods)
      visit(method);
  }

private:
  void use(Position begin, std::string_view text = {}) {
    if (begin.offset > file.text().size())
      std::abort();
    for (char c : text)
      sum += c;
  }

  void visit(ExprList items) {
    for (const Expr *item : items)
      visit(item);
  }

  void visit(const Expr *expr) {
    if (!expr)
      return;
    use(expr->begin);
    if (const auto *node = expr->as<NameExpr>())
      use(node->begin, node->name);
    else if (const auto *node = expr->as<StringExpr>())
      use(node->begin, node->value);
    else if (const auto *node = expr->as<AttributeExpr>())
      use(node->begin, node->name), visit(node->base);
    else if (const auto *node = expr->as<CallExpr>())
      visitCall(node);
    else if (const auto *node = expr->as<SubscriptExpr>())
      visit(node->base), visit(node->indices);
    else if (const auto *node = expr->as<SliceExpr>())
      visit(node->lower), visit(node->upper), visit(node->step);
    else if (const auto *node = expr->as<ListExpr>())
      visit(node->elements);
    else if (const auto *node = expr->as<TupleExpr>())
      visit(node->elements);
    else if (const auto *node = expr->as<DictExpr>())
      visit(node->keys), visit(node->values);
    else if (const auto *node = expr->as<UnaryExpr>())
      visit(node->operand);
    else if (const auto *node = expr->as<BinaryExpr>())
      visit(node->lhs), visit(node->rhs);
    else if (const auto *node = expr->as<ConditionalExpr>())
      visit(node->condition), visit(node->whenTrue), visit(node->whenFalse);
  }

  void visitCall(const CallExpr *call) {
    visit(call->callee);
    visit(call->args);
    for (const Keyword &keyword : call->keywords) {
      use(keyword.begin, keyword.name);
      visit(keyword.value);
    }
  }

  void visit(Block block) {
    for (const Stmt *stmt : block)
      visit(stmt);
  }

  void visit(const Stmt *stmt) {
    use(stmt->begin);
    if (const auto *node = stmt->as<AssignStmt>())
      visit(node->target), visit(node->type), visit(node->value);
    else if (const auto *node = stmt->as<AugAssignStmt>())
      visit(node->target), visit(node->value);
    else if (const auto *node = stmt->as<ExpressionStmt>())
      visit(node->value);
    else if (const auto *node = stmt->as<IfStmt>())
      visit(node->condition), visit(node->body), visit(node->orElse);
    else if (const auto *node = stmt->as<WhileStmt>())
      visit(node->condition), visit(node->body);
    else if (const auto *node = stmt->as<ForStmt>())
      visit(node->target), visit(node->iterable), visit(node->body);
    else if (const auto *node = stmt->as<WithStmt>())
      visitWith(node);
    else if (const auto *node = stmt->as<ReturnStmt>())
      visit(node->value);
    else if (const auto *node = stmt->as<DeleteStmt>())
      visit(node->targets);
    else if (const auto *node = stmt->as<FunctionStmt>())
      visit(node->function);
  }

  void visitWith(const WithStmt *with) {
    for (const WithItem &item : with->items) {
      visit(item.context);
      visit(item.target);
    }
    visit(with->body);
  }

  const SourceFile &file;
  unsigned sum = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ArchiveLimits limits;
  limits.maxAstBytes = 64 << 20;
  std::string_view text(reinterpret_cast<const char *>(data), size);
  auto file = SourceFile::parse("input.py", SharedBytes::copyOf(text), limits);
  if (!file)
    return 0;
  Walk walk(**file);
  for (const ClassDef *definition : (*file)->classes())
    walk.visit(definition);
  for (const FunctionDef *function : (*file)->functions())
    walk.visit(function);
  return 0;
}
