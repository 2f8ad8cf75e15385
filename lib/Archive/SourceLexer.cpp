//===- SourceLexer.cpp - tokens of serialized TorchScript -----------------===//

#include "SourceLexer.h"

namespace jit::torchscript {

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}
static bool isNamePart(char c) { return isNameStart(c) || isDigit(c); }

void SourceLexer::newLine() {
  advance();
  ++line;
  lineStart = offset;
}

/// Skips spaces, comments, joined lines, and inside brackets newlines. False at the end of the
/// text.
bool SourceLexer::skipBlank() {
  while (offset < text.size()) {
    char c = current();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      advance();
    } else if (c == '#') {
      while (offset < text.size() && current() != '\n')
        advance();
    } else if (c == '\\' && at(offset + 1) == '\n') {
      advance();
      newLine();
    } else if (c == '\n' && brackets > 0) {
      newLine();
    } else {
      return true;
    }
  }
  return false;
}

/// Measures the indentation of the next line that holds anything. True if that makes a token.
bool SourceLexer::startLine(Token &token) {
  atLineStart = false;
  while (skipBlank() && current() == '\n')
    newLine();
  Position begin = here();
  uint32_t width = offset < text.size() ? offset - lineStart : 0;
  if (width > indents.back()) {
    indents.push_back(width);
    token = {TokenKind::Indent, {}, begin};
    return true;
  }
  while (width < indents.back()) {
    indents.pop_back();
    ++pendingDedents;
  }
  if (width != indents.back()) {
    token = bad(begin, "indentation matches no outer line");
    return true;
  }
  return false;
}

Token SourceLexer::name() {
  Position begin = here();
  while (isNamePart(current()))
    advance();
  return make(TokenKind::Name, begin);
}

Token SourceLexer::number() {
  Position begin = here();
  while (isDigit(current()))
    advance();
  if (current() == '.') {
    advance();
    while (isDigit(current()))
      advance();
  }
  if (current() == 'e' || current() == 'E') {
    size_t sign = at(offset + 1) == '+' || at(offset + 1) == '-' ? 1 : 0;
    if (isDigit(at(offset + 1 + sign))) {
      offset += 1 + sign;
      while (isDigit(current()))
        advance();
    }
  }
  if (current() == 'j')
    advance();
  if (isNamePart(current()))
    return bad(begin, "a name runs into a number");
  return make(TokenKind::Number, begin);
}

/// A newline may stand inside: the printer does not escape those of enum values.
Token SourceLexer::string() {
  Position begin = here();
  char quote = current();
  advance();
  while (offset < text.size() && current() != quote) {
    if (current() == '\\' && offset + 1 < text.size())
      advance();
    if (current() == '\n')
      newLine();
    else
      advance();
  }
  if (offset == text.size())
    return bad(begin, "string is not closed");
  advance();
  return make(TokenKind::String, begin);
}

Token SourceLexer::punctuation() {
  // Longer ones first, as they begin like shorter ones.
  static constexpr std::string_view operators[] = {
      "...", "**=", "//=", "<<=", ">>=", "->", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+=",
      "-=",  "*=",  "/=",  "%=",  "@=",  "&=", "|=", "^=", "+",  "-",  "*",  "/",  "%",  "@",  "&",
      "|",   "^",   "~",   "<",   ">",   "(",  ")",  "[",  "]",  "{",  "}",  ",",  ":",  ".",  "="};
  Position begin = here();
  for (std::string_view op : operators) {
    if (text.substr(offset, op.size()) != op)
      continue;
    offset += op.size();
    if (op == "(" || op == "[" || op == "{")
      ++brackets;
    else if ((op == ")" || op == "]" || op == "}") && brackets > 0)
      --brackets;
    return make(TokenKind::Operator, begin);
  }
  return bad(begin, "unexpected character");
}

Token SourceLexer::next() {
  Token token;
  if (atLineStart && startLine(token))
    return token;
  if (pendingDedents > 0) {
    --pendingDedents;
    return {TokenKind::Dedent, {}, here()};
  }
  if (!skipBlank()) {
    if (lineHasTokens) {
      // The last line may lack its newline; the blocks around it end as well.
      lineHasTokens = false;
      atLineStart = true;
      return {TokenKind::Newline, {}, here()};
    }
    return {TokenKind::End, {}, here()};
  }
  char c = current();
  if (c == '\n') {
    token = {TokenKind::Newline, {}, here()};
    newLine();
    atLineStart = true;
    lineHasTokens = false;
    return token;
  }
  lineHasTokens = true;
  if (isNameStart(c))
    return name();
  if (isDigit(c) || (c == '.' && isDigit(at(offset + 1))))
    return number();
  if (c == '"' || c == '\'')
    return string();
  return punctuation();
}

} // namespace jit::torchscript
