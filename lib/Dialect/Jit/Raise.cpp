//===- Raise.cpp - calls that end with an exception -----------------------===//

#include "jit/Dialect/Jit/Raise.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

/// As a template of str.format.
static std::string escaped(StringRef text) {
  std::string result;
  for (char c : text)
    result.append(c == '{' || c == '}' ? 2 : 1, c);
  return result;
}

Operation *raise(OpBuilder &b, Location loc, StringRef message, StringRef pythonClass) {
  Value never = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  return GuardOp::create(b, loc, never, pythonClass, escaped(message), ValueRange());
}

bool isBehindBranch(Operation *op) {
  return op->getParentOfType<scf::IfOp>() || op->getParentOfType<scf::WhileOp>();
}

void refuseCalls(OpBuilder &b, Operation *op, StringRef why) {
  bool isSymbolic = op->getParentOfType<func::FuncOp>()->hasAttr(symbolicAttr);
  raise(b, op->getLoc(), why, isSymbolic ? sizeGuardClass : unsupportedClass);
}

LogicalResult refuseBehindBranch(Operation *op, StringRef why) {
  auto isKnown = [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return type.isIntOrFloat() || (tensor && tensor.hasRank() && tensor.hasDtype());
  };
  if (!isBehindBranch(op) || !llvm::all_of(op->getResultTypes(), isKnown))
    return failure();
  OpBuilder b(op);
  refuseCalls(b, op, why);
  for (Value result : op->getResults())
    result.replaceAllUsesWith(PoisonOp::create(b, op->getLoc(), result.getType()).getResult());
  op->erase();
  return success();
}

} // namespace jit
