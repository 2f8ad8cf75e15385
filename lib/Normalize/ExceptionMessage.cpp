//===- ExceptionMessage.cpp - a message as a template over scalars --------===//

#include "ExceptionMessage.h"
#include "jit/Dialect/Jit/Format.h"

using namespace mlir;

namespace jit {

/// Adds literal text: its braces are no placeholders.
static void addText(Message &message, StringRef text) {
  for (char c : text) {
    message.text += c;
    if (c == '{' || c == '}')
      message.text += c;
  }
}

static void addValue(Message &message, Value value);

static void addElements(Message &message, ValueRange elements, StringRef open, StringRef close) {
  message.text += open;
  for (auto [index, element] : llvm::enumerate(elements)) {
    if (index > 0)
      message.text += ", ";
    addValue(message, element);
  }
  message.text += close;
}

/// Adds a template of `%`. Each value is written as `%s` has it: what a message says of a number is
/// not its digits.
static void addPercents(Message &message, StringRef pattern, ValueRange args) {
  while (true) {
    auto [before, after] = pattern.split('%');
    addText(message, before);
    if (before.size() == pattern.size())
      return;
    if (after.starts_with("%"))
      addText(message, "%");
    else if (!args.empty())
      addValue(message, args.front()), args = args.drop_front();
    pattern = after.drop_front(std::min<size_t>(after.size(), 1));
  }
}

/// Adds `template` with its placeholders replaced. As in TorchScript, `{}` is the only form.
static void addFormat(Message &message, StringRef pattern, ValueRange args) {
  for (Value arg : args) {
    auto [before, after] = pattern.split("{}");
    if (before.size() == pattern.size())
      break;
    addText(message, before);
    addValue(message, arg);
    pattern = after;
  }
  addText(message, pattern);
}

static void addValue(Message &message, Value value) {
  while (isa_and_nonnull<DerefineOp, UncheckedCastOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  Type type = value.getType();
  if (type.isInteger(64) || type.isInteger(1) || type.isF64()) {
    message.text += "{}";
    message.args.push_back(value);
    return;
  }
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<ConstantOp>(op)) {
    auto text = dyn_cast<StringAttr>(constant.getValue());
    addText(message, text ? text.getValue() : "None");
  } else if (auto list = dyn_cast_or_null<ListOp>(op)) {
    addElements(message, list.getElements(), "[", "]");
  } else if (auto tuple = dyn_cast_or_null<TupleOp>(op)) {
    addElements(message, tuple.getElements(), "(", tuple->getNumOperands() == 1 ? ",)" : ")");
  } else if (auto format = dyn_cast_or_null<FormatOp>(op)) {
    auto text = format.getText().getDefiningOp<ConstantOp>();
    if (text && isPercent(format))
      addPercents(message, cast<StringAttr>(text.getValue()).getValue(), format.getArgs());
    else if (text)
      addFormat(message, cast<StringAttr>(text.getValue()).getValue(), format.getArgs());
    else
      addValue(message, format.getText());
  } else if (op && op->getName().getStringRef() == "aten.add.str") {
    addValue(message, op->getOperand(0));
    addValue(message, op->getOperand(1));
  } else if (isa<StrType>(type)) {
    // A call says which text that is.
    message.text += "{}";
    message.args.push_back(value);
  } else {
    message.text += "<";
    llvm::raw_string_ostream(message.text) << type;
    message.text += ">";
  }
}

Message takeApart(Value text) {
  Message message;
  addValue(message, text);
  return message;
}

} // namespace jit
