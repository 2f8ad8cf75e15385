//===- Patterns.cpp - what the records' rules are good for ----------------===//
//
// The generic rewrites over the operators' interfaces that several stages use.
//
//===----------------------------------------------------------------------===//

#include "Rules/OpenParts.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/AutocastPolicy.h"
#include "jit/Dialect/Aten/ComplexOperands.h"
#include "jit/Dialect/Aten/Custom.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/ScalarRules.h"
#include "jit/Dialect/Jit/TensorSizes.h"

using namespace mlir;

namespace jit {

static bool givesTensors(Operation *op) {
  return llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

/// True if PyTorch gives new memory, whatever the body does.
static bool isNewMemory(Operation *op) {
  return isa<TensorType>(op->getResult(0).getType()) && !op->hasTrait<PicksElement>() &&
         !op->hasTrait<MayGiveOperand>() &&
         !cast<AtenOpInterface>(op).getSchema().contains("-> Tensor(");
}

/// The tensors that an operator is given, also in lists, as the memory that they are.
static llvm::SmallPtrSet<Value, 4> memoriesGivenTo(Operation *op) {
  llvm::SmallPtrSet<Value, 4> memories;
  auto add = [&](Value operand) {
    while (Value source = sharedSource(operand))
      operand = source;
    memories.insert(operand);
  };
  for (Value operand : op->getOperands()) {
    add(operand);
    if (auto list = operand.getDefiningOp<ListOp>())
      llvm::for_each(list.getElements(), add);
  }
  return memories;
}

void copyOperands(OpBuilder &builder, Operation *op, MutableArrayRef<Value> values) {
  if (!givesTensors(op) || !isNewMemory(op))
    return;
  llvm::SmallPtrSet<Value, 4> given = memoriesGivenTo(op);
  for (Value &value : values) {
    Value memory = value;
    while (Value source = sharedSource(memory))
      memory = source;
    if (!given.contains(memory) || !isa<TensorType>(value.getType()))
      continue;
    GraphBuilder build{builder, op->getLoc()};
    if (Operation *copy =
            createInferred(builder, op->getLoc(), OperationName("aten.clone", op->getContext()),
                           {value, build.none().v}))
      value = copy->getResult(0);
  }
}

namespace {

/// A number as a complex one.
static Value asComplex(OpBuilder &builder, Location loc, Value number) {
  GraphBuilder build{builder, loc};
  ComplexNumber known(build, number);
  return isa<ComplexType>(number.getType()) ? number : ComplexNumber(known.re(), known.im()).v;
}

/// An operator on numbers of any kind, of which one turns out to be complex, is its overload for
/// these.
struct ToComplexOverload : OpInterfaceRewritePattern<PointwiseOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(PointwiseOpInterface op, PatternRewriter &rewriter) const override {
    TypeRange types = op->getOperandTypes();
    if (givesTensors(op) || llvm::none_of(types, llvm::IsaPred<ComplexType>) ||
        llvm::any_of(types, llvm::IsaPred<TensorType, NumberType, OptionalType>))
      return rewriter.notifyMatchFailure(op, "expected known numbers, a complex one among them");
    StringRef base = op->getName().getStringRef().rsplit('.').first;
    if (!base.contains('.'))
      base = op->getName().getStringRef();
    OperationName name((base + ".complex").str(), op->getContext());
    if (!name.isRegistered())
      return rewriter.notifyMatchFailure(op, "expected an operator that takes complex numbers");
    SmallVector<Value> numbers;
    for (Value operand : op->getOperands())
      numbers.push_back(asComplex(rewriter, op->getLoc(), operand));
    Operation *overload = createInferred(rewriter, op->getLoc(), name, numbers);
    if (!overload)
      return failure();
    rewriter.replaceOp(
        op, castTo(rewriter, op->getLoc(), overload->getResult(0), op->getResult(0).getType()));
    return success();
  }
};

/// An operator on Python scalars becomes the arith ops of its scalar rule.
struct ExpandScalarOp : OpInterfaceRewritePattern<PointwiseOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(PointwiseOpInterface op, PatternRewriter &rewriter) const override {
    if (givesTensors(op) || llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
      return rewriter.notifyMatchFailure(op, "expected an operator on scalars alone");
    Type result = op->getResult(0).getType();
    if (!result.isIntOrFloat() ||
        llvm::any_of(op->getOperandTypes(), llvm::IsaPred<NumberType, OptionalType, ComplexType>))
      return rewriter.notifyMatchFailure(op, "expected operands whose kind is known");
    Value value = op.emitScalar(rewriter, op->getLoc(), op->getOperands());
    rewriter.replaceOp(op, convertScalar(rewriter, op->getLoc(), value, value.getType(), result));
    return success();
  }
};

/// Has what was built between `before` and `op` say that it is part of what `op` is part of, or of
/// `op`.
static void markParts(Operation *op, Operation *before) {
  if (!wholeOf(op).empty())
    return; // built at the place of `op`, which says it
  Location loc = FusedLoc::get(
      {op->getLoc()}, StringAttr::get(op->getContext(), operatorNameOf(op)), op->getContext());
  for (Operation *part = op->getPrevNode(); part != before; part = part->getPrevNode())
    part->walk([&](Operation *inner) {
      if (inner->getLoc() == op->getLoc())
        inner->setLoc(loc);
    });
}

/// An operator with a decomposition is replaced by it.
struct Decompose : OpInterfaceRewritePattern<DecomposableOpInterface> {
  Decompose(MLIRContext *context, bool valuesOnly, std::function<bool(Operation *)> accept = {})
      : OpInterfaceRewritePattern(context), valuesOnly(valuesOnly), accept(std::move(accept)) {}

  LogicalResult matchAndRewrite(DecomposableOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (valuesOnly && givesTensors(op) && !op->hasTrait<PicksElement>() &&
        !op->hasTrait<DecomposesEarly>() && !op->hasAttr(autocastAttr))
      return rewriter.notifyMatchFailure(op, "expected an operator that no stage sees whole");
    if (givesTensors(op) && takesComplex(op) && !decomposesForComplex(op))
      return rewriter.notifyMatchFailure(op, "expected a body that holds for complex elements");
    if (accept && !accept(op))
      return rewriter.notifyMatchFailure(op, "expected an operator that the pass accepts");
    Operation *before = op->getPrevNode();
    auto [values, needs] = op.decompose(rewriter);
    if (failed(values)) {
      // What a body built before it gave up would be tidied away and built again for ever.
      while (op->getPrevNode() != before)
        rewriter.eraseOp(op->getPrevNode());
      return rewriter.notifyMatchFailure(op, "expected more to be known of its operands" +
                                                 needsClause(needs));
    }
    markParts(op, before);
    if (valuesOnly)
      copyOperands(rewriter, op, *values);
    // What the body gave may be known better or less well than what was inferred before.
    for (auto [value, result] : llvm::zip(*values, op->getResults())) {
      if (Type met = meetTypes(value.getType(), result.getType()))
        if (isa<TensorType>(met) && value.getDefiningOp<AtenOpInterface>())
          value.setType(met);
      // Users other than operators hold to the type that they saw.
      value = castTo(rewriter, op->getLoc(), value, result.getType());
    }
    rewriter.replaceOp(op, *values);
    return success();
  }

  bool valuesOnly;
  std::function<bool(Operation *)> accept;
};

/// What is split into as many parts as the call tells is unpacked into as many as there are names.
struct UnpackOpenParts : OpRewritePattern<ListUnpackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ListUnpackOp op, PatternRewriter &rewriter) const override {
    GraphBuilder build{rewriter, op.getLoc()};
    auto parts = openParts(build, op.getList(), op.getNumResults());
    if (!parts)
      return rewriter.notifyMatchFailure(op, "expected a dimension of open size that is split");
    SmallVector<Value> values;
    for (auto [part, type] : llvm::zip_equal(*parts, op.getResultTypes()))
      values.push_back(castTo(rewriter, op.getLoc(), part.v, type));
    rewriter.replaceOp(op, values);
    return success();
  }
};

} // namespace

