//===- Evaluator.cpp - partial evaluation: operations ---------------------===//

#include "Evaluator.h"
#include "ChosenStrings.h"
#include "Gradients.h"
#include "MissedElements.h"
#include "NarrowWrites.h"
#include "SqueezedSizes.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/ElementKinds.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/PackedLists.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

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

static RewritePatternSet simplifyingPatterns(MLIRContext *context, bool &inferenceFailed) {
  RewritePatternSet set(context);
  set.add<RefineTypes>(context, inferenceFailed);
  set.add<DropWidening>(context);
  populateScalarExpansionPatterns(set);
  populateValueDecompositionPatterns(set);
  populateGradientPatterns(set);
  populateChosenStringPatterns(set);
  populatePackedListPatterns(set);
  populateNarrowWritePatterns(set);
  // Not by dialect: with some other dialects loaded that search loses operations.
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (llvm::is_contained({"jit", "aten", "arith", "math"}, op.getDialectNamespace()))
      op.getCanonicalizationPatterns(set, context);
  return set;
}

Evaluator::Evaluator(MLIRContext *context, bool raises, bool dataSqueeze, bool keepsArgumentMemory)
    : rewriter(simplifyingPatterns(context, inferenceFailed)), raises(raises),
      dataSqueeze(dataSqueeze), keepsArgumentMemory(keepsArgumentMemory) {}

