//===- InferTypes.cpp - element types and sizes, through control flow -----===//

#include "jit/Dialect/Aten/Custom.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "jit/Dialect/Jit/Contract.h"
#include "jit/Infer/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITINFERTYPES
#include "jit/Infer/Passes.h.inc"

static LogicalResult inferBlock(Block &block);

static Value widen(OpBuilder &b, Value value, Type type) {
  return value.getType() == type ? value
                                 : Value(DerefineOp::create(b, value.getLoc(), type, value));
}

/// Gives the operands [first, ...) of `op` the types of `values`.
static void widenOperands(Operation *op, unsigned first, TypeRange types) {
  OpBuilder b(op);
  for (auto [i, type] : llvm::enumerate(types))
    op->setOperand(first + i, widen(b, op->getOperand(first + i), type));
}

static FailureOr<SmallVector<Type>> joinAll(Operation *op, TypeRange a, TypeRange b) {
  SmallVector<Type> joined;
  for (auto [x, y] : llvm::zip(a, b)) {
    joined.push_back(joinTypes(x, y));
    if (!joined.back())
      return op->emitOpError("expected values of one type, got ") << x << " and " << y;
  }
  return joined;
}

static void setTypes(ValueRange values, TypeRange types) {
  for (auto [value, type] : llvm::zip(values, types))
    value.setType(type);
}

static LogicalResult inferIf(scf::IfOp op) {
  for (Region &region : op->getRegions())
    if (!region.empty() && failed(inferBlock(region.front())))
      return failure();
  if (op.getNumResults() == 0)
    return success();
  auto joined = joinAll(op, op.thenYield().getOperandTypes(), op.elseYield().getOperandTypes());
  if (failed(joined))
    return failure();
  widenOperands(op.thenYield(), 0, *joined);
  widenOperands(op.elseYield(), 0, *joined);
  setTypes(op.getResults(), *joined);
  return success();
}

namespace {
/// The types of all values inside an op, to start over with.
class TypeSnapshot {
public:
  explicit TypeSnapshot(Operation *op) {
    op->walk([&](Operation *inner) {
      for (Value result : inner->getResults())
        types.emplace_back(result, result.getType());
      for (Region &region : inner->getRegions())
        for (Block &block : region)
          for (Value arg : block.getArguments())
            types.emplace_back(arg, arg.getType());
    });
  }
  void restore() {
    for (auto [value, type] : types)
      value.setType(type);
  }

private:
  SmallVector<std::pair<Value, Type>> types;
};
} // namespace

/// A loop's variables: `trip` infers one trip for given types and gives those it ends with.
/// `declared` are types that hold for all trips. Where a trip cannot have the types that the first
/// one begins with, for what data tell may keep it from being run, they are all that is known.
static FailureOr<SmallVector<Type>>
inferLoop(Operation *op, TypeRange inits, TypeRange declared,
          llvm::function_ref<FailureOr<TypeRange>(TypeRange)> trip) {
  SmallVector<Type> types(inits), widest(declared);
  TypeSnapshot snapshot(op);
  while (true) {
    std::vector<Diagnostic> errors;
    FailureOr<TypeRange> after;
    {
      CapturedErrors captured(op->getContext());
      after = trip(types);
      errors = captured.take();
    }
    if (failed(after) && types != widest) {
      types = widest;
    } else {
      reportAll(op->getContext(), errors);
      if (failed(after))
        return failure();
      auto joined = joinAll(op, types, *after);
      if (failed(joined) || *joined == types)
        return joined;
      types = *joined;
    }
    snapshot.restore();
  }
}

static LogicalResult inferFor(scf::ForOp op) {
  SmallVector<Type> declared(ValueRange(op.getRegionIterArgs()).getTypes());
  auto types = inferLoop(op, op.getInitArgs().getTypes(), declared,
                         [&](TypeRange in) -> FailureOr<TypeRange> {
                           setTypes(op.getRegionIterArgs(), in);
                           if (failed(inferBlock(*op.getBody())))
                             return failure();
                           return TypeRange(op.getYieldedValues());
                         });
  if (failed(types))
    return failure();
  widenOperands(op.getBody()->getTerminator(), 0, *types);
  widenOperands(op, op.getNumControlOperands(), *types);
  setTypes(op.getResults(), *types);
  return success();
}

static LogicalResult inferWhile(scf::WhileOp op) {
  SmallVector<Type> declared(ValueRange(op.getBeforeArguments()).getTypes());
  auto types =
      inferLoop(op, op.getInits().getTypes(), declared, [&](TypeRange in) -> FailureOr<TypeRange> {
        setTypes(op.getBeforeArguments(), in);
        if (failed(inferBlock(op.getBefore().front())))
          return failure();
        setTypes(op.getAfterArguments(), op.getConditionOp().getArgs().getTypes());
        if (failed(inferBlock(op.getAfter().front())))
          return failure();
        return TypeRange(op.getYieldOp().getOperandTypes());
      });
  if (failed(types))
    return failure();
  widenOperands(op.getYieldOp(), 0, *types);
  widenOperands(op, 0, *types);
  setTypes(op.getResults(), op.getConditionOp().getArgs().getTypes());
  return success();
}

static LogicalResult inferBlock(Block &block) {
  for (Operation &op : block) {
    LogicalResult done = success();
    if (auto branch = dyn_cast<scf::IfOp>(op))
      done = inferIf(branch);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      done = inferFor(loop);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      done = inferWhile(loop);
    // A widening that tells nothing of a tensor that is known stands in no one's way.
    else if (auto derefine = dyn_cast<DerefineOp>(op);
             derefine && isa<TensorType>(derefine.getType()))
      derefine.getResult().setType(derefine.getValue().getType());
    // A write changes neither sizes nor element type.
    else if (auto overwrite = dyn_cast<OverwriteOp>(op))
      overwrite.getResult().setType(overwrite.getSelf().getType());
    else
      done = refineResultTypes(&op);
    if (failed(done))
      return failure();
  }
  return success();
}

/// The sizes function of a user's own operator is asked with all that it may ask for, or not at
/// all.
static LogicalResult checkCustom(func::FuncOp func) {
  WalkResult walk = func.walk([](aten::CustomOp op) {
    auto isStatic = [](Type type) { return cast<TensorType>(type).isStatic(); };
    if (llvm::all_of(op->getResultTypes(), isStatic))
      return WalkResult::advance();
    op.emitError("expected more to be known of the arguments of ")
        << operatorNameOf(op) << needsClause(needsOf(op));
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {
struct InferTypesPass : impl::JitInferTypesBase<InferTypesPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    // What specialisation left behind unused need not have a type.
    IRRewriter rewriter(func.getContext());
    (void)runRegionDCE(rewriter, func->getRegions());
    if (failed(inferBlock(func.front())) || failed(checkCustom(func)))
      return signalPassFailure();
    func.setFunctionType(FunctionType::get(func.getContext(), func.getArgumentTypes(),
                                           func.front().getTerminator()->getOperandTypes()));
  }
};
} // namespace

LogicalResult verifyInferred(ModuleOp module) {
  auto isKnown = [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return !tensor || (tensor.hasRank() && tensor.hasDtype());
  };
  ConversionTarget target(*module.getContext());
  target.markUnknownOpDynamicallyLegal([&](Operation *op) { return definesOnly(op, isKnown); });
  return verifyContract(module, target, "tensors of known rank and element type after Infer");
}

} // namespace jit
