//===- SymbolicExpression.cpp - sizes as expressions over symbols ---------===//

#include "jit/Archive/SymbolicExpression.h"
#include "jit/OutOfMemory.h"

#include <charconv>
#include <optional>

namespace jit {
namespace {

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  std::optional<SymbolicExpression> parse() {
    std::optional<SymbolicExpression> whole = expression();
    skipSpaces();
    return whole && at == text.size() ? whole : std::nullopt;
  }

  size_t position() const { return at; }

private:
  static constexpr unsigned maxDepth = 200;

  void skipSpaces() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }

  bool take(char c) {
    skipSpaces();
    bool found = at < text.size() && text[at] == c;
    at += found;
    return found;
  }

  static bool isWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  }

  std::string_view word() {
    skipSpaces();
    size_t begin = at;
    while (at < text.size() && isWord(text[at]))
      ++at;
    return text.substr(begin, at - begin);
  }

  /// `'s0'`, its flags behind it left out.
  std::optional<SymbolicExpression> symbol() {
    if (!take('\''))
      return std::nullopt;
    SymbolicExpression result{.kind = SymbolicExpression::Kind::Symbol,
                              .name = std::string(word())};
    if (result.name.empty() || !take('\''))
      return std::nullopt;
    while (take(','))
      if (word().empty() || !take('=') || word().empty())
        return std::nullopt;
    return take(')') ? std::optional(std::move(result)) : std::nullopt;
  }

  std::optional<SymbolicExpression> leaf(std::string_view name) {
    SymbolicExpression result;
    auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), result.integer);
    if (status == std::errc() && end == name.data() + name.size())
      return result;
    bool isNumber = name[0] == '-' || (name[0] >= '0' && name[0] <= '9');
    if (isNumber)
      return std::nullopt;
    result.kind = SymbolicExpression::Kind::Symbol;
    result.name = name;
    return result;
  }

  std::optional<SymbolicExpression> expression() {
    std::string_view name = word();
    if (name.empty() || depth == maxDepth)
      return std::nullopt;
    if (!take('('))
      return leaf(name);
    if (name == "Symbol")
      return symbol();
    SymbolicExpression result{.kind = SymbolicExpression::Kind::Call, .name = std::string(name)};
    ++depth;
    while (!take(')')) {
      if (!result.arguments.empty() && !take(','))
        return std::nullopt;
      std::optional<SymbolicExpression> argument = expression();
      if (!argument)
        return std::nullopt;
      result.arguments.push_back(std::move(*argument));
    }
    --depth;
    if (name == "Integer" && result.arguments.size() == 1 &&
        result.arguments[0].kind == SymbolicExpression::Kind::Integer) {
      // Not by assigning a part to its whole.
      SymbolicExpression integer = std::move(result.arguments[0]);
      return integer;
    }
    return result;
  }

  std::string_view text;
  size_t at = 0;
  unsigned depth = 0;
};

} // namespace

Result<SymbolicExpression> SymbolicExpression::parse(std::string_view text,
                                                     const std::string &where) {
  return orOutOfMemory([&]() -> Result<SymbolicExpression> {
    Parser parser(text);
    if (std::optional<SymbolicExpression> expression = parser.parse())
      return std::move(*expression);
    return Error{ErrorCode::Unsupported,
                 "expected an expression over symbols as sympy constructs it, got '" +
                     std::string(text.substr(0, 80)) + "'",
                 where};
  });
}

} // namespace jit
