//===- SourceLexer.h - tokens of serialized TorchScript ---------*- C++ -*-===//
#ifndef JIT_LIB_ARCHIVE_SOURCELEXER_H
#define JIT_LIB_ARCHIVE_SOURCELEXER_H

#include "jit/Archive/TorchScriptAst.h"

#include <string>
#include <string_view>
#include <vector>

namespace jit::torchscript {

enum class TokenKind : uint8_t {
  Name,     ///< identifiers and keywords
  Number,   ///< text as written
  String,   ///< text as written, with its quotes
  Operator, ///< operators and punctuation
  Newline,  ///< the end of a logical line
  Indent,
  Dedent,
  End,
  Bad, ///< the text is the reason
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  Position begin;

  bool is(std::string_view what) const {
    return text == what && (kind == TokenKind::Name || kind == TokenKind::Operator);
  }
};

/// Gives one token after the other; after End, End again. Layout follows Python: newlines and
/// indentation count outside of brackets only.
class SourceLexer {
public:
  explicit SourceLexer(std::string_view text) : text(text) {}

  Token next();

private:
  char at(size_t i) const { return i < text.size() ? text[i] : '\0'; }
  char current() const { return at(offset); }
  Position here() const { return {offset, line, offset - lineStart + 1}; }
  void advance() { ++offset; }
  void newLine();
  Token make(TokenKind kind, Position begin) const {
    return {kind, text.substr(begin.offset, offset - begin.offset), begin};
  }
  Token bad(Position begin, std::string_view why) const { return {TokenKind::Bad, why, begin}; }

  bool skipBlank();
  bool startLine(Token &token);
  Token name();
  Token number();
  Token string();
  Token punctuation();

  std::string_view text;
  uint32_t offset = 0;
  uint32_t line = 1;
  uint32_t lineStart = 0;
  uint32_t brackets = 0;
  bool atLineStart = true;
  /// Whether a token stands on the current logical line.
  bool lineHasTokens = false;
  std::vector<uint32_t> indents = {0};
  uint32_t pendingDedents = 0;
};

} // namespace jit::torchscript

#endif // JIT_LIB_ARCHIVE_SOURCELEXER_H
