//===- Evaluator.cpp - partial evaluation: operations and branches --------===//

#include "Evaluator.h"
#include "Gradients.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

namespace {

/// Narrows result types as operands become known.
struct RefineTypes : OpInterfaceRewritePattern<AtenOpInterface> {
  RefineTypes(MLIRContext *context, bool &inferenceFailed)
      : OpInterfaceRewritePattern(context), inferenceFailed(inferenceFailed) {}

  LogicalResult matchAndRewrite(AtenOpInterface op, PatternRewriter &rewriter) const override {
    FailureOr<bool> changed = refineResultTypes(op);
    if (failed(changed)) {
      inferenceFailed = true;
      return rewriter.notifyMatchFailure(op, "expected operands that go together");
    }
    if (!*changed)
      return rewriter.notifyMatchFailure(op, "expected types that can be narrowed");
    rewriter.modifyOpInPlace(op, [] {});
    return success();
  }

  bool &inferenceFailed;
};

/// Specialised code knows the type of every value itself; widening waits for the next join.
struct DropWidening : OpRewritePattern<DerefineOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DerefineOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op.getValue());
    return success();
  }
};

} // namespace

Evaluator::Evaluator(MLIRContext *context) {
  RewritePatternSet set(context);
  set.add<RefineTypes>(context, inferenceFailed);
  set.add<DropWidening>(context);
  populateScalarExpansionPatterns(set);
  populateValueDecompositionPatterns(set);
  populateGradientPatterns(set);
  // Not by dialect: with some other dialects loaded that search loses operations.
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (llvm::is_contained({"jit", "aten", "arith", "math"}, op.getDialectNamespace()))
      op.getCanonicalizationPatterns(set, context);
  patterns = std::move(set);
}

