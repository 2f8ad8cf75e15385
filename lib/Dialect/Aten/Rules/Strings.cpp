//===- Strings.cpp - words for the rules of Container.td: strings ---------===//

#include "Rules/Container.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace jit {

Decomposition slicedText(Str text, OptInt start, OptInt end, Int step) {
  auto places = text.known() ? slicedPlaces(text.known()->size(), start, end, step) : std::nullopt;
  if (!places)
    return text.b->notYet();
  std::string part;
  for (int64_t at : *places)
    part += (*text.known())[at];
  return text.b->str(part);
}

Decomposition lengthOf(Str text) {
  if (!text.known())
    return text.b->notYet();
  return text.b->i(text.known()->size());
}

Decomposition characterAt(Str text, Int index) {
  auto at = text.known() ? wrapped(index.known(), text.known()->size()) : std::nullopt;
  if (!at)
    return text.b->notYet();
  return text.b->str(text.known()->substr(*at, 1));
}

Decomposition concatenated(Str a, Str c) {
  if (!a.known() || !c.known())
    return a.b->notYet();
  return a.b->str((*a.known() + *c.known()).str());
}

Decomposition stringsEqual(Str a, Str c, bool negated) {
  if (!a.known() || !c.known())
    return a.b->notYet();
  return a.b->flag((*a.known() == *c.known()) != negated);
}

Decomposition upperCase(Str text) {
  if (!text.known())
    return text.b->notYet();
  return text.b->str(text.known()->upper());
}

Decomposition lowerCase(Str text) {
  if (!text.known())
    return text.b->notYet();
  return text.b->str(text.known()->lower());
}

Decomposition stripped(Str text, Str characters) {
  if (!text.known() || !characters.known())
    return text.b->notYet();
  return text.b->str(text.known()->trim(*characters.known()));
}

Decomposition strippedLeft(Str text, Str characters) {
  if (!text.known() || !characters.known())
    return text.b->notYet();
  return text.b->str(text.known()->ltrim(*characters.known()));
}

Decomposition strippedRight(Str text, Str characters) {
  if (!text.known() || !characters.known())
    return text.b->notYet();
  return text.b->str(text.known()->rtrim(*characters.known()));
}

static bool isWhole(Str text, Str part, Int start, Int end) {
  return text.known() && part.known() && start.known() == 0 && end.known() &&
         (*end.known() == -1 || *end.known() >= int64_t(text.known()->size()));
}

Decomposition startsWith(Str text, Str part, Int start, Int end) {
  if (!isWhole(text, part, start, end))
    return text.b->notYet();
  return text.b->flag(text.known()->starts_with(*part.known()));
}

Decomposition endsWith(Str text, Str part, Int start, Int end) {
  if (!isWhole(text, part, start, end))
    return text.b->notYet();
  return text.b->flag(text.known()->ends_with(*part.known()));
}

Decomposition firstPlace(Str text, Str part, Int start, Int end) {
  if (!isWhole(text, part, start, end))
    return text.b->notYet();
  size_t at = text.known()->find(*part.known());
  return text.b->i(at == StringRef::npos ? -1 : int64_t(at));
}

Decomposition lastPlace(Str text, Str part, Int start, Int end) {
  if (!isWhole(text, part, start, end))
    return text.b->notYet();
  size_t at = text.known()->rfind(*part.known());
  return text.b->i(at == StringRef::npos ? -1 : int64_t(at));
}

Decomposition timesIn(Str text, Str part, Int start, Int end) {
  if (!isWhole(text, part, start, end) || part.known()->empty())
    return text.b->notYet();
  return text.b->i(text.known()->count(*part.known()));
}

Decomposition replaced(Str text, Str old, Str with, Int most) {
  if (!text.known() || !old.known() || !with.known() || most.known() != -1 || old.known()->empty())
    return text.b->notYet();
  SmallVector<StringRef> parts;
  text.known()->split(parts, *old.known());
  return text.b->str(llvm::join(parts, *with.known()));
}

Decomposition isOfKind(Str text, StringRef test) {
  if (!text.known())
    return text.b->notYet();
  StringRef known = *text.known();
  bool hasUpper = llvm::any_of(known, llvm::isUpper), hasLower = llvm::any_of(known, llvm::isLower);
  if (test == "isupper" || test == "islower")
    return text.b->flag(test == "isupper" ? hasUpper && !hasLower : hasLower && !hasUpper);
  auto holds = [&](char c) {
    return test == "isdigit"   ? llvm::isDigit(c)
           : test == "isalpha" ? llvm::isAlpha(c)
           : test == "isalnum" ? llvm::isAlnum(c)
                               : llvm::isSpace(c);
  };
  return text.b->flag(!known.empty() && llvm::all_of(known, holds));
}

Decomposition intIn(Str text) {
  int64_t number;
  if (!text.known() || text.known()->getAsInteger(10, number))
    return text.b->notYet();
  return text.b->i(number);
}

Decomposition floatIn(Str text) {
  double number;
  if (!text.known() || text.known()->getAsDouble(number))
    return text.b->notYet();
  return text.b->f(number);
}

Decomposition joined(Str separator, AnyList texts) {
  auto elements = texts.elements();
  if (!elements || !separator.known())
    return texts.b->notYet();
  SmallVector<StringRef> parts;
  for (Value element : *elements) {
    if (!StrInfo(element).known)
      return texts.b->notYet();
    parts.push_back(*StrInfo(element).known);
  }
  return texts.b->str(llvm::join(parts, *separator.known()));
}

Decomposition split(Str text, Str separator, Int most) {
  GraphBuilder &build = *text.b;
  bool atSpaces = separator.isNone();
  if (!text.known() || (!atSpaces && !separator.known()) || most.known() != -1)
    return build.notYet();
  SmallVector<StringRef> parts;
  if (atSpaces)
    llvm::SplitString(*text.known(), parts, " \t\n\v\f\r");
  else
    text.known()->split(parts, *separator.known());
  auto values = llvm::map_to_vector(parts, [&](StringRef part) { return build.str(part).v; });
  return Any(build,
             ListOp::create(build.builder, build.loc,
                            ListType::get(StrType::get(build.builder.getContext())), values));
}

Decomposition textOf(Any value) {
  if (StrInfo text(value.v); text.known)
    return value.b->str(*text.known);
  IntInfo number(value.v);
  if (value.v.getType().isInteger(1) && BoolInfo(value.v).known)
    return value.b->str(*BoolInfo(value.v).known ? "True" : "False");
  if (value.v.getType().isInteger(64) && number.known)
    return value.b->str(std::to_string(*number.known));
  return value.b->notYet();
}

Decomposition digitsOf(Int number, unsigned base) {
  if (!number.known())
    return number.b->notYet();
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
    return device.b->notYet();
  return device.b->str(cast<StringAttr>(name).getValue().split(':').first);
}

Decomposition sameDevice(Any a, Any c, bool negated) {
  Attribute first, second;
  if (!matchPattern(a.v, m_Constant(&first)) || !matchPattern(c.v, m_Constant(&second)))
    return a.b->notYet();
  return a.b->flag((first == second) != negated);
}

} // namespace jit
