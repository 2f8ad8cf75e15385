//===- GraphTypes.cpp - types of a printed graph --------------------------===//

#include "GraphParser.h"
#include "jit/ScalarType.h"

#include <algorithm>
#include <charconv>

namespace jit::graphtext {

bool isElementType(std::string_view name) {
  static constexpr std::string_view others[] = {"QInt8", "QUInt8", "QInt32"};
  return scalarTypeNamed(name) || std::ranges::find(others, name) != std::end(others);
}

bool GraphParser::parseParts(Type &type, std::string_view close) {
  std::vector<const Type *> parts;
  while (!token.is(close)) {
    parts.push_back(parseType());
    if (!parts.back())
      return false;
    type.height = std::max<uint16_t>(type.height, parts.back()->height + 1);
    if (!accept(",") && !token.is(close))
      return failExpected("',' or '" + std::string(close) + "' after a type");
  }
  advance();
  type.parts = arena.copy(parts);
  return !failure;
}

/// `3`, `*`, `SS(-1)`
bool GraphParser::parseSize(std::vector<int64_t> &sizes) {
  int64_t size = Type::unknownSize;
  if (token.kind == TokenKind::Number) {
    const char *begin = &token.text.front(), *end = begin + token.text.size();
    auto [stop, error] = std::from_chars(begin, end, size);
    if (error != std::errc() || stop != end || size < 0)
      return failExpected("a size");
    advance();
  } else if (accept("SS")) {
    if (!expect("("))
      return false;
    advance();
    if (!expect(")"))
      return false;
  } else if (!expect("*")) {
    return false;
  }
  if (sizes.size() == limits.maxTensorRank)
    return fail(token.begin, "expected at most " + std::to_string(limits.maxTensorRank) + " sizes",
                ErrorCode::LimitExceeded);
  sizes.push_back(size);
  return !failure;
}

/// `strides=[3, 1]`, `requires_grad=0`, `device=cuda:0`: nothing that a value depends on.
bool GraphParser::parseTensorProperty() {
  advance();
  if (!expect("="))
    return false;
  if (accept("[")) {
    std::vector<int64_t> strides;
    while (!token.is("]")) {
      if (!parseSize(strides) || (!accept(",") && !token.is("]")))
        return failExpected("',' or ']' after a stride");
    }
    advance();
    return !failure;
  }
  if (token.kind != TokenKind::Name && token.kind != TokenKind::Number)
    return failExpected("a device or a number");
  advance();
  if (accept(":"))
    advance();
  return !failure;
}

bool GraphParser::parseTensorDetails(Type &type) {
  std::vector<int64_t> sizes;
  // "FloatTensor" and "Tensor" have sizes only where those are listed.
  bool ranked = !type.name.empty();
  while (!token.is(")")) {
    bool isSize = token.kind != TokenKind::Name || token.is("SS");
    if (!(isSize ? parseSize(sizes) : parseTensorProperty()))
      return false;
    ranked |= isSize;
    if (!accept(",") && !token.is(")"))
      return failExpected("',' or ')' in a tensor's type");
  }
  advance();
  type.ranked = ranked;
  type.sizes = arena.copy(sizes);
  return !failure;
}

bool GraphParser::parseGeneric(Type &type, std::string_view name) {
  using Kind = Type::Kind;
  struct Generic {
    std::string_view name;
    Kind kind;
    /// 0 for any number.
    size_t count;
    size_t least = 0;
  };
  static constexpr Generic generics[] = {
      {"List", Kind::List, 1},      {"Optional", Kind::Optional, 1}, {"Tuple", Kind::Tuple, 0},
      {"Union", Kind::Union, 0, 1}, {"Dict", Kind::Dict, 2},         {"Future", Kind::Future, 1},
      {"Await", Kind::Future, 1},   {"RRef", Kind::Named, 1},
  };
  const auto *generic = std::find_if(std::begin(generics), std::end(generics),
                                     [&](const Generic &g) { return g.name == name; });
  bool round = token.is("(");
  if (generic == std::end(generics) || (!round && !token.is("[")))
    return true;
  Position begin = token.begin;
  advance();
  if (!parseParts(type, round ? ")" : "]"))
    return false;
  if ((generic->count && type.parts.size() != generic->count) || type.parts.size() < generic->least)
    return fail(begin, "expected " + std::to_string(std::max(generic->count, generic->least)) +
                           " types in " + std::string(name) + ", got " +
                           std::to_string(type.parts.size()));
  type.kind = generic->kind;
  return true;
}

/// `(first : Tensor, second : int = 3)`
bool GraphParser::parseNamedTuple(Type &type) {
  std::vector<const Type *> parts;
  while (!token.is(")")) {
    advance();
    if (!expect(":"))
      return false;
    parts.push_back(parseType());
    Attribute value;
    if (!parts.back() || (token.is("=") && !parseValue(value)))
      return false;
    if (!accept(",") && !token.is(")"))
      return failExpected("',' or ')' after a field");
    type.height = std::max<uint16_t>(type.height, parts.back()->height + 1);
  }
  advance();
  type.kind = Type::Kind::Tuple;
  type.parts = arena.copy(parts);
  return !failure;
}

/// Whether what stands behind `Tensor(` is no size and no property.
bool GraphParser::isAliasAnnotation() const {
  if (token.kind != TokenKind::Name)
    return token.is("!");
  return !token.is("SS") && !token.is("strides") && !token.is("requires_grad") &&
         !token.is("device");
}

/// `a! -> a|b)`, of schemas: which memory a value may be, and whether it is written.
bool GraphParser::parseAliasAnnotation() {
  while (!token.is(")")) {
    bool isKnown = token.kind == TokenKind::Name || token.is("*") || token.is("|") ||
                   token.is("!") || token.is("->");
    if (!isKnown)
      return failExpected("')' after what a value may alias");
    advance();
  }
  advance();
  return !failure;
}

/// A type that begins with a word.
bool GraphParser::parseTypeName(Type &type) {
  std::string_view name = token.text;
  advance();
  type.name = name;
  if (name == "NamedTuple" && accept("("))
    return parseNamedTuple(type);
  if (accept("<")) {
    // Enum<__torch__.Color>: the whole is the name.
    advance();
    if (!token.is(">"))
      return failExpected("'>'");
    size_t length = token.begin.offset + 1 - type.begin.offset;
    type.name = graph.source.text().substr(type.begin.offset, length);
    advance();
    return !failure;
  }
  std::string_view element = name.ends_with("Tensor") ? name.substr(0, name.size() - 6) : name;
  if (name != "Tensor" && !isElementType(element))
    return parseGeneric(type, name);
  type.kind = Type::Kind::Tensor;
  type.name = element;
  if (!accept("("))
    return true;
  if (isAliasAnnotation())
    return parseAliasAnnotation();
  if (!parseTensorDetails(type))
    return false;
  // "FloatTensor(device=cpu)" has no sizes.
  type.ranked &= element.size() == name.size() || !type.sizes.empty();
  return true;
}

const Type *GraphParser::parseSuffixes(const Type *type) {
  while (!failure && (token.is("[") || token.is("?") || token.is("(") || token.is("!"))) {
    if (accept("!"))
      continue;
    if (accept("(")) {
      parseAliasAnnotation();
      continue;
    }
    auto *outer = arena.create<Type>();
    outer->begin = type->begin;
    if (accept("?")) {
      outer->kind = Type::Kind::Optional;
    } else {
      advance();
      // int[2]; Tensor[Undefined]
      bool sized = token.kind == TokenKind::Number;
      bool undefined = token.is("Undefined");
      if (sized || undefined)
        advance();
      if (!expect("]"))
        return nullptr;
      if (undefined)
        continue;
      outer->kind = Type::Kind::List;
    }
    outer->text = textFrom(type->begin);
    outer->parts = arena.copy(std::vector<const Type *>{type});
    outer->height = type->height + 1;
    if (outer->height > limits.maxDepth)
      return fail(type->begin, "type is nested deeper than " + std::to_string(limits.maxDepth),
                  ErrorCode::LimitExceeded);
    type = outer;
  }
  return failure ? nullptr : type;
}

const Type *GraphParser::parseType() {
  Level level(*this);
  if (tooDeep())
    return nullptr;
  auto *type = arena.create<Type>();
  type->begin = token.begin;
  if (accept("(")) {
    type->kind = Type::Kind::Tuple;
    if (!parseParts(*type, ")"))
      return nullptr;
  } else if (token.kind != TokenKind::Name) {
    return failExpected("a type");
  } else if (!parseTypeName(*type)) {
    return nullptr;
  }
  type->text = textFrom(type->begin);
  return parseSuffixes(type);
}

} // namespace jit::graphtext
