//===- GraphAttributes.cpp - constants of a printed graph -----------------===//

#include "GraphParser.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace jit::graphtext {

using Kind = Attribute::Kind;

/// The whole text as a number.
template <typename T> static std::optional<T> numberOf(std::string_view text) {
  T number = 0;
  if (text.starts_with('+'))
    text.remove_prefix(1);
  if (text.empty())
    return std::nullopt;
  const char *begin = &text.front(), *end = begin + text.size();
  auto [stop, error] = std::from_chars(begin, end, number);
  bool outside = error == std::errc::result_out_of_range && std::is_floating_point_v<T>;
  if ((error != std::errc() && !outside) || stop != end)
    return std::nullopt;
  return number;
}

static bool isInteger(std::string_view text) {
  return text.find_first_not_of("0123456789", text.starts_with('-') ? 1 : 0) ==
         std::string_view::npos;
}

/// False where it is none.
static bool readNumber(std::string_view text, Attribute &attribute) {
  if (isInteger(text)) {
    std::optional<int64_t> integer = numberOf<int64_t>(text);
    attribute.kind = Kind::Int;
    attribute.integer = integer.value_or(0);
    attribute.number = static_cast<double>(attribute.integer);
    return integer.has_value();
  }
  std::optional<double> number = numberOf<double>(text);
  attribute.kind = Kind::Float;
  attribute.number = number.value_or(0);
  return number.has_value();
}

/// "0.5-2.j", or "2.j" without a real part. False where it is none.
static bool readComplex(std::string_view text, Attribute &attribute) {
  text.remove_suffix(1);
  size_t sign = text.find_last_of("+-");
  while (sign != std::string_view::npos && sign > 0 && (text[sign - 1] | 0x20) == 'e')
    sign = text.find_last_of("+-", sign - 1);
  bool hasReal = sign != std::string_view::npos && sign > 0;
  std::optional<double> first = hasReal ? numberOf<double>(text.substr(0, sign)) : 0.0;
  std::optional<double> second = numberOf<double>(hasReal ? text.substr(sign) : text);
  attribute.kind = Kind::Complex;
  attribute.number = first.value_or(0);
  attribute.imaginary = second.value_or(0);
  return first && second;
}

bool GraphParser::parseNumber(Attribute &attribute) {
  bool isRead = token.text.ends_with('j') ? readComplex(token.text, attribute)
                                          : readNumber(token.text, attribute);
  if (!isRead)
    return failExpected("a number that fits 64 bits");
  advance();
  return !failure;
}

bool GraphParser::parseString(Attribute &attribute) {
  std::string_view body = token.text.substr(1, token.text.size() - 2);
  std::string text;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 == body.size()) {
      text += body[i];
      continue;
    }
    static constexpr std::string_view letters = "abfnrtv", meanings = "\a\b\f\n\r\t\v";
    char c = body[++i];
    if (size_t known = letters.find(c); known != std::string_view::npos) {
      text += meanings[known];
    } else if (c >= '0' && c <= '7' && i + 2 < body.size()) {
      // Bytes that do not print: three octal digits.
      unsigned value = 0;
      auto digits = body.substr(i, 3);
      auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 8);
      if (error != std::errc() || stop != digits.data() + digits.size() || value > UINT8_MAX)
        return fail(token.begin, "expected three octal digits after a backslash");
      text += static_cast<char>(value);
      i += 2;
    } else {
      text += c;
    }
  }
  attribute.kind = Kind::String;
  attribute.text = arena.copy(text);
  advance();
  return !failure;
}

bool GraphParser::acceptPrinted(Attribute &attribute) {
  attribute.begin = token.begin;
  std::optional<PrintedTensor> printed = lexer.printedTensor();
  if (!printed)
    return false;
  if (parsePrinted(attribute, *printed))
    advance();
  return true;
}

bool GraphParser::parseValue(Attribute &attribute) {
  if (acceptPrinted(attribute))
    return !failure;
  advance();
  return parseConstant(attribute);
}

bool GraphParser::setElements(Attribute &attribute, const std::vector<Attribute> &elements) {
  for (const Attribute &element : elements)
    attribute.height = std::max<uint16_t>(attribute.height, element.height + 1);
  attribute.elements = arena.copy(elements);
  return !failure;
}

/// At the bracket that opens them; `(1,)` is a tuple too.
bool GraphParser::parseElements(Attribute &attribute, std::string_view close) {
  std::vector<Attribute> elements;
  do {
    Attribute element;
    if (!acceptPrinted(element)) {
      advance();
      if (token.is(close))
        break;
      if (!parseConstant(element))
        return false;
    }
    elements.push_back(element);
  } while (token.is(","));
  if (!accept(close))
    return failExpected("',' or '" + std::string(close) + "' after a constant");
  return setElements(attribute, elements);
}

/// What is printed as `(1,2)` between braces: a complex number.
static void readPair(Attribute &attribute) {
  if (attribute.kind != Kind::Tuple || attribute.elements.size() != 2)
    return;
  std::span<const Attribute> parts = attribute.elements;
  attribute.kind = Kind::Complex;
  attribute.number = parts[0].number;
  attribute.imaginary = parts[1].number;
}

/// At the brace: `{3}` is a tensor of one element, `{"a": 3}` a dict.
bool GraphParser::parseBraces(Attribute &attribute) {
  std::vector<Attribute> elements;
  do {
    advance();
    if (token.is("}"))
      break;
    if (!parseConstant(elements.emplace_back()))
      return false;
    if (elements.size() == 1 && token.is("}"))
      break;
    if (!token.is(":"))
      return failExpected("':' after a key, or one element of a tensor");
    if (!parseValue(elements.emplace_back()))
      return false;
  } while (token.is(","));
  attribute.kind = elements.size() == 1 ? Kind::Tensor : Kind::Dict;
  if (elements.size() == 1)
    readPair(elements.front());
  return expect("}") && setElements(attribute, elements);
}

