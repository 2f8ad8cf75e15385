//===- Strings.cpp - builders for the rules of Container.td: strings ------===//

#include "Rules/Container.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace jit {

/// What is filled up beyond this is no text.
static constexpr int64_t maxPadding = 100'000;

Decomposition slicedText(Str text, OptInt start, OptInt end, Int step) {
  auto places = text.known() ? slicedPlaces(text.known()->size(), start, end, step) : std::nullopt;
  if (!places)
    return text.b->notYet("the values of the string and of start, end and step");
  std::string part;
  for (int64_t at : *places)
    part += (*text.known())[at];
  return text.b->str(part);
}

Decomposition lengthOf(Str text) {
  if (!text.known())
    return text.b->notYet("the value of text");
  return text.b->i(text.known()->size());
}

Decomposition characterAt(Str text, Int index) {
  auto at = text.known() ? wrapped(index.known(), text.known()->size()) : std::nullopt;
  if (!at)
    return text.b->notYet("the value of the string and an index within it");
  return text.b->str(text.known()->substr(*at, 1));
}

Decomposition charactersOf(Str text) {
  if (!text.known())
    return text.b->notYet("the value of the string");
  GraphBuilder &build = *text.b;
  SmallVector<Value> characters;
  for (size_t i = 0; i < text.known()->size(); ++i)
    characters.push_back(build.str(text.known()->substr(i, 1)).v);
  auto type = ListType::get(StrType::get(build.builder.getContext()));
  return Any(build, ListOp::create(build.builder, build.loc, type, characters));
}

Decomposition concatenated(Str a, Str c) {
  if (!a.known() || !c.known())
    return a.b->notYet("the values of a and c");
  return a.b->str((*a.known() + *c.known()).str());
}

Decomposition stringsEqual(Str a, Str c, bool negated) {
  if (!a.known() || !c.known())
    return a.b->notYet("the values of a and c");
  return a.b->flag((*a.known() == *c.known()) != negated);
}

/// A text made of a known one.
static Decomposition mapped(Str text, function_ref<std::string(StringRef)> map) {
  return text.known() ? Decomposition(text.b->str(map(*text.known())))
                      : text.b->notYet("the value of the string");
}

Decomposition upperCase(Str text) {
  return mapped(text, [](StringRef known) { return known.upper(); });
}

Decomposition lowerCase(Str text) {
  return mapped(text, [](StringRef known) { return known.lower(); });
}

/// Each letter as `isUpper` says of it and of the character before it, 0 for none.
static std::string inCase(StringRef text, function_ref<bool(char c, char before)> isUpper) {
  std::string result;
  char before = 0;
  for (char c : text) {
    result += isUpper(c, before) ? llvm::toUpper(c) : llvm::toLower(c);
    before = c;
  }
  return result;
}

Decomposition titleCase(Str text) {
  auto isUpper = [](char, char before) { return !llvm::isAlpha(before); };
  return mapped(text, [&](StringRef known) { return inCase(known, isUpper); });
}

Decomposition swappedCase(Str text) {
  auto isUpper = [](char c, char) { return llvm::isLower(c); };
  return mapped(text, [&](StringRef known) { return inCase(known, isUpper); });
}

Decomposition capitalized(Str text) {
  auto isUpper = [](char, char before) { return before == 0; };
  return mapped(text, [&](StringRef known) { return inCase(known, isUpper); });
}

Decomposition characterOf(Int code) {
  if (!code.known() || *code.known() < 0 || *code.known() > 127)
    return code.b->notYet("a code from 0 to 127");
  return code.b->str(std::string(1, char(*code.known())));
}

Decomposition codeOf(Str character) {
  if (!character.known() || character.known()->size() != 1)
    return character.b->notYet("one character");
  return character.b->i(uint8_t(character.known()->front()));
}

Decomposition justified(Str text, Int width, Str fill, TextSide side) {
  if (!text.known() || !width.known() || !fill.known() || fill.known()->size() != 1 ||
      *width.known() > maxPadding)
    return text.b->notYet(
        "the values of the string, a width of at most 100000 and one character to fill with");
  int64_t missing = std::max<int64_t>(0, *width.known() - int64_t(text.known()->size()));
  // Of an odd number CPython puts one more to the left of a text of odd width.
  int64_t left = side == TextSide::Left    ? 0
                 : side == TextSide::Right ? missing
                                           : missing / 2 + (missing & *width.known() & 1);
  char c = fill.known()->front();
  return text.b->str(std::string(left, c) + text.known()->str() + std::string(missing - left, c));
}

Decomposition withZeros(Str text, Int width) {
  return justified(text, width, text.b->str("0"), TextSide::Right);
}

Decomposition withoutTabs(Str text, Int tabSize) {
  if (!text.known() || !tabSize.known() || *tabSize.known() < 0 || *tabSize.known() > maxPadding)
    return text.b->notYet("the values of the string and a tab size from 0 to 100000");
  std::string result;
  size_t size = *tabSize.known();
  StringRef known = *text.known();
  for (char c : known)
    if (c == '\t')
      result.append(size ? size - result.size() % size : 0, ' ');
    else
      result += c;
  return text.b->str(result);
}

