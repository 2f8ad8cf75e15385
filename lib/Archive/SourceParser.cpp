//===- SourceParser.cpp - files, tokens and functions ---------------------===//

#include "SourceParser.h"

namespace jit::torchscript {

SourceParser::SourceParser(SourceFile &file, const ArchiveLimits &limits)
    : file(file), arena(file.arena), limits(limits), lexer(file.text()) {
  // Expr::height has 16 bits.
  this->limits.maxDepth = std::min<uint32_t>(limits.maxDepth, UINT16_MAX - 1);
  advance();
}

SourceParser::Failed SourceParser::fail(Position where, std::string message, ErrorCode code) {
  if (!failure)
    failure =
        Error{code, std::move(message),
              file.name() + ":" + std::to_string(where.line) + ":" + std::to_string(where.column)};
  // Nothing more is read, so that every loop ends.
  token = {TokenKind::End, {}, where};
  return {};
}

static std::string describe(const Token &token) {
  switch (token.kind) {
  case TokenKind::Newline:
    return "the end of the line";
  case TokenKind::Indent:
    return "an indented line";
  case TokenKind::Dedent:
    return "the end of the block";
  case TokenKind::End:
    return "the end of the file";
  default:
    // A string may be as long as the file.
    return "'" + std::string(token.text.substr(0, 40)) + "'";
  }
}

SourceParser::Failed SourceParser::failExpected(std::string_view what) {
  return fail(token.begin, "expected " + std::string(what) + ", got " + describe(token));
}

bool SourceParser::tooDeep() {
  if (depth <= limits.maxDepth * levelsPerNesting)
    return failed();
  fail(token.begin, "code is nested deeper than " + std::to_string(limits.maxDepth),
       ErrorCode::LimitExceeded);
  return true;
}

void SourceParser::advance() {
  if (failed())
    return;
  token = lexer.next();
  if (token.kind == TokenKind::Bad)
    fail(token.begin, std::string(token.text));
}

bool SourceParser::accept(std::string_view text) {
  if (!token.is(text))
    return false;
  advance();
  return true;
}

bool SourceParser::expect(std::string_view text) {
  return accept(text) || failExpected("'" + std::string(text) + "'");
}

bool SourceParser::expect(TokenKind kind, std::string_view what) {
  if (token.kind != kind)
    return failExpected(what);
  advance();
  return !failed();
}

bool SourceParser::identifier(std::string_view &name, std::string_view what) {
  name = token.text;
  return expect(TokenKind::Name, what);
}

bool SourceParser::parseParameter(std::vector<Parameter> &parameters, bool &keywordOnly) {
  if (token.is("*")) {
    advance();
    if (!token.is(","))
      return fail(token.begin, "variadic parameters are not handled", ErrorCode::Unsupported);
    keywordOnly = true;
    return true;
  }
  Parameter &parameter = parameters.emplace_back();
  parameter.begin = token.begin;
  parameter.keywordOnly = keywordOnly;
  if (!identifier(parameter.name, "a parameter"))
    return false;
  if (accept(":")) {
    parameter.type = parseExpr();
    if (!parameter.type)
      return false;
  }
  if (accept("=")) {
    parameter.defaultValue = parseExpr();
    if (!parameter.defaultValue)
      return false;
  }
  return true;
}

const FunctionDef *SourceParser::parseFunction() {
  auto *node = arena.create<FunctionDef>();
  node->begin = token.begin;
  node->file = &file;
  advance();
  std::vector<Parameter> parameters;
  bool keywordOnly = false;
  if (!identifier(node->name, "a function's name") || !expect("("))
    return nullptr;
  while (!token.is(")")) {
    if (!parseParameter(parameters, keywordOnly))
      return nullptr;
    if (!accept(",") && !token.is(")"))
      return failExpected("',' or ')' after a parameter");
  }
  advance();
  node->parameters = arena.copy(parameters);
  if (accept("->")) {
    node->returnType = parseExpr();
    if (!node->returnType)
      return nullptr;
  }
  return parseBlock(node->body) ? node : nullptr;
}

/// `import x` and `op_version_set = n` headed the files of old versions and say nothing.
bool SourceParser::skipLine() {
  while (token.kind != TokenKind::Newline && token.kind != TokenKind::End)
    advance();
  return expect(TokenKind::Newline, "the end of the line");
}

bool SourceParser::parseTopLevel() {
  std::vector<const ClassDef *> classes;
  std::vector<const FunctionDef *> functions;
  while (token.kind != TokenKind::End) {
    if (token.is("class")) {
      classes.push_back(parseClass());
      if (!classes.back())
        return false;
    } else if (token.is("def")) {
      functions.push_back(parseFunction());
      if (!functions.back())
        return false;
    } else if (token.is("import") || token.is("op_version_set")) {
      if (!skipLine())
        return false;
    } else {
      return failExpected("a class or a function");
    }
  }
  file.classDefs = arena.copy(classes);
  file.functionDefs = arena.copy(functions);
  return !failed();
}

Result<void> SourceParser::run() {
  if (!parseTopLevel())
    return std::move(*failure);
  return {};
}

} // namespace jit::torchscript
