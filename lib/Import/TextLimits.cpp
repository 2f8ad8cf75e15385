//===- TextLimits.cpp - a look over a text before MLIR parses it ----------===//

#include "jit/Import/TextLimits.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jit {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_';
}
bool isWordPart(char c) { return isWordStart(c) || c == '$' || c == '.' || c == '-'; }

/// Reads words and brackets; what they mean matters only where it decides what they cost.
class TextScan {
public:
  TextScan(std::string_view text, std::string_view name, const TextLimits &limits)
      : text(text), name(name), limits(limits) {}

  Result<void> run();

private:
  /// What a name stands for.
  struct Alias {
    uint64_t words = 0;
    uint32_t depth = 0;
  };

  void fail(uint64_t most, const std::string &what, uint64_t got);
  char at(size_t i) const { return i < text.size() ? text[i] : '\0'; }
  void skipString();
  void skipBlanks();
  size_t wordEnd(size_t begin) const;
  void readWord();
  void readNumber();
  void readAlias();
  void readShape();
  void readPunctuation();
  void open(char bracket);
  void close(char bracket);
  void countOperator();
  void count(const Alias &used);
  void finishDefinition();

  std::string_view text;
  std::string_view name;
  const TextLimits &limits;
  size_t offset = 0;
  /// Of the word that is being read.
  size_t start = 0;
  /// What is open, each with the operators in front of it.
  std::vector<std::pair<char, uint32_t>> brackets;
  uint32_t operators = 0;
  std::unordered_map<std::string_view, Alias> aliases;
  /// The alias that is being defined, and what it stands for so far.
  std::string_view defined;
  Alias definition;
  /// Whether the last thing at depth 0 asks for more: `=`, `->`, `:`.
  bool isOpenEnded = false;
  std::optional<Error> failure;
};

} // namespace

void TextScan::fail(uint64_t most, const std::string &what, uint64_t got) {
  if (failure)
    return;
  std::string_view before = text.substr(0, start);
  size_t line = std::count(before.begin(), before.end(), '\n') + 1;
  size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  failure = Error{ErrorCode::LimitExceeded,
                  "expected at most " + std::to_string(most) + " " + what + ", got " +
                      (got ? std::to_string(got) : "more"),
                  std::string(name) + ":" + std::to_string(line) + ":" + std::to_string(column)};
}

void TextScan::skipString() {
  for (++offset; offset < text.size() && text[offset] != '"' && text[offset] != '\n'; ++offset)
    offset += text[offset] == '\\';
  ++offset;
}

void TextScan::skipBlanks() {
  while (offset < text.size())
    if (std::string_view(" \t\r\n").find(text[offset]) != std::string_view::npos)
      ++offset;
    else if (text[offset] == '/' && at(offset + 1) == '/')
      offset = std::min(text.find('\n', offset), text.size());
    else
      return;
}

size_t TextScan::wordEnd(size_t begin) const {
  while (begin < text.size() && isWordPart(text[begin]) &&
         !(text[begin] == '-' && at(begin + 1) == '>'))
    ++begin;
  return begin;
}

void TextScan::countOperator() {
  if (++operators > limits.maxOperators)
    fail(limits.maxOperators, "operators in one expression", operators);
}

void TextScan::count(const Alias &used) {
  if (!used.words)
    return;
  definition.words += used.words;
  definition.depth = std::max(definition.depth, uint32_t(brackets.size()) + used.depth);
  if (definition.depth > limits.maxDepth)
    fail(limits.maxDepth, "levels of nesting", definition.depth);
  uint64_t most = text.size() + limits.maxAliasWords;
  if (!defined.empty() && definition.words > most)
    fail(most, "words that " + std::string(defined) + " stands for", 0);
}

void TextScan::finishDefinition() {
  if (!defined.empty())
    aliases[defined] = definition;
  defined = {};
  definition = {};
}

/// Words that are operators nest, as signs do: `d0 mod 2 mod 2`.
void TextScan::readWord() {
  size_t end = wordEnd(offset);
  std::string_view word = text.substr(offset, end - offset);
  if (word == "mod" || word == "floordiv" || word == "ceildiv")
    countOperator();
  offset = end;
  count({1, 0});
  if (brackets.empty())
    isOpenEnded = false;
  if (word != "tensor" && word != "vector" && word != "memref")
    return;
  skipBlanks();
  if (at(offset) == '<')
    readShape();
}

