//===- Parse.cpp - reads the text of a call's spec ------------------------===//
#include "jit/CallSpec/CallSpec.h"
#include "jit/QuotedText.h"
#include "jit/TensorLimits.h"

#include <algorithm>
#include <charconv>

using namespace jit;

using Kind = ValueSpec::Kind;

namespace {

/// Recursive descent over the grammar of docs/call-spec.md, its depth bounded.
class Parser {
public:
  Parser(std::string_view text, bool takesFiles)
      : rest(text), length(text.size()), takesFiles(takesFiles) {}

  Result<CallSpec> parseCall();
  Result<ValueSpec> parseOnly();

private:
  Error expected(const std::string &what, ErrorCode code = ErrorCode::InvalidArgument) const;
  void skipSpaces() {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\n\r"), rest.size()));
  }
  /// Takes `token` from the front, and spaces before it.
  bool consume(std::string_view token) {
    skipSpaces();
    return consumeHere(token);
  }
  bool consumeHere(std::string_view token) {
    bool found = rest.starts_with(token);
    rest.remove_prefix(found ? token.size() : 0);
    return found;
  }
  /// Takes all characters from the front for which `test` holds.
  template <typename Test> std::string_view takeWhile(Test test) {
    auto end = std::find_if_not(rest.begin(), rest.end(), test);
    std::string_view taken = rest.substr(0, size_t(end - rest.begin()));
    rest.remove_prefix(taken.size());
    return taken;
  }
  /// A letter and what letters, digits and underscores follow it; empty where there is none.
  std::string_view takeName();
  std::optional<int64_t> takeInt();

  Result<ValueSpec> parseValue();
  Result<ValueSpec> parseElements(Kind kind, std::string_view close);
  Result<ValueSpec> parseDict();
  Result<ValueSpec> parseString();
  Result<ValueSpec> parseFile();
  Result<ValueSpec> parseWord();
  Result<ValueSpec> parseNumber(std::string_view word);
  Result<ValueSpec> parseTensor(ScalarType dtype);
  Result<void> parseSizes(ValueSpec &spec);
  Result<void> parseDevice(ValueSpec &spec);
  Result<void> parseStrides(ValueSpec &spec);
  Result<void> parsePart(ValueSpec &spec);
  Result<std::vector<int64_t>> parseInts();

  std::string_view rest;
  size_t length;
  bool takesFiles;
  unsigned depth = 0;
};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

} // namespace

Error Parser::expected(const std::string &what, ErrorCode code) const {
  std::string got = rest.empty() ? "" : ", got '" + std::string(rest.substr(0, 12)) + "'";
  return {code, "expected " + what + " at character " + std::to_string(length - rest.size()) +
                    " of the call's spec" + got};
}

std::string_view Parser::takeName() {
  if (rest.empty() || !isLetter(rest.front()))
    return {};
  return takeWhile([](char c) { return isLetter(c) || isDigit(c) || c == '_'; });
}

std::optional<int64_t> Parser::takeInt() {
  int64_t value;
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc())
    return std::nullopt;
  rest.remove_prefix(size_t(end - rest.data()));
  return value;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Result<CallSpec> Parser::parseCall() {
  CallSpec call;
  skipSpaces();
  if (rest.empty())
    return call;
  do {
    auto argument = parseValue();
    if (!argument)
      return argument.takeError();
    call.arguments.push_back(std::move(*argument));
  } while (consume(","));
  if (!rest.empty())
    return expected("',' or the end");
  return call;
}

Result<ValueSpec> Parser::parseOnly() {
  auto value = parseValue();
  skipSpaces();
  if (value && !rest.empty())
    return expected("the end");
  return value;
}

Result<ValueSpec> Parser::parseValue() {
  skipSpaces();
  if (consumeHere("("))
    return parseElements(Kind::Tuple, ")");
  if (consumeHere("["))
    return parseElements(Kind::List, "]");
  if (consumeHere("\""))
    return parseString();
  if (takesFiles && consumeHere("@"))
    return parseFile();
  for (auto [word, kind] : {std::pair("?int", Kind::Int), std::pair("?float", Kind::Float),
                            std::pair("?bool", Kind::Bool)})
    if (consumeHere(word))
      return ValueSpec{.kind = kind, .isOpen = true};
  return parseWord();
}