Decomposition partition(Str text, Str separator, bool fromEnd) {
  if (!text.known() || !separator.known() || separator.known()->empty())
    return text.b->notYet("the values of the string and of a separator that is not empty");
  GraphBuilder &build = *text.b;
  StringRef known = *text.known(), by = *separator.known();
  size_t at = fromEnd ? known.rfind(by) : known.find(by);
  if (at == StringRef::npos)
    return fromEnd ? Decomposition{build.str(""), build.str(""), build.str(known)}
                   : Decomposition{build.str(known), build.str(""), build.str("")};
  return {build.str(known.take_front(at)), build.str(by),
          build.str(known.drop_front(at + by.size()))};
}

static Decomposition listOfTexts(GraphBuilder &build, ArrayRef<StringRef> parts) {
  auto values = llvm::map_to_vector(parts, [&](StringRef part) { return build.str(part).v; });
  Type type = ListType::get(StrType::get(build.builder.getContext()));
  return Any(build, ListOp::create(build.builder, build.loc, type, values));
}

Decomposition splitFromEnd(Str text, Str separator, Int most) {
  if (!text.known() || !separator.known() || separator.known()->empty() || !most.known())
    return text.b->notYet(
        "the values of the string, of a separator that is not empty and of maxsplit");
  SmallVector<StringRef> parts;
  StringRef rest = *text.known(), by = *separator.known();
  for (int64_t left = *most.known(); left != 0; --left) {
    size_t at = rest.rfind(by);
    if (at == StringRef::npos)
      break;
    parts.push_back(rest.drop_front(at + by.size()));
    rest = rest.take_front(at);
  }
  parts.push_back(rest);
  std::reverse(parts.begin(), parts.end());
  return listOfTexts(*text.b, parts);
}

Decomposition linesOf(Str text, Bool keepEnds) {
  if (!text.known() || !keepEnds.known())
    return text.b->notYet("the values of text and keepends");
  SmallVector<StringRef> lines;
  for (StringRef rest = *text.known(); !rest.empty();) {
    size_t end = std::min(rest.find_first_of("\n\r\v\f\x1c\x1d\x1e"), rest.size());
    lines.push_back(rest.take_front(end));
    if (*keepEnds.known() && end < rest.size())
      lines.push_back(rest.substr(end, 1));
    rest = rest.drop_front(std::min(end + 1, rest.size()));
  }
  return listOfTexts(*text.b, lines);
}

Decomposition stripped(Str text, Str characters) {
  if (!text.known() || !characters.known())
    return text.b->notYet("the values of text and characters");
  return text.b->str(text.known()->trim(*characters.known()));
}

Decomposition strippedLeft(Str text, Str characters) {
  if (!text.known() || !characters.known())
    return text.b->notYet("the values of text and characters");
  return text.b->str(text.known()->ltrim(*characters.known()));
}

Decomposition strippedRight(Str text, Str characters) {
  if (!text.known() || !characters.known())
    return text.b->notYet("the values of text and characters");
  return text.b->str(text.known()->rtrim(*characters.known()));
}

static bool isWhole(Str text, Str part, Int start, Int end) {
  return text.known() && part.known() && start.known() == 0 && end.known() &&
         (*end.known() == -1 || *end.known() >= int64_t(text.known()->size()));
}

Decomposition startsWith(Str text, Str part, Int start, Int end) {
  if (!isWhole(text, part, start, end))
    return text.b->notYet("the values of both strings, and no start or end");
  return text.b->flag(text.known()->starts_with(*part.known()));
}

Decomposition endsWith(Str text, Str part, Int start, Int end) {
  if (!isWhole(text, part, start, end))
    return text.b->notYet("the values of both strings, and no start or end");
  return text.b->flag(text.known()->ends_with(*part.known()));
}

Decomposition firstPlace(Str text, Str part, Int start, Int end) {
  if (!isWhole(text, part, start, end))
    return text.b->notYet("the values of both strings, and no start or end");
  size_t at = text.known()->find(*part.known());
  return text.b->i(at == StringRef::npos ? -1 : int64_t(at));
}

Decomposition lastPlace(Str text, Str part, Int start, Int end) {
  if (!isWhole(text, part, start, end))
    return text.b->notYet("the values of both strings, and no start or end");
  size_t at = text.known()->rfind(*part.known());
  return text.b->i(at == StringRef::npos ? -1 : int64_t(at));
}

/// Not yet where there is none: the program raises there.
static Decomposition ifFound(GraphBuilder &build, Decomposition place) {
  bool isFound = succeeded(place.values) && IntInfo(place.values->front()).known != -1;
  return isFound ? place : build.notYet("a string in which the part is found");
}

Decomposition firstPlaceFound(Str text, Str part, Int start, Int end) {
  return ifFound(*text.b, firstPlace(text, part, start, end));
}

Decomposition lastPlaceFound(Str text, Str part, Int start, Int end) {
  return ifFound(*text.b, lastPlace(text, part, start, end));
}

