//===- Format.cpp - str.format over constants -----------------------------===//

#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdio>

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

/// Appends a constant as TorchScript prints it; false where the value is none.
static bool appendConstant(std::string &text, Value value) {
  while (auto derefine = value.getDefiningOp<DerefineOp>())
    value = derefine.getValue();
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
  bool isList = value.getDefiningOp<ListOp>() != nullptr;
  if (!isList && !value.getDefiningOp<TupleOp>())
    return false;
  text += isList ? "[" : "(";
  for (auto [i, element] : llvm::enumerate(value.getDefiningOp()->getOperands())) {
    text += i ? ", " : "";
    if (!appendConstant(text, element))
      return false;
  }
  text += isList ? "]" : ")";
  return true;
}

LogicalResult FormatOp::canonicalize(FormatOp op, PatternRewriter &rewriter) {
  auto constant = op.getText().getDefiningOp<ConstantOp>();
  if (!constant)
    return rewriter.notifyMatchFailure(op, "expected a constant template");
  StringRef rest = cast<StringAttr>(constant.getValue()).getValue();
  std::string text;
  for (Value arg : op.getArgs()) {
    auto [before, after] = rest.split("{}");
    if (before.size() == rest.size())
      return rewriter.notifyMatchFailure(op, "expected a {} for each argument");
    text += before;
    rest = after;
    if (!appendConstant(text, arg))
      return rewriter.notifyMatchFailure(op, "expected constant arguments");
  }
  rewriter.replaceOpWithNewOp<ConstantOp>(op, (text + rest).str());
  return success();
}

} // namespace jit