/// `<Tensor>`, and `object(0x7f0000000000)`: what it is, not what it holds.
bool GraphParser::parseAbsent(Attribute &attribute) {
  if (accept("<")) {
    attribute.text = token.text;
    advance();
    return expect(">");
  }
  attribute.text = token.text;
  advance();
  if (!token.is("(") || !lexer.restOfParentheses(/*areBeforeOperands=*/false))
    return failExpected("an address in parentheses");
  advance();
  return !failure;
}

/// annotate(List[int], []), None, a type or an Enum's member.
bool GraphParser::parseWord(Attribute &attribute) {
  if (accept("annotate")) {
    if (!expect("("))
      return false;
    const Type *type = parseType();
    if (!type)
      return false;
    if (!token.is(","))
      return failExpected("','");
    if (!parseValue(attribute))
      return false;
    attribute.type = type;
    return expect(")");
  }
  attribute.text = token.text;
  if (token.is("inf") || token.is("nan")) {
    attribute.kind = Kind::Float;
    attribute.number = token.is("inf") ? std::numeric_limits<double>::infinity()
                                       : std::numeric_limits<double>::quiet_NaN();
    advance();
    return !failure;
  }
  bool word = token.is("None") || token.is("True") || token.is("False");
  attribute.kind = word ? Kind::Word : Kind::Type;
  if (word) {
    advance();
    return !failure;
  }
  attribute.type = parseType();
  return attribute.type != nullptr;
}

/// ` 1  2 [ CPULongType{2} ]`: blanks between the elements, and marks of rows and slices.
bool GraphParser::parsePrinted(Attribute &attribute, const PrintedTensor &printed) {
  std::string_view type = printed.type.substr(0, printed.type.size() - 4);
  for (std::string_view device : {"CPU", "CUDA"})
    if (type.starts_with(device))
      type.remove_prefix(device.size());
  std::vector<Attribute> elements;
  std::vector<int64_t> sizes;
  double factor = 1;
  std::string_view rest = printed.elements;
  for (size_t begin; (begin = rest.find_first_not_of(" \n\r")) != std::string_view::npos;) {
    rest.remove_prefix(begin);
    std::string_view word = rest.substr(0, rest.find_first_of(" \n\r"));
    rest.remove_prefix(word.size());
    if (word == "*" && elements.size() == 1) {
      factor = elements.front().number;
      elements.clear();
    } else if (word == "Columns") {
      // "1 to 8" or "9 and 10".
      rest.remove_prefix(std::min(rest.find_first_not_of(" 0123456789toand"), rest.size()));
    } else if (!word.starts_with("(") && word != "=" &&
               !readNumber(word, elements.emplace_back())) {
      return fail(attribute.begin, "expected the elements of a tensor");
    }
  }
  for (std::string_view sizeText = printed.sizes; !sizeText.empty();) {
    std::string_view word = sizeText.substr(0, sizeText.find(','));
    sizeText.remove_prefix(std::min(word.size() + 1, sizeText.size()));
    std::optional<int64_t> size = numberOf<int64_t>(word);
    if (!size || *size < 0)
      return fail(attribute.begin, "expected the sizes of a tensor");
    if (sizes.size() == limits.maxTensorRank)
      return fail(attribute.begin,
                  "expected at most " + std::to_string(limits.maxTensorRank) + " sizes",
                  ErrorCode::LimitExceeded);
    sizes.push_back(*size);
  }
  attribute.kind = Kind::Tensor;
  attribute.text = type;
  attribute.rounded = printed.isQuantized || factor != 1 ||
                      std::any_of(elements.begin(), elements.end(), [](auto &e) {
                        return e.kind == Kind::Float && e.number - e.number == 0;
                      });
  attribute.elements = arena.copy(elements);
  attribute.sizes = arena.copy(sizes);
  return !failure;
}

bool GraphParser::parseConstant(Attribute &attribute) {
  Level level(*this);
  attribute.begin = token.begin;
  if (tooDeep())
    return false;
  if (token.kind == TokenKind::Number)
    return parseNumber(attribute);
  if (token.kind == TokenKind::String)
    return parseString(attribute);
  if (token.is("object"))
    return parseAbsent(attribute);
  if (token.kind == TokenKind::Name)
    return parseWord(attribute);
  if (token.is("[")) {
    attribute.kind = Kind::List;
    return parseElements(attribute, "]");
  }
  if (token.is("(")) {
    attribute.kind = Kind::Tuple;
    return parseElements(attribute, ")");
  }
  if (token.is("{"))
    return parseBraces(attribute);
  return token.is("<") ? parseAbsent(attribute) : failExpected("a constant");
}

bool GraphParser::parseAttributes(Node &node) {
  std::vector<Attribute> attributes;
  advance();
  Position begin = token.begin;
  while (!token.is("]")) {
    Attribute &attribute = attributes.emplace_back();
    attribute.name = token.text;
    if (token.kind != TokenKind::Name)
      return failExpected("an attribute");
    advance();
    if (!token.is("="))
      return failExpected("'='");
    if (!parseValue(attribute))
      return false;
    if (!accept(",") && !token.is("]"))
      return failExpected("',' or ']' after an attribute");
  }
  node.attributesText = graph.source.text().substr(begin.offset, token.begin.offset - begin.offset);
  advance();
  node.attributes = arena.copy(attributes);
  return !failure;
}

} // namespace jit::graphtext
