//===- GraphLexer.h - tokens of a printed graph -----------------*- C++ -*-===//
#ifndef JIT_LIB_ARCHIVE_GRAPHLEXER_H
#define JIT_LIB_ARCHIVE_GRAPHLEXER_H

#include "jit/Archive/GraphText.h"

#include <optional>

namespace jit::graphtext {

enum class TokenKind : uint8_t {
  Value,  ///< `%x.1`: text without the sign
  Name,   ///< words, `aten::add` and `__torch__.a.B` as one
  Number, ///< also inf, nan behind a sign, and complex ones that end in j
  String, ///< text as written, with its quotes
  Punctuation,
  Comment, ///< text behind the `#`
  End,
  Bad, ///< the text is the reason
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  Position begin;

  bool is(std::string_view what) const {
    return text == what && (kind == TokenKind::Name || kind == TokenKind::Punctuation);
  }
};

/// A tensor as its elements are printed: ` 1  2  3 [ CPULongType{3} ]`.
struct PrintedTensor {
  std::string_view elements;
  /// "CPULongType".
  std::string_view type;
  /// "3" or "2,3".
  std::string_view sizes;
  /// Whether more is said of the tensor: how it is quantized.
  bool isQuantized = false;
};

/// Gives one token after the other; after End, End again. Layout says nothing: blocks end by their
/// `->`.
class GraphLexer {
public:
  explicit GraphLexer(std::string_view text) : text(text) {}

  Token next();
  /// What stands on this line up to a comment: a scope may have any characters.
  std::string_view restOfLine();
  /// Behind an opening parenthesis: what stands up to the first closing one, and that; nothing
  /// where the line ends before. Constants of a Python function stand as Python has them, also with
  /// parentheses of their own: only the operands behind them tell their end.
  std::optional<std::string_view> restOfParentheses(bool areBeforeOperands);
  /// Passes over a printed tensor that begins here, if one does.
  std::optional<PrintedTensor> printedTensor();

private:
  char at(size_t i) const { return i < text.size() ? text[i] : '\0'; }
  char current() const { return at(offset); }
  Position here() const { return {offset, line, offset - lineStart + 1}; }
  void advanceTo(size_t end);
  Token make(TokenKind kind, Position begin, size_t skipped = 0) const {
    return {kind, text.substr(begin.offset + skipped, offset - begin.offset - skipped), begin};
  }
  size_t numberEnd(size_t begin) const;
  Token name();
  Token number();
  Token string();

  std::string_view text;
  uint32_t offset = 0;
  uint32_t line = 1;
  uint32_t lineStart = 0;
  /// The first character from some place before on that no printed tensor begins with.
  size_t elementsEnd = 0;
};

} // namespace jit::graphtext

#endif // JIT_LIB_ARCHIVE_GRAPHLEXER_H
