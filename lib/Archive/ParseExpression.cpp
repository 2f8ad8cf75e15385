//===- ParseExpression.cpp - expressions of serialized TorchScript --------===//

#include "SourceParser.h"

namespace jit::torchscript {
namespace {

/// Python's levels of binding, loosest first. `not` binds between And and comparisons; the signs
/// between products and powers.
enum Precedence : unsigned {
  OrLevel = 1,
  AndLevel,
  NotLevel,
  CompareLevel,
  BitOrLevel,
  BitXorLevel,
  BitAndLevel,
  ShiftLevel,
  SumLevel,
  ProductLevel,
  SignLevel,
  PowerLevel,
};

struct OperatorInfo {
  std::string_view text;
  BinaryOp op;
  unsigned level;
};

constexpr OperatorInfo operators[] = {
    {"or", BinaryOp::Or, OrLevel},
    {"and", BinaryOp::And, AndLevel},
    {"==", BinaryOp::Equal, CompareLevel},
    {"!=", BinaryOp::NotEqual, CompareLevel},
    {"<", BinaryOp::Less, CompareLevel},
    {"<=", BinaryOp::LessEqual, CompareLevel},
    {">", BinaryOp::Greater, CompareLevel},
    {">=", BinaryOp::GreaterEqual, CompareLevel},
    {"in", BinaryOp::In, CompareLevel},
    {"not", BinaryOp::NotIn, CompareLevel},
    {"is", BinaryOp::Is, CompareLevel},
    {"|", BinaryOp::BitOr, BitOrLevel},
    {"^", BinaryOp::BitXor, BitXorLevel},
    {"&", BinaryOp::BitAnd, BitAndLevel},
    {"<<", BinaryOp::ShiftLeft, ShiftLevel},
    {">>", BinaryOp::ShiftRight, ShiftLevel},
    {"+", BinaryOp::Add, SumLevel},
    {"-", BinaryOp::Subtract, SumLevel},
    {"*", BinaryOp::Multiply, ProductLevel},
    {"/", BinaryOp::Divide, ProductLevel},
    {"//", BinaryOp::FloorDivide, ProductLevel},
    {"%", BinaryOp::Modulo, ProductLevel},
    {"@", BinaryOp::MatMul, ProductLevel},
    {"**", BinaryOp::Power, PowerLevel},
};

const OperatorInfo *findOperator(const Token &token) {
  for (const OperatorInfo &info : operators)
    if (token.is(info.text))
      return &info;
  return nullptr;
}

} // namespace

const Expr *SourceParser::parseExpr() {
  Level level(*this);
  if (tooDeep())
    return nullptr;
  const Expr *value = parseBinary(OrLevel);
  if (!value || !token.is("if"))
    return value;
  auto *node = arena.create<ConditionalExpr>(value->begin);
  node->whenTrue = value;
  advance();
  node->condition = parseBinary(OrLevel);
  if (!node->condition || !expect("else"))
    return nullptr;
  node->whenFalse = parseExpr();
  if (!node->whenFalse)
    return nullptr;
  return finish(node, {node->condition, node->whenTrue, node->whenFalse});
}

/// One expression, or a tuple of several between commas.
const Expr *SourceParser::parseExprList() {
  const Expr *first = parseExpr();
  if (!first || !token.is(","))
    return first;
  std::vector<const Expr *> elements = {first};
  while (accept(",")) {
    if (token.kind == TokenKind::Newline || token.is("=") || token.is(":"))
      break;
    elements.push_back(parseExpr());
    if (!elements.back())
      return nullptr;
  }
  auto *node = arena.create<TupleExpr>(first->begin);
  node->elements = arena.copy(elements);
  return finish(node, {}, node->elements);
}

/// Like parseExprList, but leaves an `in` alone.
const Expr *SourceParser::parseTargets() {
  const Expr *first = parsePostfix();
  if (!first || !token.is(","))
    return first;
  std::vector<const Expr *> elements = {first};
  while (accept(",")) {
    if (token.is("in"))
      break;
    elements.push_back(parsePostfix());
    if (!elements.back())
      return nullptr;
  }
  auto *node = arena.create<TupleExpr>(first->begin);
  node->elements = arena.copy(elements);
  return finish(node, {}, node->elements);
}

const Expr *SourceParser::parseUnary(UnaryOp op, unsigned precedence) {
  auto *node = arena.create<UnaryExpr>(token.begin);
  advance();
  node->op = op;
  node->operand = parseBinary(precedence);
  return node->operand ? finish(node, {node->operand}) : nullptr;
}

/// `-1` is a literal, `-1 ** 2` is not.
const Expr *SourceParser::parseNegative(Position begin) {
  advance();
  bool number = token.kind == TokenKind::Number || token.is("inf") || token.is("nan") ||
                token.is("infj") || token.is("nanj");
  if (number) {
    const Expr *literal = parseNumber(begin, /*negated=*/true);
    if (!literal || !token.is("**"))
      return literal;
    return fail(begin, "expected parentheses around a negative base", ErrorCode::Unsupported);
  }
  auto *node = arena.create<UnaryExpr>(begin);
  node->op = UnaryOp::Negate;
  node->operand = parseBinary(SignLevel);
  return node->operand ? finish(node, {node->operand}) : nullptr;
}

/// Operators that bind at least as tightly as \p precedence.
const Expr *SourceParser::parseBinary(unsigned precedence) {
  Level level(*this);
  if (tooDeep())
    return nullptr;
  const Expr *lhs;
  if (token.is("not"))
    lhs = parseUnary(UnaryOp::Not, NotLevel);
  else if (token.is("-"))
    lhs = parseNegative(token.begin);
  else if (token.is("+"))
    lhs = parseUnary(UnaryOp::Plus, SignLevel);
  else if (token.is("~"))
    lhs = parseUnary(UnaryOp::Invert, SignLevel);
  else
    lhs = parsePostfix();
  bool compared = false;
  while (lhs) {
    const OperatorInfo *info = findOperator(token);
    if (!info || info->level < precedence)
      return lhs;
    if (compared && info->level == CompareLevel)
      return fail(token.begin, "chained comparisons are not handled", ErrorCode::Unsupported);
    compared = info->level == CompareLevel;
    auto *node = arena.create<BinaryExpr>(lhs->begin);
    node->op = info->op;
    node->lhs = lhs;
    advance();
    if (node->op == BinaryOp::NotIn && !expect("in"))
      return nullptr;
    if (node->op == BinaryOp::Is && accept("not"))
      node->op = BinaryOp::IsNot;
    // A power binds to the right, and looser than a sign on its right.
    node->rhs = parseBinary(info->level == PowerLevel ? SignLevel : info->level + 1);
    if (!node->rhs)
      return nullptr;
    lhs = finish(node, {node->lhs, node->rhs});
  }
  return nullptr;
}

const Expr *SourceParser::parsePostfix() {
  Level level(*this);
  if (tooDeep())
    return nullptr;
  const Expr *base = parseAtom();
  while (base) {
    if (token.is("(")) {
      base = parseCall(base);
    } else if (token.is("[")) {
      base = parseSubscript(base);
    } else if (token.is(".")) {
      auto *node = arena.create<AttributeExpr>(base->begin);
      advance();
      node->base = base;
      if (token.kind != TokenKind::Name)
        return failExpected("an attribute's name");
      node->name = token.text;
      advance();
      base = finish(node, {base});
    } else {
      return base;
    }
  }
  return nullptr;
}

const Expr *SourceParser::parseCall(const Expr *callee) {
  auto *node = arena.create<CallExpr>(callee->begin);
  node->callee = callee;
  std::vector<const Expr *> args;
  std::vector<Keyword> keywords;
  advance();
  while (!token.is(")")) {
    const Expr *value = parseExpr();
    if (!value)
      return nullptr;
    if (token.is("=")) {
      const auto *name = value->as<NameExpr>();
      if (!name)
        return fail(value->begin, "expected a keyword's name before '='");
      advance();
      keywords.push_back({name->name, parseExpr(), name->begin});
      if (!keywords.back().value)
        return nullptr;
    } else if (!keywords.empty()) {
      return fail(value->begin, "expected a keyword argument after a keyword argument");
    } else {
      args.push_back(value);
    }
    if (!accept(",") && !token.is(")"))
      return failExpected("',' or ')' in a call");
  }
  advance();
  node->args = arena.copy(args);
  node->keywords = arena.copy(keywords);
  for (const Keyword &keyword : keywords)
    args.push_back(keyword.value);
  return finish(node, {callee}, args);
}

const Expr *SourceParser::parseIndex() {
  Position begin = token.begin;
  const Expr *lower = token.is(":") ? nullptr : parseExpr();
  if (failed() || !token.is(":"))
    return lower;
  auto *node = arena.create<SliceExpr>(begin);
  node->lower = lower;
  advance();
  if (!token.is(":") && !token.is("]") && !token.is(","))
    node->upper = parseExpr();
  if (!failed() && accept(":") && !token.is("]") && !token.is(","))
    node->step = parseExpr();
  return failed() ? nullptr : finish(node, {node->lower, node->upper, node->step});
}

const Expr *SourceParser::parseSubscript(const Expr *base) {
  auto *node = arena.create<SubscriptExpr>(base->begin);
  node->base = base;
  advance();
  std::vector<const Expr *> indices;
  while (!token.is("]")) {
    indices.push_back(parseIndex());
    if (!indices.back())
      return nullptr;
    if (!accept(",") && !token.is("]"))
      return failExpected("',' or ']' in a subscript");
  }
  if (indices.empty())
    return failExpected("an index");
  advance();
  node->indices = arena.copy(indices);
  return finish(node, {base}, node->indices);
}

/// The items up to \p close, which is consumed.
bool SourceParser::parseElements(std::string_view close, std::vector<const Expr *> &elements) {
  while (!token.is(close)) {
    elements.push_back(parseExpr());
    if (!elements.back())
      return false;
    if (!accept(",") && !token.is(close))
      return failExpected("',' or '" + std::string(close) + "'");
  }
  advance();
  return true;
}

const Expr *SourceParser::parseParenthesis() {
  Position begin = token.begin;
  advance();
  const Expr *inner = nullptr;
  if (!token.is(")")) {
    inner = parseExpr();
    if (!inner)
      return nullptr;
    if (accept(")"))
      return inner;
    if (!token.is(","))
      return failExpected("',' or ')'");
    advance();
  }
  std::vector<const Expr *> elements;
  if (inner)
    elements.push_back(inner);
  if (!parseElements(")", elements))
    return nullptr;
  auto *node = arena.create<TupleExpr>(begin);
  node->elements = arena.copy(elements);
  return finish(node, {}, node->elements);
}

const Expr *SourceParser::parseList() {
  auto *node = arena.create<ListExpr>(token.begin);
  std::vector<const Expr *> elements;
  advance();
  if (!parseElements("]", elements))
    return nullptr;
  node->elements = arena.copy(elements);
  return finish(node, {}, node->elements);
}

const Expr *SourceParser::parseDict() {
  auto *node = arena.create<DictExpr>(token.begin);
  std::vector<const Expr *> keys, values;
  advance();
  while (!token.is("}")) {
    keys.push_back(parseExpr());
    if (!keys.back() || !expect(":"))
      return nullptr;
    values.push_back(parseExpr());
    if (!values.back())
      return nullptr;
    if (!accept(",") && !token.is("}"))
      return failExpected("',' or '}'");
  }
  advance();
  node->keys = arena.copy(keys);
  node->values = arena.copy(values);
  keys.insert(keys.end(), values.begin(), values.end());
  return finish(node, {}, keys);
}

const Expr *SourceParser::parseAtom() {
  if (token.is("("))
    return parseParenthesis();
  if (token.is("["))
    return parseList();
  if (token.is("{"))
    return parseDict();
  if (token.is("...")) {
    auto *node = arena.create<EllipsisExpr>(token.begin);
    advance();
    return finish(node, {});
  }
  switch (token.kind) {
  case TokenKind::Name:
    return parseWord();
  case TokenKind::Number:
    return parseNumber(token.begin, /*negated=*/false);
  case TokenKind::String:
    return parseString();
  default:
    return failExpected("an expression");
  }
}

const Expr *SourceParser::parseWord() {
  static constexpr std::string_view keywords[] = {
      "and",  "as",    "assert", "break", "class",  "continue", "def",  "del",    "elif",
      "else", "for",   "from",   "if",    "import", "in",       "is",   "lambda", "or",
      "pass", "raise", "return", "try",   "while",  "with",     "yield"};
  for (std::string_view keyword : keywords)
    if (token.is(keyword))
      return failExpected("an expression");
  Position begin = token.begin;
  if (token.is("inf") || token.is("nan") || token.is("infj") || token.is("nanj"))
    return parseNumber(token.begin, /*negated=*/false);
  if (token.is("True") || token.is("False")) {
    auto *node = arena.create<BoolExpr>(begin);
    node->value = token.is("True");
    advance();
    return finish(node, {});
  }
  if (accept("None"))
    return finish(arena.create<NoneExpr>(begin), {});
  auto *node = arena.create<NameExpr>(begin);
  node->name = token.text;
  advance();
  return finish(node, {});
}

} // namespace jit::torchscript
