//===- Guards.cpp - messages of checks over numbers alone -----------------===//

#include "Lower.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace jit {

namespace {

/// A template and its arguments, flattened: str, None and lists go into the text.
struct Message {
  std::string text;
  SmallVector<Value> numbers;

  LogicalResult append(OpBuilder &b, Value value);
  LogicalResult append(OpBuilder &b, StringRef format, ValueRange args);
  void appendLiteral(StringRef literal);
};

} // namespace

/// Braces of a literal are doubled, as in Python's templates.
void Message::appendLiteral(StringRef literal) {
  for (char c : literal) {
    text += c;
    if (c == '{' || c == '}')
      text += c;
  }
}

LogicalResult Message::append(OpBuilder &b, Value value) {
  Type type = value.getType();
  if (auto constant = value.getDefiningOp<ConstantOp>()) {
    auto string = dyn_cast<StringAttr>(constant.getValue());
    appendLiteral(string ? string.getValue() : "None");
    return success();
  }
  if (auto derefine = value.getDefiningOp<DerefineOp>())
    return append(b, derefine.getValue());
  if (auto format = value.getDefiningOp<FormatOp>())
    if (std::optional<StringRef> known = StrInfo(format.getText()).known)
      return append(b, *known, format.getArgs());
  if (auto list = value.getDefiningOp<ListOp>()) {
    text += '[';
    for (auto [i, element] : llvm::enumerate(list.getElements())) {
      text += i ? ", " : "";
      if (failed(append(b, element)))
        return failure();
    }
    text += ']';
    return success();
  }
  if (isa<StrType>(type)) {
    appendLiteral("<str>");
    return success();
  }
  if (type.isInteger(1)) {
    if (std::optional<bool> known = BoolInfo(value).known) {
      text += *known ? "True" : "False";
      return success();
    }
    value = arith::ExtUIOp::create(b, value.getLoc(), b.getI64Type(), value);
  } else if (!type.isInteger(64) && !type.isF64()) {
    return failure();
  }
  text += "{}";
  numbers.push_back(value);
  return success();
}

LogicalResult Message::append(OpBuilder &b, StringRef format, ValueRange args) {
  while (!format.empty()) {
    if (format.consume_front("{}")) {
      if (args.empty()) {
        text += "{{}}";
        continue;
      }
      if (failed(append(b, args.front())))
        return failure();
      args = args.drop_front();
      continue;
    }
    // A doubled brace stays doubled.
    size_t length = format.starts_with("{{") || format.starts_with("}}") ? 2 : 1;
    text += format.take_front(length);
    format = format.drop_front(length);
  }
  return success();
}

LogicalResult resolveGuardMessages(ModuleOp module) {
  WalkResult walk = module.walk([](GuardOp guard) {
    OpBuilder b(guard);
    Message message;
    if (failed(message.append(b, guard.getMessage(), guard.getArgs()))) {
      guard.emitError("expected numbers, strings and lists of them in the message of a check, got ")
          << guard.getArgs().getTypes();
      return WalkResult::interrupt();
    }
    guard.setMessage(message.text);
    guard.getArgsMutable().assign(message.numbers);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

} // namespace jit