Result<ValueSpec> Parser::parseElements(Kind kind, std::string_view close) {
  if (depth == maxArgumentDepth)
    return expected("at most " + std::to_string(maxArgumentDepth) + " nested containers",
                    ErrorCode::LimitExceeded);
  ++depth;
  ValueSpec spec{.kind = kind};
  while (!consume(close)) {
    if (!spec.elements.empty() && !consume(","))
      return expected("',' or '" + std::string(close) + "'");
    if (!spec.elements.empty() && consume(close)) // as in Python's (x,)
      break;
    auto element = parseValue();
    if (!element)
      return element;
    spec.elements.push_back(std::move(*element));
  }
  --depth;
  return spec;
}

Result<ValueSpec> Parser::parseDict() {
  auto pairs = parseElements(Kind::List, "]");
  if (!pairs)
    return pairs;
  for (const ValueSpec &pair : pairs->elements)
    if (pair.kind != Kind::Tuple || pair.elements.size() != 2)
      return expected("pairs of a key and a value, as in dict[(\"a\",f32[2])],");
  pairs->isDict = true;
  return pairs;
}

Result<ValueSpec> Parser::parseString() {
  std::optional<std::string> text = takeQuoted(rest);
  if (!text)
    return expected(
        "a closing '\"', and \\\", \\\\ or \\xHH for what a string cannot hold as it is");
  return ValueSpec{.kind = Kind::Str, .text = std::move(*text)};
}

Result<ValueSpec> Parser::parseFile() {
  std::string_view path = takeWhile([](char c) { return c != ',' && c != ']' && c != ')'; });
  bool requiresGrad = path.ends_with(":grad");
  path.remove_suffix(requiresGrad ? 5 : 0);
  return ValueSpec{.kind = Kind::File, .text = std::string(path), .requiresGrad = requiresGrad};
}

Result<ValueSpec> Parser::parseWord() {
  std::string_view before = rest, word = takeWhile([](char c) {
                                    return isLetter(c) || isDigit(c) || c == '_' || c == '.' ||
                                           c == '-' || c == '+';
                                  });
  for (auto [name, kind] :
       {std::pair("none", Kind::None), std::pair("None", Kind::None),
        std::pair("default", Kind::Default), std::pair("undef", Kind::Undefined)})
    if (word == name)
      return ValueSpec{.kind = kind};
  for (auto [name, value] : {std::pair("true", true), std::pair("True", true),
                             std::pair("false", false), std::pair("False", false)})
    if (word == name)
      return ValueSpec{.kind = Kind::Bool, .boolValue = value};
  if (word == "dict" && consumeHere("["))
    return parseDict();
  if (auto dtype = scalarTypeFromShortName(word))
    return parseTensor(*dtype);
  rest = before;
  return parseNumber(word);
}