Decomposition timesIn(Str text, Str part, Int start, Int end) {
  if (!isWhole(text, part, start, end) || part.known()->empty())
    return text.b->notYet("the values of both strings, the part not empty, and no start or end");
  return text.b->i(text.known()->count(*part.known()));
}

Decomposition replaced(Str text, Str old, Str with, Int most) {
  if (!text.known() || !old.known() || !with.known() || most.known() != -1 || old.known()->empty())
    return text.b->notYet(
        "the values of all three strings, the first replaced not empty, and no count");
  SmallVector<StringRef> parts;
  text.known()->split(parts, *old.known());
  return text.b->str(llvm::join(parts, *with.known()));
}

Decomposition isOfKind(Str text, StringRef test) {
  if (!text.known())
    return text.b->notYet("the value of text");
  StringRef known = *text.known();
  bool hasUpper = llvm::any_of(known, llvm::isUpper), hasLower = llvm::any_of(known, llvm::isLower);
  if (test == "isupper" || test == "islower")
    return text.b->flag(test == "isupper" ? hasUpper && !hasLower : hasLower && !hasUpper);
  if (test == "istitle") {
    auto isUpper = [](char, char before) { return !llvm::isAlpha(before); };
    return text.b->flag((hasUpper || hasLower) && inCase(known, isUpper) == known);
  }
  if (test == "isidentifier" && !known.empty() && llvm::isDigit(known.front()))
    return text.b->flag(false);
  auto holds = [&](char c) {
    return test == "isalpha"        ? llvm::isAlpha(c)
           : test == "isalnum"      ? llvm::isAlnum(c)
           : test == "isspace"      ? llvm::isSpace(c)
           : test == "isprintable"  ? llvm::isPrint(c)
           : test == "isidentifier" ? llvm::isAlnum(c)
                                    : llvm::isDigit(c);
  };
  if (test == "isprintable" && known.empty())
    return text.b->flag(true);
  return text.b->flag(!known.empty() && llvm::all_of(known, holds));
}

Decomposition intIn(Str text) {
  int64_t number;
  if (!text.known() || text.known()->getAsInteger(10, number))
    return text.b->notYet("a string that is an int of 64 bits");
  return text.b->i(number);
}

Decomposition floatIn(Str text) {
  double number;
  if (!text.known() || text.known()->getAsDouble(number))
    return text.b->notYet("a string that is a float");
  return text.b->f(number);
}

Decomposition joined(Str separator, AnyList texts) {
  auto elements = texts.elements();
  if (!elements || !separator.known())
    return texts.b->notYet("the value of the separator and the elements of the list");
  SmallVector<StringRef> parts;
  for (Value element : *elements) {
    if (!StrInfo(element).known)
      return texts.b->notYet("the value of each string");
    parts.push_back(*StrInfo(element).known);
  }
  return texts.b->str(llvm::join(parts, *separator.known()));
}

Decomposition split(Str text, Str separator, Int most) {
  GraphBuilder &build = *text.b;
  bool atSpaces = separator.isNone();
  if (!text.known() || (!atSpaces && !separator.known()) || !most.known())
    return build.notYet("the values of the string, the separator and maxsplit");
  if (!atSpaces && separator.known()->empty())
    return build.notYet("a separator that is not empty");
  SmallVector<StringRef> parts;
  if (atSpaces) // PyTorch counts nothing here
    llvm::SplitString(*text.known(), parts, " \t\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029");
  else
    text.known()->split(parts, *separator.known(),
                        int(std::clamp<int64_t>(*most.known(), -1, 1 << 30)));
  return listOfTexts(build, parts);
}

Decomposition textOf(Any value) {
  GraphBuilder &build = *value.b;
  Value whole = unwrap(build.str("{}"));
  return Any(build, FormatOp::create(build.builder, build.loc, whole.getType(), whole, value.v));
}

Decomposition digitsOf(Int number, unsigned base) {
  if (!number.known())
    return number.b->notYet("the value of number");
  APInt size(64, uint64_t(*number.known()));
  std::string sign = *number.known() < 0 ? "-" : "";
  StringRef prefix = base == 2 ? "0b" : base == 8 ? "0o" : "0x";
  return number.b->str(sign + prefix.str() +
                       llvm::toString(size.abs(), base, /*Signed=*/false,
                                      /*formatAsCLiteral=*/false, /*UpperCase=*/false));
}

Decomposition deviceType(Any device) {
  Attribute name;
  if (!matchPattern(device.v, m_Constant(&name)) || !isa<StringAttr>(name))
    return device.b->notYet("the value of the device");
  return device.b->str(cast<StringAttr>(name).getValue().split(':').first);
}

Decomposition sameDevice(Any a, Any c, bool negated) {
  Attribute first, second;
  if (!matchPattern(a.v, m_Constant(&first)) || !matchPattern(c.v, m_Constant(&second)))
    return a.b->notYet("the values of both devices");
  return a.b->flag((first == second) != negated);
}

} // namespace jit
