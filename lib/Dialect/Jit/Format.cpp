//===- Format.cpp - str.format over constants -----------------------------===//

#include "jit/Dialect/Jit/Format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdio>
#include <limits>

using namespace mlir;

namespace jit {

/// A float as TorchScript prints it: 17 digits, and a point after what looks like an int.
static std::string formatFloat(double value) {
  if (value == 0)
    return "0.";
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  std::string text = digits;
  // 1e16 is the last power of ten that is written out.
  if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos)
    text += '.';
  return text;
}

static bool appendConstant(std::string &text, Value value);

/// The elements of a container with commas between, keys of a dict before them.
static bool appendElements(std::string &text, ValueRange elements, ValueRange keys = {}) {
  for (auto [i, element] : llvm::enumerate(elements)) {
    text += i ? ", " : "";
    if (!keys.empty() && !appendConstant(text, keys[i]))
      return false;
    text += keys.empty() ? "" : ": ";
    if (!appendConstant(text, element))
      return false;
  }
  return true;
}

static bool appendContainer(std::string &text, Operation *op) {
  if (auto dict = dyn_cast_or_null<DictOp>(op)) {
    text += "{";
    bool isKnown = appendElements(text, dict.getValues(), dict.getKeys());
    text += "}";
    return isKnown;
  }
  bool isList = isa_and_nonnull<ListOp>(op);
  if (!isList && !isa_and_nonnull<TupleOp>(op))
    return false;
  text += isList ? "[" : "(";
  bool isKnown = appendElements(text, op->getOperands());
  text += isList ? "]" : op->getNumOperands() == 1 ? ",)" : ")";
  return isKnown;
}

/// A complex number is written as two floats; of the second the sign comes first, and a minus where
/// there is none.
static bool appendComplex(std::string &text, ComplexOp number) {
  APFloat re(0.0), im(0.0);
  if (!matchPattern(number.getRe(), m_ConstantFloat(&re)) ||
      !matchPattern(number.getIm(), m_ConstantFloat(&im)))
    return false;
  double imaginary = im.convertToDouble();
  text += formatFloat(re.convertToDouble()) + (imaginary >= 0 ? "+" : "-") +
          formatFloat(std::fabs(imaginary)) + "j";
  return true;
}

static Value withoutCasts(Value value) {
  while (isa_and_nonnull<DerefineOp, UncheckedCastOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Appends a constant as TorchScript prints it; false where the value is none.
static bool appendConstant(std::string &text, Value value) {
  value = withoutCasts(value);
  APInt integer;
  APFloat number(0.0);
  if (auto constant = value.getDefiningOp<ConstantOp>()) {
    auto string = dyn_cast<StringAttr>(constant.getValue());
    text += string ? string.getValue().str() : "None";
    return true;
  }
  if (matchPattern(value, m_ConstantInt(&integer))) {
    text += value.getType().isInteger(1) ? (integer.isZero() ? "False" : "True")
                                         : std::to_string(integer.getSExtValue());
    return true;
  }
  if (matchPattern(value, m_ConstantFloat(&number))) {
    text += formatFloat(number.convertToDouble());
    return true;
  }
  if (auto complex = value.getDefiningOp<ComplexOp>())
    return appendComplex(text, complex);
  return appendContainer(text, value.getDefiningOp());
}

/// `%d` of a float: what a processor makes of one that no int of 32 bits is near to.
static int32_t truncated(double value) {
  bool fits = value > -2147483649.0 && value < 2147483648.0;
  return fits ? int32_t(value) : std::numeric_limits<int32_t>::min();
}

/// Appends what `%` and this letter make of a constant; false where the value is none, or none
/// that PyTorch takes.
static bool appendConversion(std::string &text, char letter, Value value) {
  value = withoutCasts(value);
  APInt integer;
  APFloat number(0.0);
  bool isInt = value.getType().isInteger(64) && matchPattern(value, m_ConstantInt(&integer));
  bool isFloat = matchPattern(value, m_ConstantFloat(&number));
  auto constant = value.getDefiningOp<ConstantOp>();
  auto string = constant ? dyn_cast<StringAttr>(constant.getValue()) : StringAttr();
  char digits[400];
  switch (letter) {
  case 's':
    return appendConstant(text, value);
  case 'c':
    text += isInt ? std::string(1, char(integer.getSExtValue())) : string ? string.str() : "";
    return isInt || (string && string.size() == 1);
  case 'd':
  case 'i':
    text += std::to_string(isInt ? integer.getSExtValue() : truncated(number.convertToDouble()));
    return isInt || isFloat;
  default:
    // PyTorch makes a float of 32 bits of it first.
    const char pattern[] = {'%', letter, 0};
    float narrow = isInt ? float(integer.getSExtValue()) : float(number.convertToDouble());
    std::snprintf(digits, sizeof digits, pattern, double(narrow));
    text += digits;
    return isInt || isFloat;
  }
}

/// The next place of a template that an argument goes to, or npos; `%%` is behind it then.
static size_t nextPlace(StringRef &rest, bool isOfPercent, std::string &before) {
  if (!isOfPercent) {
    size_t at = rest.find("{}");
    before += rest.take_front(at);
    return at;
  }
  for (;;) {
    size_t at = rest.find('%');
    before += rest.take_front(at);
    if (at == StringRef::npos || at + 1 >= rest.size() || rest[at + 1] != '%')
      return at;
    before += '%';
    rest = rest.drop_front(at + 2);
  }
}

LogicalResult FormatOp::canonicalize(FormatOp op, PatternRewriter &rewriter) {
  auto constant = op.getText().getDefiningOp<ConstantOp>();
  if (!constant)
    return rewriter.notifyMatchFailure(op, "expected a constant template");
  StringRef rest = cast<StringAttr>(constant.getValue()).getValue();
  std::string text;
  unsigned used = 0;
  for (size_t at; (at = nextPlace(rest, isPercent(op), text)) != StringRef::npos;) {
    if (used == op.getArgs().size() || at + 1 >= rest.size())
      return rewriter.notifyMatchFailure(op, "expected an argument for each place");
    char letter = isPercent(op) ? rest[at + 1] : 's';
    if (!appendConversion(text, letter, op.getArgs()[used++]))
      return rewriter.notifyMatchFailure(op, "expected constants that the template takes");
    rest = rest.drop_front(at + 2);
  }
  // What is left of the arguments of str.format counts for nothing.
  rewriter.replaceOpWithNewOp<ConstantOp>(op, text);
  return success();
}

} // namespace jit