/// A shape in front of its element type, `4x?x[8]xf32`, is many numbers and one word.
void TextScan::readNumber() {
  size_t end = offset;
  while (end < text.size() && (isWordPart(text[end]) || (text[end] == '+' && end > offset)))
    ++end;
  if (end - offset > limits.maxNumberLength)
    fail(limits.maxNumberLength, "characters of a number", end - offset);
  offset = end;
  count({1, 0});
}

/// Behind `tensor`, at the bracket.
void TextScan::readShape() {
  open('<');
  ++offset;
  uint64_t elements = 1;
  uint32_t rank = 0;
  while (!failure) {
    skipBlanks();
    size_t begin = offset;
    uint64_t size = 0;
    bool overflows = false;
    // Sizes of vectors that scale stand in brackets.
    while (isDigit(at(offset)) || at(offset) == '?' || at(offset) == '*' || at(offset) == '[' ||
           at(offset) == ']') {
      if (isDigit(at(offset)))
        overflows |= __builtin_mul_overflow(size, 10, &size) ||
                     __builtin_add_overflow(size, uint64_t(at(offset) - '0'), &size);
      ++offset;
    }
    if (begin == offset)
      return;
    // A size of 0 makes no overflow of the others harmless: they are multiplied before it.
    size = std::max<uint64_t>(size, 1);
    if (overflows || elements > limits.maxElements / size)
      return fail(limits.maxElements, "elements", 0);
    elements *= size;
    if (++rank > limits.maxRank)
      return fail(limits.maxRank, "sizes of a tensor", rank);
    skipBlanks();
    if (at(offset) == 'x')
      ++offset;
  }
}

/// `#name` or `!name`: its definition, or a use of it. Names of dialects hold a dot.
void TextScan::readAlias() {
  size_t end = wordEnd(offset + 1);
  std::string_view alias = text.substr(offset, end - offset);
  offset = end;
  skipBlanks();
  if (brackets.empty() && at(offset) == '=' && at(offset + 1) != '=') {
    finishDefinition();
    defined = alias;
    ++offset;
    isOpenEnded = true;
    return;
  }
  if (brackets.empty())
    isOpenEnded = false;
  auto known = aliases.find(alias);
  count(known == aliases.end() ? Alias{1, 0} : known->second);
}

void TextScan::open(char bracket) {
  brackets.emplace_back(bracket, std::exchange(operators, 0));
  isOpenEnded = false;
  definition.depth = std::max(definition.depth, uint32_t(brackets.size()));
  if (definition.depth > limits.maxDepth)
    fail(limits.maxDepth, "levels of nesting", definition.depth);
}

/// A bracket that closes nothing is the parser's to refuse.
void TextScan::close(char bracket) {
  constexpr std::string_view opening = "([{<", closing = ")]}>";
  if (brackets.empty() || brackets.back().first != opening[closing.find(bracket)])
    return;
  operators = brackets.back().second;
  brackets.pop_back();
}

void TextScan::readPunctuation() {
  char c = text[offset++], next = at(offset);
  if (c == '-' && next == '>') {
    ++offset;
    isOpenEnded = brackets.empty();
  } else if ((c == '<' || c == '>' || c == '=') && next == '=') {
    ++offset;
  } else if (std::string_view("([{<").find(c) != std::string_view::npos) {
    open(c);
  } else if (std::string_view(")]}>").find(c) != std::string_view::npos) {
    close(c);
  } else if (c == '+' || c == '-' || c == '*') {
    countOperator();
  } else if (c == ',') {
    operators = 0;
  } else if (c == ':' && brackets.empty()) {
    isOpenEnded = true;
  }
}

Result<void> TextScan::run() {
  if (text.size() > limits.maxBytes)
    fail(limits.maxBytes, "bytes of text", text.size());
  while (!failure) {
    skipBlanks();
    if (offset >= text.size())
      break;
    start = offset;
    char c = text[offset];
    // An operation behind a definition ends it; what is open goes on.
    bool begins = isWordStart(c) || c == '"' || c == '%';
    if (begins && brackets.empty() && !isOpenEnded)
      finishDefinition();
    if (c == '"')
      skipString(), count({1, 0}), isOpenEnded = false;
    else if (c == '#' || c == '!')
      readAlias();
    else if (isDigit(c))
      readNumber(), isOpenEnded = false;
    else if (isWordStart(c))
      readWord();
    else
      readPunctuation();
  }
  return failure ? Result<void>(std::move(*failure)) : Result<void>();
}

Result<void> checkText(std::string_view text, std::string_view name, const TextLimits &limits) {
  return TextScan(text, name, limits).run();
}

} // namespace jit