FailureOr<SmallVector<Value>> Evaluator::simplify(Operation *op, OpBuilder &b) {
  // A holder keeps the results alive and shows what they were replaced by.
  Location loc = op->getLoc(); // the operation itself may be replaced
  inferenceFailed = failed(checkElementKinds(op));
  if (inferenceFailed)
    return failure();
  auto holder = UnrealizedConversionCastOp::create(b, loc, TypeRange(), op->getResults());
  rewriter.simplify(op);
  SmallVector<Value> results(holder.getInputs());
  holder.erase();
  if (inferenceFailed)
    return failure();
  return results;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

FailureOr<Evaluator::Evaluated> Evaluator::evaluate(Block &block, OpBuilder &b, IRMapping map,
                                                    Place place) {
  Scope inner{block, place, b.getInsertionBlock()->getParent()};
  if (place == Place::Function) {
    source = block.getParentOp();
    changesSizes = jit::changesSizes(block.getParentOp()) || !resizedOuts.empty();
    showsRest = jit::showsRest(block.getParentOp());
    tellsTensorsApart = changesSizes || writesOut(block.getParentOp());
    changesContainers = jit::changesContainers(block.getParentOp());
  }
  Scope *outer = std::exchange(scope, &inner);
  FailureOr<Evaluated> done = finish(evaluateFrom(&block.front(), b, map), b, map);
  scope = outer;
  return done;
}

/// Evaluates `op` and what follows it in its block, but the terminator.
FailureOr<Evaluator::Flow> Evaluator::evaluateFrom(Operation *op, OpBuilder &b, IRMapping &map) {
  for (; !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode()) {
    FailureOr<Flow> flow = evaluateOp(*op, b, map);
    if (failed(flow) || *flow != Flow::Continues)
      return flow;
  }
  return Flow::Continues;
}

/// Evaluates a region; `rest` is what follows it in the block around it.
FailureOr<Evaluator::Flow> Evaluator::evaluateRegion(Region &region, OpBuilder &b, IRMapping &map,
                                                     Rest rest) {
  scope->rest.push_back(std::move(rest));
  FailureOr<Flow> flow = evaluateFrom(&region.front().front(), b, map);
  scope->rest.pop_back();
  return flow;
}

/// After `flow`: the rest of the scope, and what it gives.
FailureOr<Evaluator::Evaluated> Evaluator::finish(FailureOr<Flow> flow, OpBuilder &b,
                                                  IRMapping &map) {
  while (succeeded(flow) && *flow == Flow::Continues && !scope->rest.empty())
    flow = scope->rest.pop_back_val()(b, map);
  if (failed(flow))
    return failure();
  if (*flow == Flow::Ended)
    return std::move(scope->ended);
  Evaluated result{.raises = *flow == Flow::Raises, .open = scope->open};
  if (!result.raises)
    for (Value operand : scope->block.getTerminator()->getOperands())
      result.values.push_back(map.lookup(operand));
  return result;
}

/// What is wrong with a write of `value` to `self`, if something certainly is.
static std::optional<std::string> misfit(Value self, Value value) {
  auto to = cast<TensorType>(self.getType()), from = cast<TensorType>(value.getType());
  if (!to.hasRank() || !from.hasRank())
    return std::nullopt;
  int64_t added = to.getRank() - from.getRank();
  bool fits = added >= 0;
  for (int64_t i = 0; fits && i < from.getRank(); ++i) {
    int64_t size = from.getSizes()[i], place = to.getSizes()[i + added];
    fits =
        size == 1 || size == place || size == TensorType::kDynamic || place == TensorType::kDynamic;
  }
  if (fits)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected a value that has or broadcasts to the sizes of what is written, got " << from
      << " for " << to;
  return text;
}

/// Where data tell whether dimensions are dropped, branches that follow a squeeze stand for it.
bool Evaluator::branchesOnSizes(Operation *op, const IRMapping &map) {
  auto type = dyn_cast<TensorType>(map.lookup(op->getOperand(0)).getType());
  if (!type || !dropsByData(op, type))
    return false;
  if (!op->use_empty() && maySplitOn(op))
    branchOnSizes(op, type.getRank());
  return op->use_empty();
}

/// Whether only calls for which data choose so get to an operator that is not there, which ends
/// them; else it is an error.
bool Evaluator::evaluateMissing(MissingOp op, OpBuilder &b) {
  if (scope->place == Place::Branch || scope->splits > 0) {
    raise(b, op.getLoc(), op.getMessage(), unsupportedClass);
    endsIncomplete = op;
    return true;
  }
  // All of them are reported, not only the first.
  op.emitError() << op.getMessage();
  isIncomplete = true;
  return false;
}

/// Marks where what becomes of an operation begins: that may take operations before it along.
static Operation *markBegin(Operation &op, OpBuilder &b) {
  return UnrealizedConversionCastOp::create(b, op.getLoc(), TypeRange(), ValueRange());
}

FailureOr<Evaluator::Flow> Evaluator::evaluateOp(Operation &op, OpBuilder &b, IRMapping &map) {
  inWays += scope->splits > 0;
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return evaluateIf(branch, b, map);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return evaluateFor(loop, b, map);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return evaluateWhile(loop, b, map);
  if (auto become = dyn_cast<BecomeOp>(op))
    return evaluateBecome(become, b, map);
  if (isa<AppendOp, ReplaceOp>(op))
    return evaluateChange(&op, b, map);
  if (dataSqueeze && isa<ViewOpInterface>(op) && branchesOnSizes(&op, map))
    return Flow::Continues;
  if (auto missing = dyn_cast<MissingOp>(op); missing && evaluateMissing(missing, b))
    return Flow::Raises;
  bool mayRaise = raises || scope->place == Place::Branch || scope->splits > 0;
  if (mayRaise && op.getNumOperands() > 0 && joinsNothing(op, map.lookup(op.getOperand(0)))) {
    raise(b, op.getLoc(), "expected a non-empty list of tensors");
    return Flow::Raises;
  }
  if (auto missed = mayRaise ? missedElement(op, map) : std::nullopt) {
    raise(b, op.getLoc(), missed->message, missed->pythonClass);
    return Flow::Raises;
  }
  if (mayRaise && isa<AtenOpInterface>(op))
    return evaluateOrRaise(op, b, map);
  auto write = dyn_cast<OverwriteOp>(op);
  if (write && write->hasAttr(outAttr)) {
    if (Value now = resizedOut(write, b, map))
      return evaluateOut(write, now, b, map);
    if (movesMemory(write, b, map))
      return Flow::Continues;
    noteResizedOut(write, map);
  }
  if (mayRaise && write && !write->hasAttr(outAttr))
    if (std::optional<std::string> problem =
            misfit(map.lookup(write.getSelf()), map.lookup(write.getValue()))) {
      raise(b, op.getLoc(), *problem);
      return Flow::Raises;
    }
  Operation *begin = tellsTensorsApart ? markBegin(op, b) : nullptr;
  Operation *clone = b.clone(op, map);
  bool raises = isa<GuardOp>(op) && matchPattern(clone->getOperand(0), m_Zero());
  FailureOr<SmallVector<Value>> results = simplify(clone, b);
  if (succeeded(results))
    mapResults(op, *results, begin, b, map);
  if (begin)
    begin->erase();
  if (failed(results))
    return failure();
  return raises ? Flow::Raises : Flow::Continues;
}

/// `value`, or where it was there before `begin`, a view of it: another tensor all the same.
static Value apart(Value value, Operation *begin, Location loc, OpBuilder &b) {
  Operation *op = value.getDefiningOp();
  bool isNew = op && op->getBlock() == begin->getBlock() && begin->isBeforeInBlock(op);
  if (isNew || !isa<TensorType>(value.getType()))
    return value;
  return aten::AliasOp::create(b, loc, value.getType(), value)->getResult(0);
}

/// The results of an operation that was simplified to what follows `begin`. A view that was
/// simplified to a tensor that is there, or a part that is all of it, is another one all the same.
void Evaluator::mapResults(Operation &op, SmallVector<Value> results, Operation *begin,
                           OpBuilder &b, IRMapping &map) {
  if (changesContainers)
    keepApart(op, results, b, map);
  map.map(op.getResults(), results);
  if (!tellsTensorsApart || !isa<AtenOpInterface>(op) || op.hasTrait<MayBeSelf>())
    return;
  auto another = [&](Value value) { return apart(value, begin, op.getLoc(), b); };
  if (isa<ViewOpInterface>(op))
    map.map(op.getResult(0), another(results[0]));
  auto parts = op.getNumResults() == 1 ? results[0].getDefiningOp<ListOp>() : ListOp();
  if (!parts || llvm::none_of(op.getOperandTypes(), llvm::IsaPred<TensorType>))
    return;
  SmallVector<Value> elements = llvm::map_to_vector(parts.getElements(), another);
  if (!llvm::equal(elements, parts.getElements()))
    map.map(op.getResult(0), ListOp::create(b, op.getLoc(), parts.getType(), elements));
}

/// Whether more may become known of `value`.
static bool isOpen(Value value) {
  if (auto tensor = dyn_cast<TensorType>(value.getType()))
    return !tensor.isStatic();
  if (auto list = value.getDefiningOp<ListOp>())
    return llvm::any_of(list.getElements(), isOpen);
  return !matchPattern(value, m_Constant());
}

/// The error for an operator whose results have no rank as it is not made of simpler ones, though
/// nothing more becomes known of its operands. None for any other.
static std::optional<std::string> missingFor(ArrayRef<Value> results) {
  Operation *op = results.empty() ? nullptr : results[0].getDefiningOp();
  auto hasRank = [](Value value) {
    auto tensor = dyn_cast<TensorType>(value.getType());
    return !tensor || tensor.hasRank();
  };
  if (!isa_and_present<DecomposableOpInterface>(op) || llvm::all_of(results, hasRank) ||
      llvm::any_of(op->getOperands(), isOpen) || decomposes(op))
    return std::nullopt;
  return missingLowering(op);
}

/// Operands that do not go together are an exception of the calls that get to them, and so is an
/// operator that is not supported.
FailureOr<Evaluator::Flow> Evaluator::evaluateOrRaise(Operation &op, OpBuilder &b, IRMapping &map) {
  Operation *begin = markBegin(op, b);
  std::vector<Diagnostic> errors;
  FailureOr<SmallVector<Value>> results;
  {
    CapturedErrors captured(op.getContext());
    results = simplify(b.clone(op, map), b);
    errors = captured.take();
  }
  std::optional<std::string> missing = succeeded(results) ? missingFor(*results) : std::nullopt;
  if (succeeded(results) && errors.empty() && !missing) {
    mapResults(op, *results, begin, b, map);
    begin->erase();
    return Flow::Continues;
  }
  if (errors.empty() && !missing)
    return failure();
  // What the operation has become so far is used by nothing.
  for (Operation *left = nullptr; left != begin;) {
    left = &*std::prev(b.getInsertionPoint());
    left->dropAllUses();
    left->erase();
  }
  if (errors.empty())
    raise(b, op.getLoc(), *missing, unsupportedClass);
  else
    raise(b, op.getLoc(), errors.front().str());
  return Flow::Raises;
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

bool hasKind(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && tensor.hasRank() && tensor.hasDtype();
}

bool isPoison(Value value) { return value.getDefiningOp<PoisonOp>() != nullptr; }

Value widen(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isPoison(value))
    return PoisonOp::create(b, loc, type);
  return DerefineOp::create(b, loc, type, value);
}

} // namespace jit
