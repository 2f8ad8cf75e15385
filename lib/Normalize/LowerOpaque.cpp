//===- LowerOpaque.cpp - nodes that are not known to errors of calls ------===//

#include "jit/Dialect/Jit/Opaque.h"
#include "jit/Normalize/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_LOWEROPAQUEPASS
#include "jit/Normalize/Passes.h.inc"

static bool isModule(Value value) {
  return isa<BlockArgument>(value) && isa<ObjectType>(value.getType());
}

static LogicalResult lower(OpaqueOp op) {
  if (llvm::any_of(op.getInputs(), isModule))
    return op.emitError() << op.getReason();
  OpBuilder builder(op);
  auto missing = [&](Type type) -> Value {
    return MissingOp::create(builder, op.getLoc(), type, op.getReason());
  };
  if (op.use_empty())
    missing(TensorType::get(op.getContext()));
  for (Value result : op.getResults())
    if (!result.use_empty())
      result.replaceAllUsesWith(missing(result.getType()));
  op.erase();
  return success();
}

namespace {
struct LowerOpaquePass : impl::LowerOpaquePassBase<LowerOpaquePass> {
  void runOnOperation() override {
    // Those that hold others go first, and these with them.
    SmallVector<OpaqueOp> outermost;
    getOperation().walk<WalkOrder::PreOrder>([&](OpaqueOp op) {
      outermost.push_back(op);
      return WalkResult::skip();
    });
    for (OpaqueOp op : outermost)
      if (failed(lower(op)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace jit