/// What `use` says of what the decomposition of `op` gives, which is not kept.
template <typename Use> static auto withDecomposed(DecomposableOpInterface op, Use use) {
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) { return success(); });
  Operation *before = op->getPrevNode();
  OpBuilder builder(op);
  auto found = use(op.decompose(builder));
  while (op->getPrevNode() != before)
    op->getPrevNode()->erase();
  return found;
}

bool decomposes(Operation *op) {
  auto decomposable = dyn_cast<DecomposableOpInterface>(op);
  return decomposable &&
         withDecomposed(decomposable, [](const Decomposed &got) { return succeeded(got.values); });
}

StringRef needsOf(Operation *op) {
  if (isa<aten::CustomOp>(op))
    return "the sizes of its tensors and the values of its ints, bools and strings while it is "
           "compiled";
  auto decomposable = dyn_cast<DecomposableOpInterface>(op);
  if (!decomposable)
    return {};
  return withDecomposed(decomposable, [](const Decomposed &got) { return got.needs; });
}

StringRef wholeOf(Operation *op) {
  Location loc = op->getLoc();
  while (auto call = dyn_cast<CallSiteLoc>(loc))
    loc = call.getCallee();
  auto fused = dyn_cast<FusedLoc>(loc);
  auto whole = fused ? dyn_cast_if_present<StringAttr>(fused.getMetadata()) : StringAttr();
  return whole ? whole.getValue() : StringRef();
}

std::string wholeClause(Operation *op) {
  StringRef whole = wholeOf(op);
  return whole.empty() ? "" : ", part of " + whole.str();
}

std::string missingLowering(Operation *op) {
  return ("expected an operator with a lowering, got " + operatorNameOf(op) + wholeClause(op) +
          needsClause(needsOf(op)))
      .str();
}

void populateScalarExpansionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandScalarOp, ToComplexOverload>(patterns.getContext());
}

void populateValueDecompositionPatterns(RewritePatternSet &patterns,
                                        std::function<bool(Operation *)> accept) {
  patterns.add<UnpackOpenParts>(patterns.getContext());
  patterns.add<Decompose>(patterns.getContext(), /*valuesOnly=*/true, std::move(accept));
}

void populateDecompositionPatterns(RewritePatternSet &patterns,
                                   std::function<bool(Operation *)> accept) {
  patterns.add<Decompose>(patterns.getContext(), /*valuesOnly=*/false, std::move(accept));
}

FailureOr<bool> refineResultTypes(Operation *op) {
  auto infer = dyn_cast<InferTypeOpInterface>(op);
  if (!infer || !isa<AtenOpInterface>(op))
    return false;
  SmallVector<Type> inferred;
  if (failed(infer.inferReturnTypes(op->getContext(), op->getLoc(), op->getOperands(),
                                    op->getAttrDictionary(), op->getPropertiesStorage(),
                                    op->getRegions(), inferred)) ||
      failed(checkSizes(op->getLoc(), inferred)))
    return failure();
  bool changed = false;
  for (auto [result, type] : llvm::zip(op->getResults(), inferred)) {
    Type met = meetTypes(result.getType(), type);
    if (!met)
      return op->emitOpError("expected a result of type ") << result.getType() << ", got " << type;
    changed |= met != result.getType();
    result.setType(met);
  }
  return changed;
}

} // namespace jit
