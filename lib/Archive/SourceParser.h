//===- SourceParser.h - parser of serialized TorchScript --------*- C++ -*-===//
//
// Recursive descent, with the depth of the recursion and of the tree bounded. Every parse function
// gives null (or false) after the first failure, which is the one reported.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_ARCHIVE_SOURCEPARSER_H
#define JIT_LIB_ARCHIVE_SOURCEPARSER_H

#include "SourceLexer.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

namespace jit::torchscript {

class SourceParser {
public:
  SourceParser(SourceFile &file, const ArchiveLimits &limits);

  Result<void> run();

private:
  /// A level of parentheses passes through about this many parse functions that count themselves; a
  /// block counts as much.
  static constexpr uint32_t levelsPerNesting = 3;

  /// One level of recursion while it lives.
  struct Level {
    explicit Level(SourceParser &parser, uint32_t levels = 1) : parser(parser), levels(levels) {
      parser.depth += levels;
    }
    ~Level() { parser.depth -= levels; }
    SourceParser &parser;
    uint32_t levels;
  };

  /// What a parse function returns when it fails: null or false.
  struct Failed {
    operator bool() const { return false; }
    template <typename T> operator const T *() const { return nullptr; }
  };

  // Tokens (SourceParser.cpp).
  Failed fail(Position where, std::string message, ErrorCode code = ErrorCode::Malformed);
  /// Names what stands there instead.
  Failed failExpected(std::string_view what);
  bool tooDeep();
  void advance();
  bool accept(std::string_view text);
  bool expect(std::string_view text);
  bool expect(TokenKind kind, std::string_view what);
  bool identifier(std::string_view &name, std::string_view what);
  bool failed() const { return failure.has_value(); }

  // Definitions (SourceParser.cpp).
  bool parseTopLevel();
  bool skipLine();
  const ClassDef *parseClass();
  bool parseClassKind(ClassKind &kind);
  struct ClassParts;
  bool parseMember(ClassParts &parts);
  bool parseAnnotation(ClassParts &parts);
  bool parseNames(std::string_view what, std::vector<std::string_view> &names);
  const FunctionDef *parseFunction();
  bool parseParameter(std::vector<Parameter> &parameters, bool &keywordOnly);

  // Statements (ParseStatement.cpp).
  bool parseBlock(Block &block);
  bool parseStatement(std::vector<const Stmt *> &statements);
  const Stmt *parseCompound(bool &handled);
  const Stmt *parseIf();
  const Stmt *parseWhile();
  const Stmt *parseFor();
  const Stmt *parseWith();
  const Stmt *parseNested();
  const Stmt *parseSimple();
  const Stmt *parseReturn();
  const Stmt *parseDelete();
  const Stmt *parseAssignment();
  const Stmt *parseAugmented(const Expr *target, BinaryOp op, Position begin);
  bool checkTarget(const Expr *target);

  // Expressions (ParseExpression.cpp).
  const Expr *parseExpr();
  const Expr *parseExprList();
  const Expr *parseTargets();
  const Expr *parseBinary(unsigned precedence);
  const Expr *parseUnary(UnaryOp op, unsigned precedence);
  const Expr *parseNegative(Position begin);
  const Expr *parsePostfix();
  const Expr *parseCall(const Expr *callee);
  const Expr *parseSubscript(const Expr *base);
  const Expr *parseIndex();
  const Expr *parseAtom();
  const Expr *parseWord();
  const Expr *parseNumber(Position begin, bool negated);
  const Expr *parseString();
  const Expr *parseParenthesis();
  const Expr *parseList();
  const Expr *parseDict();
  bool parseElements(std::string_view close, std::vector<const Expr *> &elements);
  bool unescape(std::string_view body, Position begin, std::string &out);

  /// Gives a new node its height and checks it; null if it is too high or the file's tree too big.
  template <typename T>
  const T *finish(T *node, std::initializer_list<const Expr *> children, ExprList more = {});

  SourceFile &file;
  Arena &arena;
  ArchiveLimits limits;
  SourceLexer lexer;
  Token token;
  uint32_t depth = 0;
  std::optional<Error> failure;
};

template <typename T>
const T *SourceParser::finish(T *node, std::initializer_list<const Expr *> children,
                              ExprList more) {
  unsigned height = 0;
  for (const Expr *child : children)
    if (child)
      height = std::max<unsigned>(height, child->height);
  for (const Expr *child : more)
    height = std::max<unsigned>(height, child->height);
  if (height >= limits.maxDepth)
    return fail(node->begin, "expression is nested deeper than " + std::to_string(limits.maxDepth),
                ErrorCode::LimitExceeded);
  if (arena.bytesUsed() > limits.maxAstBytes)
    return fail(node->begin,
                "syntax tree needs more than " + std::to_string(limits.maxAstBytes) + " bytes",
                ErrorCode::LimitExceeded);
  node->height = static_cast<uint16_t>(height + 1);
  return node;
}

} // namespace jit::torchscript

#endif // JIT_LIB_ARCHIVE_SOURCEPARSER_H