FailureOr<SmallVector<Value>> Evaluator::simplify(Operation *op, OpBuilder &b) {
  // A holder keeps the results alive and shows what they were replaced by.
  Location loc = op->getLoc(); // the operation itself may be replaced
  auto holder = UnrealizedConversionCastOp::create(b, loc, TypeRange(), op->getResults());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  inferenceFailed = false;
  LogicalResult ended = applyOpPatternsGreedily(op, patterns, config);
  SmallVector<Value> results(holder.getInputs());
  holder.erase();
  if (failed(ended))
    return emitError(loc, "expected simplification to come to an end");
  if (inferenceFailed)
    return failure();
  return results;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

FailureOr<Evaluator::Flow> Evaluator::evaluateBlock(Block &block, OpBuilder &b, IRMapping &map) {
  for (Operation &op : block.without_terminator()) {
    FailureOr<Flow> flow = evaluateOp(op, b, map);
    if (failed(flow) || *flow == Flow::Raises)
      return flow;
  }
  return Flow::Continues;
}

FailureOr<Evaluator::Flow> Evaluator::evaluateOp(Operation &op, OpBuilder &b, IRMapping &map) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return evaluateIf(branch, b, map);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return evaluateFor(loop, b, map);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return evaluateWhile(loop, b, map);
  if (auto missing = dyn_cast<MissingOp>(op)) {
    // All of them are reported, not only the first.
    missing.emitError() << missing.getMessage();
    isIncomplete = true;
  }
  Operation *clone = b.clone(op, map);
  bool raises = isa<GuardOp>(op) && matchPattern(clone->getOperand(0), m_Zero());
  FailureOr<SmallVector<Value>> results = simplify(clone, b);
  if (failed(results))
    return failure();
  for (auto [before, after] : llvm::zip(op.getResults(), *results))
    map.map(before, after);
  return raises ? Flow::Raises : Flow::Continues;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// The type of an if's result from what its branches give; null where they have nothing in common.
static Type branchType(Value thenValue, Value elseValue) {
  if (!thenValue || !elseValue)
    return (thenValue ? thenValue : elseValue).getType();
  return joinTypes(thenValue.getType(), elseValue.getType());
}

/// The one value that both branches of `op` give, available before it; null where they differ.
static Value commonValue(scf::IfOp op, Value thenValue, Value elseValue) {
  if (!thenValue || !elseValue || !isSameValue(thenValue, elseValue))
    return {};
  if (!op->isProperAncestor(thenValue.getParentBlock()->getParentOp()) &&
      thenValue.getParentBlock()->getParentOp() != op)
    return thenValue;
  OpBuilder before(op);
  return constantOf(thenValue) ? before.clone(*thenValue.getDefiningOp())->getResult(0) : Value();
}

FailureOr<Evaluator::Flow> Evaluator::evaluateIf(scf::IfOp op, OpBuilder &b, IRMapping &map) {
  Value condition = map.lookup(op.getCondition());
  APInt known;
  if (matchPattern(condition, m_ConstantInt(&known))) {
    Region &taken = known.isZero() ? op.getElseRegion() : op.getThenRegion();
    explainDone(op.getLoc(), "specialize", "the condition is {0} in this call: {1} branch is gone",
                known.isZero() ? "false" : "true", known.isZero() ? "its" : "the other");
    if (taken.empty())
      return Flow::Continues;
    FailureOr<Flow> flow = evaluateBlock(taken.front(), b, map);
    if (succeeded(flow) && *flow == Flow::Continues)
      for (auto [result, value] :
           llvm::zip(op.getResults(), taken.front().getTerminator()->getOperands()))
        map.map(result, map.lookup(value));
    return flow;
  }

  // Both ways: evaluate into a scratch op first, as the result types follow from the branches.
  auto scratch = scf::IfOp::create(b, op.getLoc(), TypeRange(), condition, true, true);
  Block *blocks[] = {scratch.thenBlock(), scratch.elseBlock()};
  SmallVector<Value> yields[2];
  bool raises[2];
  for (int i : {0, 1}) {
    blocks[i]->clear();
    Region &region = op->getRegion(i);
    OpBuilder inner = OpBuilder::atBlockEnd(blocks[i]);
    IRMapping innerMap = map;
    FailureOr<Flow> flow = Flow::Continues;
    if (!region.empty())
      flow = evaluateBlock(region.front(), inner, innerMap);
    if (failed(flow))
      return scratch.erase(), failure();
    raises[i] = *flow == Flow::Raises;
    for (unsigned r = 0; r < op.getNumResults(); ++r) {
      Value value =
          raises[i] ? Value() : innerMap.lookup(region.front().getTerminator()->getOperand(r));
      yields[i].push_back(!value || isUndefined(value) ? Value() : value);
    }
  }

  SmallVector<Type> types;
  SmallVector<unsigned> joined; // results that the branches settle differently
  for (unsigned r = 0; r < op.getNumResults() && !(raises[0] && raises[1]); ++r) {
    Value thenValue = yields[0][r], elseValue = yields[1][r];
    if (Value common = commonValue(scratch, thenValue, elseValue)) {
      map.map(op.getResult(r), common);
      continue;
    }
    if (!thenValue && !elseValue) {
      Type declared = op.getResult(r).getType();
      map.map(op.getResult(r), UninitializedOp::create(b, op.getLoc(), declared).getResult());
      continue;
    }
    types.push_back(branchType(thenValue, elseValue));
    joined.push_back(r);
    if (!types.back()) {
      scratch.erase();
      return op.emitError("expected branches that give values of one type, got ")
             << thenValue.getType() << " and " << elseValue.getType();
    }
  }

  for (int i : {0, 1}) {
    OpBuilder inner = OpBuilder::atBlockEnd(blocks[i]);
    SmallVector<Value> values;
    for (auto [r, type] : llvm::zip(joined, types))
      values.push_back(yields[i][r] ? widen(inner, op.getLoc(), yields[i][r], type)
                                    : Value(UninitializedOp::create(inner, op.getLoc(), type)));
    scf::YieldOp::create(inner, op.getLoc(), values);
  }
  auto result = scf::IfOp::create(b, op.getLoc(), types, condition, true, true);
  result.getThenRegion().takeBody(scratch.getThenRegion());
  result.getElseRegion().takeBody(scratch.getElseRegion());
  scratch.erase();
  for (auto [r, value] : llvm::zip(joined, result.getResults()))
    map.map(op.getResult(r), value);
  return raises[0] && raises[1] ? Flow::Raises : Flow::Continues;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Attribute constantOf(Value value) {
  Attribute constant;
  matchPattern(value, m_Constant(&constant));
  return constant;
}

bool isSameValue(Value a, Value b) {
  if (a == b)
    return true;
  Attribute constant = constantOf(a);
  return constant && a.getType() == b.getType() && constant == constantOf(b);
}

bool isSettled(Type type) {
  if (auto tensor = dyn_cast<TensorType>(type))
    return tensor.isStatic();
  return type.isInteger(64) || type.isF64() || type.isInteger(1);
}

bool isUndefined(Value value) { return value.getDefiningOp<UninitializedOp>() != nullptr; }

Value widen(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isUndefined(value))
    return UninitializedOp::create(b, loc, type);
  return DerefineOp::create(b, loc, type, value);
}

} // namespace jit
