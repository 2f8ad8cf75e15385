//===- ParseStatement.cpp - statements of serialized TorchScript ----------===//

#include "SourceParser.h"

namespace jit::torchscript {

/// `: NEWLINE INDENT statements DEDENT`, or `: statement` on the same line.
bool SourceParser::parseBlock(Block &block) {
  Level level(*this, levelsPerNesting);
  if (tooDeep() || !expect(":"))
    return false;
  std::vector<const Stmt *> statements;
  if (token.kind != TokenKind::Newline) {
    if (!parseStatement(statements))
      return false;
  } else {
    advance();
    if (!expect(TokenKind::Indent, "an indented block"))
      return false;
    while (token.kind != TokenKind::Dedent)
      if (!parseStatement(statements))
        return false;
    advance();
  }
  block = arena.copy(statements);
  return true;
}

bool SourceParser::parseStatement(std::vector<const Stmt *> &statements) {
  bool compound = true;
  const Stmt *statement = parseCompound(compound);
  if (!compound) {
    statement = parseSimple();
    if (statement && !expect(TokenKind::Newline, "the end of the line"))
      return false;
  }
  if (!statement)
    return false;
  statements.push_back(statement);
  return true;
}

/// Clears \p handled if no statement with a block begins here.
const Stmt *SourceParser::parseCompound(bool &handled) {
  if (token.is("if"))
    return parseIf();
  if (token.is("while"))
    return parseWhile();
  if (token.is("for"))
    return parseFor();
  if (token.is("with"))
    return parseWith();
  if (token.is("def"))
    return parseNested();
  handled = false;
  return nullptr;
}

/// At `if`, or at the `elif` of an outer one.
const Stmt *SourceParser::parseIf() {
  auto *node = arena.create<IfStmt>(token.begin);
  advance();
  node->condition = parseExpr();
  if (!node->condition || !parseBlock(node->body))
    return nullptr;
  if (token.is("elif")) {
    Level level(*this, levelsPerNesting);
    const Stmt *nested = tooDeep() ? nullptr : parseIf();
    if (!nested)
      return nullptr;
    node->orElse = arena.copy(std::vector<const Stmt *>{nested});
  } else if (accept("else") && !parseBlock(node->orElse)) {
    return nullptr;
  }
  return node;
}

const Stmt *SourceParser::parseWhile() {
  auto *node = arena.create<WhileStmt>(token.begin);
  advance();
  node->condition = parseExpr();
  if (!node->condition || !parseBlock(node->body))
    return nullptr;
  return node;
}

const Stmt *SourceParser::parseFor() {
  auto *node = arena.create<ForStmt>(token.begin);
  advance();
  node->target = parseTargets();
  if (!node->target || !checkTarget(node->target) || !expect("in"))
    return nullptr;
  node->iterable = parseExprList();
  if (!node->iterable || !parseBlock(node->body))
    return nullptr;
  return node;
}

const Stmt *SourceParser::parseWith() {
  auto *node = arena.create<WithStmt>(token.begin);
  std::vector<WithItem> items;
  advance();
  do {
    WithItem &item = items.emplace_back();
    item.context = parseExpr();
    if (!item.context)
      return nullptr;
    if (accept("as")) {
      item.target = parsePostfix();
      if (!item.target || !checkTarget(item.target))
        return nullptr;
    }
  } while (accept(","));
  node->items = arena.copy(items);
  return parseBlock(node->body) ? node : nullptr;
}

const Stmt *SourceParser::parseNested() {
  auto *node = arena.create<FunctionStmt>(token.begin);
  node->function = parseFunction();
  return node->function ? node : nullptr;
}

const Stmt *SourceParser::parseSimple() {
  Position begin = token.begin;
  if (accept("pass"))
    return arena.create<PassStmt>(begin);
  if (accept("break"))
    return arena.create<BreakStmt>(begin);
  if (accept("continue"))
    return arena.create<ContinueStmt>(begin);
  if (token.is("return"))
    return parseReturn();
  if (token.is("del"))
    return parseDelete();
  return parseAssignment();
}

const Stmt *SourceParser::parseReturn() {
  auto *node = arena.create<ReturnStmt>(token.begin);
  advance();
  if (token.kind == TokenKind::Newline)
    return node;
  node->value = parseExprList();
  return node->value ? node : nullptr;
}

const Stmt *SourceParser::parseDelete() {
  auto *node = arena.create<DeleteStmt>(token.begin);
  std::vector<const Expr *> targets;
  advance();
  do {
    targets.push_back(parsePostfix());
    if (!targets.back() || !checkTarget(targets.back()))
      return nullptr;
  } while (accept(",") && token.kind != TokenKind::Newline);
  node->targets = arena.copy(targets);
  return node;
}

/// Whether something may be assigned to \p target.
bool SourceParser::checkTarget(const Expr *target) {
  ExprList elements;
  if (const auto *tuple = target->as<TupleExpr>())
    elements = tuple->elements;
  else if (const auto *list = target->as<ListExpr>())
    elements = list->elements;
  else if (target->kind == ExprKind::Name || target->kind == ExprKind::Attribute ||
           target->kind == ExprKind::Subscript)
    return true;
  else
    return fail(target->begin, "expected a name, attribute, subscript or tuple to assign to");
  // The tree's height, which is bounded, bounds this recursion.
  for (const Expr *element : elements)
    if (!checkTarget(element))
      return false;
  return true;
}

const Stmt *SourceParser::parseAugmented(const Expr *target, BinaryOp op, Position begin) {
  auto *node = arena.create<AugAssignStmt>(begin);
  advance();
  node->op = op;
  node->target = target;
  node->value = parseExprList();
  return node->value && checkTarget(target) ? node : nullptr;
}

/// An expression, or an assignment to it.
const Stmt *SourceParser::parseAssignment() {
  struct Augmented {
    std::string_view text;
    BinaryOp op;
  };
  static constexpr Augmented augmented[] = {
      {"+=", BinaryOp::Add},         {"-=", BinaryOp::Subtract}, {"*=", BinaryOp::Multiply},
      {"/=", BinaryOp::Divide},      {"%=", BinaryOp::Modulo},   {"//=", BinaryOp::FloorDivide},
      {"@=", BinaryOp::MatMul},      {"**=", BinaryOp::Power},   {"&=", BinaryOp::BitAnd},
      {"|=", BinaryOp::BitOr},       {"^=", BinaryOp::BitXor},   {"<<=", BinaryOp::ShiftLeft},
      {">>=", BinaryOp::ShiftRight},
  };
  Position begin = token.begin;
  const Expr *first = parseExprList();
  if (!first)
    return nullptr;
  for (const Augmented &candidate : augmented)
    if (token.is(candidate.text))
      return parseAugmented(first, candidate.op, begin);
  if (!token.is("=") && !token.is(":")) {
    auto *node = arena.create<ExpressionStmt>(begin);
    node->value = first;
    return node;
  }
  auto *node = arena.create<AssignStmt>(begin);
  node->target = first;
  if (!checkTarget(first))
    return nullptr;
  if (accept(":")) {
    node->type = parseExpr();
    if (!node->type)
      return nullptr;
  }
  if (accept("=")) {
    node->value = parseExprList();
    if (!node->value)
      return nullptr;
    if (token.is("="))
      return fail(token.begin, "chained assignment is not handled", ErrorCode::Unsupported);
  }
  return node;
}

} // namespace jit::torchscript