Result<ValueSpec> Parser::parseNumber(std::string_view word) {
  const char *begin = word.data(), *end = begin + word.size();
  auto isWhole = [&](std::from_chars_result read) { return !word.empty() && read.ptr == end; };
  auto taken = [&](ValueSpec spec) { return rest.remove_prefix(word.size()), spec; };
  ValueSpec integer{.kind = Kind::Int}, number{.kind = Kind::Float};
  auto read = std::from_chars(begin, end, integer.intValue);
  if (isWhole(read) && read.ec == std::errc())
    return taken(integer);
  if (isWhole(read))
    return expected("an int of 64 bits");
  read = std::from_chars(begin, end, number.floatValue);
  if (isWhole(read) && read.ec == std::errc())
    return taken(number);
  return isWhole(read) ? expected("a float of 64 bits")
                       : expected("a spec such as f32[1,512], 16000, none or (f32[2], true)");
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Result<ValueSpec> Parser::parseTensor(ScalarType dtype) {
  ValueSpec spec{.kind = Kind::Tensor, .dtype = dtype};
  for (auto parse :
       {&Parser::parseSizes, &Parser::parseDevice, &Parser::parseStrides, &Parser::parsePart})
    if (auto done = (this->*parse)(spec); !done)
      return done.takeError();
  spec.requiresGrad = consume(":grad");
  return spec;
}

Result<void> Parser::parseSizes(ValueSpec &spec) {
  if (!consume("["))
    return expected("'[' and the sizes");
  bool hasNames = false;
  while (!consume("]")) {
    if (!spec.sizes.empty() && !consume(","))
      return expected("',' or ']'");
    skipSpaces();
    std::string_view before = rest, name = takeName();
    bool isOpen = !name.empty() || consumeHere("?");
    std::optional<int64_t> size = isOpen ? ValueSpec::openSize : takeInt();
    if (!size || (!isOpen && *size < 0)) {
      rest = before;
      return expected("a size, a name or '?'");
    }
    if (spec.sizes.size() == maxTensorRank)
      return expected("at most " + std::to_string(maxTensorRank) + " sizes",
                      ErrorCode::LimitExceeded);
    spec.sizes.push_back(*size);
    spec.sizeNames.emplace_back(name);
    hasNames |= !name.empty();
  }
  if (!hasNames)
    spec.sizeNames.clear();
  return {};
}

Result<void> Parser::parseDevice(ValueSpec &spec) {
  if (!consume("@"))
    return {};
  spec.device = takeName();
  if (spec.device.empty())
    return expected("a device such as cuda or cuda:0");
  std::string_view before = rest;
  std::optional<int64_t> index = consumeHere(":") ? takeInt() : std::nullopt;
  if (index)
    spec.device += ":" + std::to_string(*index);
  else
    rest = before;
  return {};
}

/// Ints, or `?` for one not known, up to a closing bracket.
Result<std::vector<int64_t>> Parser::parseInts() {
  std::vector<int64_t> ints;
  while (!consume("]")) {
    if (!ints.empty() && !consume(","))
      return expected("',' or ']'");
    skipSpaces();
    std::optional<int64_t> value = consumeHere("?") ? ValueSpec::unknownStride : takeInt();
    if (!value)
      return expected("an int or '?'");
    ints.push_back(*value);
  }
  return ints;
}

/// Whether an address can tell the first from the last element, whatever their type. What is open
/// counts for nothing.
static bool canBeAddressed(const ValueSpec &spec) {
  constexpr int64_t widest = 16; // bytes, of a complex number
  int64_t bytes = widest;
  for (size_t i = 0; i < spec.sizes.size(); ++i) {
    int64_t size = spec.sizes[i], stride = spec.strides[i], reach;
    if (size <= 0 || stride == ValueSpec::unknownStride)
      continue;
    if (__builtin_mul_overflow(size - 1, stride, &reach) ||
        __builtin_mul_overflow(reach, widest, &reach) ||
        (reach < 0 ? __builtin_sub_overflow(bytes, reach, &bytes)
                   : __builtin_add_overflow(bytes, reach, &bytes)))
      return false;
  }
  return true;
}

Result<void> Parser::parseStrides(ValueSpec &spec) {
  if (!consume(":strides["))
    return {};
  auto strides = parseInts();
  if (!strides)
    return strides.takeError();
  if (strides->size() != spec.sizes.size())
    return expected("a stride for each size");
  spec.strides = std::move(*strides);
  if (!canBeAddressed(spec))
    return expected("strides that an address can span");
  return {};
}

/// Whether all elements of a tensor lie in such a memory.
static bool isInside(const ValueSpec &spec, const ValueSpec::Part &part) {
  int64_t last = part.offset;
  for (size_t i = 0; i < spec.sizes.size(); ++i) {
    int64_t size = spec.sizes[i], stride = spec.strides[i], reach;
    if (size <= 0 || stride < 0 || __builtin_mul_overflow(size - 1, stride, &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return false;
  }
  return part.memory >= 0 && part.offset >= 0 && last < part.extent;
}

Result<void> Parser::parsePart(ValueSpec &spec) {
  if (!consume(":part["))
    return {};
  auto ints = parseInts();
  if (!ints)
    return ints.takeError();
  bool isWhole = ints->size() == 3 && spec.strides.size() == spec.sizes.size();
  if (isWhole)
    spec.part = {(*ints)[0], (*ints)[1], (*ints)[2]};
  if (!isWhole || !isInside(spec, *spec.part))
    return expected("a memory's number, an offset and an extent that hold the tensor");
  return {};
}

Result<CallSpec> CallSpec::parse(std::string_view text) {
  return Parser(text, /*takesFiles=*/false).parseCall();
}

Result<ValueSpec> jit::parseInput(std::string_view text) {
  return Parser(text, /*takesFiles=*/true).parseOnly();
}
