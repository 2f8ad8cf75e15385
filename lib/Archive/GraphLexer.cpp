//===- GraphLexer.cpp - tokens of a printed graph -------------------------===//

#include "GraphLexer.h"

namespace jit::graphtext {

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}
static bool isWordPart(char c) { return isWordStart(c) || isDigit(c) || c == '.'; }

/// To a later place of the text.
void GraphLexer::advanceTo(size_t end) {
  for (; offset < end; ++offset)
    if (text[offset] == '\n') {
      ++line;
      lineStart = offset + 1;
    }
}

Token GraphLexer::name() {
  Position begin = here();
  size_t end = offset;
  for (;;) {
    if (isWordPart(at(end)))
      ++end;
    else if (at(end) == ':' && at(end + 1) == ':' && isWordStart(at(end + 2)))
      end += 2;
    else
      break;
  }
  advanceTo(end);
  return make(TokenKind::Name, begin);
}

/// The end of the real number at \p begin; \p begin where none is.
size_t GraphLexer::numberEnd(size_t begin) const {
  size_t end = begin + (at(begin) == '-' || at(begin) == '+' ? 1 : 0);
  std::string_view word = text.substr(end, 3);
  if (word == "inf" || word == "nan")
    return end + 3;
  size_t digits = 0;
  for (; isDigit(at(end)) || at(end) == '.'; ++end)
    digits += isDigit(at(end));
  if (digits == 0)
    return begin;
  size_t exponent = end + 1 + (at(end + 1) == '-' || at(end + 1) == '+' ? 1 : 0);
  if ((at(end) == 'e' || at(end) == 'E') && isDigit(at(exponent)))
    for (end = exponent; isDigit(at(end)); ++end)
      ;
  return end;
}

Token GraphLexer::number() {
  Position begin = here();
  size_t end = numberEnd(offset);
  if (at(end) == '+' || at(end) == '-') {
    size_t imaginary = numberEnd(end);
    if (imaginary > end && at(imaginary) == 'j')
      end = imaginary;
  }
  if (at(end) == 'j')
    ++end;
  advanceTo(end);
  return make(TokenKind::Number, begin);
}

Token GraphLexer::string() {
  Position begin = here();
  size_t end = offset + 1;
  while (end < text.size() && text[end] != text[offset])
    end += text[end] == '\\' ? 2 : 1;
  if (end >= text.size())
    return {TokenKind::Bad, "string is not closed", begin};
  advanceTo(end + 1);
  return make(TokenKind::String, begin);
}

Token GraphLexer::next() {
  while (current() == ' ' || current() == '\t' || current() == '\r' || current() == '\n')
    advanceTo(offset + 1);
  Position begin = here();
  if (offset >= text.size())
    return {TokenKind::End, {}, begin};
  char c = current();
  if (c == '#') {
    advanceTo(std::min(text.find('\n', offset), text.size()));
    return make(TokenKind::Comment, begin, 1);
  }
  if (c == '%' && isWordPart(at(offset + 1))) {
    size_t end = offset + 1;
    while (isWordPart(at(end)))
      ++end;
    advanceTo(end);
    return make(TokenKind::Value, begin, 1);
  }
  if (isWordStart(c))
    return name();
  if (c == '"' || c == '\'')
    return string();
  if (c == '-' && at(offset + 1) == '>') {
    advanceTo(offset + 2);
    return make(TokenKind::Punctuation, begin);
  }
  if (numberEnd(offset) > offset)
    return number();
  if (std::string_view("()[]{}<>,:=?*^!|").find(c) == std::string_view::npos)
    return {TokenKind::Bad, "unexpected character", begin};
  advanceTo(offset + 1);
  return make(TokenKind::Punctuation, begin);
}

std::string_view GraphLexer::restOfLine() {
  size_t begin = text.find_first_not_of(" \t", offset);
  size_t end = std::min({text.find('\n', offset), text.find(" #", offset), text.size()});
  begin = std::min(begin, end);
  advanceTo(end);
  return text.substr(begin, end - begin);
}

std::optional<std::string_view> GraphLexer::restOfParentheses(bool areBeforeOperands) {
  size_t begin = offset, lineEnd = std::min(text.find('\n', offset), text.size());
  for (size_t end = text.find(')', begin); end < lineEnd; end = text.find(')', end + 1))
    if (!areBeforeOperands || (at(end + 1) == '(' && (at(end + 2) == '%' || at(end + 2) == ')'))) {
      advanceTo(end + 1);
      return text.substr(begin, end + 1 - begin);
    }
  return std::nullopt;
}

std::optional<PrintedTensor> GraphLexer::printedTensor() {
  // PyTorch prints ten elements at most: numbers, a common factor, "(1,.,.) = ", "Columns 1 to 8 ".
  constexpr size_t maxLength = 4096;
  if (elementsEnd <= offset)
    elementsEnd = std::min(text.find_first_not_of("0123456789.+-eE* \n\r(),=infaColumsto", offset),
                           text.size());
  size_t open = elementsEnd;
  if (open - offset > maxLength || text.substr(open, 2) != "[ ")
    return std::nullopt;
  // "(1,.,.) = " or the first part of a tuple.
  size_t begin = std::min(text.find_first_not_of(" \n\r", offset), open);
  size_t slice = at(begin) == '(' ? std::min(text.find(')', begin), open) : open;
  if (at(begin) == '(' && !text.substr(begin, slice - begin).ends_with(".,."))
    return std::nullopt;
  size_t typeEnd = open + 2;
  while (isWordPart(at(typeEnd)))
    ++typeEnd;
  std::string_view type = text.substr(open + 2, typeEnd - open - 2);
  if (!type.ends_with("Type") || at(typeEnd) != '{')
    return std::nullopt;
  size_t close = std::min(text.find_first_of("}\n", typeEnd), text.size());
  // `, qscheme: per_tensor_affine, scale: 0.1, zero_point: 0`
  size_t end = std::min(text.find_first_of("]\n", close), text.size());
  if (at(close) != '}' || at(end) != ']')
    return std::nullopt;
  PrintedTensor tensor = {text.substr(offset, open - offset), type,
                          text.substr(typeEnd + 1, close - typeEnd - 1), end - close > 2};
  advanceTo(end + 1);
  return tensor;
}

} // namespace jit::graphtext
