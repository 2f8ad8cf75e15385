//===- Raise.cpp - exceptions that are known before a call ----------------===//

#include "jit/Dialect/Jit/Raise.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

/// As a template of str.format.
static std::string escaped(StringRef text) {
  std::string result;
  for (char c : text)
    result.append(c == '{' || c == '}' ? 2 : 1, c);
  return result;
}

void raise(OpBuilder &b, Location loc, StringRef message, StringRef pythonClass) {
  Value never = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  GuardOp::create(b, loc, never, pythonClass, escaped(message), ValueRange());
}

} // namespace jit
