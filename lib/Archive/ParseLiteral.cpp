//===- ParseLiteral.cpp - numbers and strings of serialized TorchScript ---===//

#include "SourceParser.h"

#include <charconv>
#include <limits>

namespace jit::torchscript {

static bool isInteger(std::string_view text) {
  return text.find_first_not_of("0123456789") == text.npos;
}

/// Also `inf` and `nan`, which the printer writes as names. A sign before the number belongs to it,
/// so that the smallest integer can be written.
const Expr *SourceParser::parseNumber(Position begin, bool negated) {
  std::string_view text = token.text;
  advance();
  if (isInteger(text)) {
    uint64_t magnitude = 0;
    auto parsed = std::from_chars(text.data(), text.data() + text.size(), magnitude);
    uint64_t most = uint64_t(std::numeric_limits<int64_t>::max()) + negated;
    if (parsed.ec != std::errc() || magnitude > most)
      return fail(begin, "expected an integer of at most 64 bits, got '" + std::string(text) + "'");
    auto *node = arena.create<IntExpr>(begin);
    node->value = static_cast<int64_t>(negated ? ~magnitude + 1 : magnitude);
    return finish(node, {});
  }
  bool imaginary = text.ends_with('j');
  if (imaginary)
    text.remove_suffix(1);
  double value = 0;
  auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
    return fail(begin, "expected a number that a double can hold, got '" + std::string(text) + "'");
  value = negated ? -value : value;
  if (imaginary) {
    auto *node = arena.create<ComplexExpr>(begin);
    node->imaginary = value;
    return finish(node, {});
  }
  auto *node = arena.create<FloatExpr>(begin);
  node->value = value;
  return finish(node, {});
}

static bool octalDigit(char c) { return c >= '0' && c <= '7'; }

static int hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// The byte that a backslash and \p c stand for, or 0 if that is no such pair.
static char simpleEscape(char c) {
  static constexpr std::string_view names = "\\'\"abfnrtv", bytes = "\\'\"\a\b\f\n\r\t\v";
  size_t found = names.find(c);
  return found == names.npos ? '\0' : bytes[found];
}

bool SourceParser::unescape(std::string_view body, Position begin, std::string &out) {
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\') {
      out += body[i];
      continue;
    }
    // The lexer saw to it that something follows a backslash.
    char c = body[++i];
    if (char byte = simpleEscape(c)) {
      out += byte;
    } else if (c == '\n') {
      continue;
    } else if (octalDigit(c)) {
      unsigned value = 0;
      size_t end = std::min(i + 3, body.size());
      for (; i < end && octalDigit(body[i]); ++i)
        value = value * 8 + (body[i] - '0');
      --i;
      out += static_cast<char>(value);
    } else if (c == 'x') {
      int high = i + 2 < body.size() ? hexDigit(body[i + 1]) : -1;
      int low = i + 2 < body.size() ? hexDigit(body[i + 2]) : -1;
      if (high < 0 || low < 0)
        return fail(begin, "expected two hexadecimal digits after \\x");
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      // As in Python: an unknown escape is what it looks like.
      out += '\\';
      out += c;
    }
  }
  return true;
}

/// Strings beside each other are one.
const Expr *SourceParser::parseString() {
  auto *node = arena.create<StringExpr>(token.begin);
  std::string joined;
  bool first = true;
  while (token.kind == TokenKind::String) {
    std::string_view body = token.text.substr(1, token.text.size() - 2);
    bool plain = body.find('\\') == body.npos;
    Position begin = token.begin;
    advance();
    if (first && plain && token.kind != TokenKind::String) {
      node->value = body;
      return finish(node, {});
    }
    first = false;
    if (!unescape(body, begin, joined))
      return nullptr;
  }
  node->value = arena.copy(joined);
  return finish(node, {});
}

} // namespace jit::torchscript
