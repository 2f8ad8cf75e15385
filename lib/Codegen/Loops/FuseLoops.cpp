//===- FuseLoops.cpp - elementwise ops into their consumers ---------------===//
#include "Analysis/LoopOrder.h"
#include "Analysis/ProductNest.h"
#include "jit/Codegen/Loops/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace jit::codegen {
#define GEN_PASS_DEF_FUSELOOPS
#include "jit/Codegen/Loops/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// The iterations of all loops together; open sizes are guessed.
static double iterations(linalg::LinalgOp op) {
  double total = 1;
  for (int64_t size : op.getStaticLoopRanges())
    total *= double(jit::codegen::guessedSize(size));
  return total;
}

/// True for a transposition that lays an operand out for ops that read each element many times, as
/// products do: read in place, the wrong way would be gone as often.
static bool isPacking(linalg::LinalgOp op) {
  return isa<linalg::TransposeOp>(op) && llvm::any_of(op->getUsers(), [&](Operation *user) {
           auto reader = dyn_cast<linalg::LinalgOp>(user);
           return reader && reader.getNumReductionLoops() > 0 &&
                  iterations(reader) > iterations(op);
         });
}

/// True for named ops without reductions or windows: they say nothing that their loops don't.
static bool isPlainElementwise(linalg::LinalgOp op) {
  return !isa<linalg::GenericOp, linalg::FillOp>(op) && op.getNumReductionLoops() == 0 &&
         !isPacking(op) && !linalg::isaConvolutionOpInterface(op) &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation(/*allowZeroInResults=*/true);
         });
}

/// True if the producer reads windows of which the consumer asks for one place alone: the fused op
/// would seem to go along all that the windows lie in. Fused, `(d0, d1) -> (d0 * 3 + d1)` of
/// `(d0) -> (0, d0)` is `(d0) -> (d0)`.
static bool losesWindows(linalg::LinalgOp producer, OpOperand *operand, linalg::LinalgOp consumer) {
  AffineMap result = producer.getIndexingMapMatchingResult(cast<OpResult>(operand->get()));
  AffineMap inverse = inversePermutation(result);
  if (!inverse)
    return false; // upstream does not fuse it
  AffineMap asked = inverse.compose(consumer.getMatchingIndexingMap(operand));
  SmallVector<int64_t> ranges = consumer.getStaticLoopRanges();
  return llvm::any_of(producer->getOpOperands(), [&](OpOperand &read) {
    AffineMap own = producer.getMatchingIndexingMap(&read), fused = own.compose(asked);
    ArrayRef<int64_t> shape = producer.getShape(&read);
    return llvm::any_of(llvm::seq<unsigned>(own.getNumResults()), [&](unsigned i) {
      auto dim = dyn_cast<AffineDimExpr>(fused.getResult(i));
      return dim && !isa<AffineDimExpr>(own.getResult(i)) && shape[i] != ranges[dim.getPosition()];
    });
  });
}

/// True for a product of open rows whose rows the producer gathers from windows: read where they
/// lie these are no rows of one length, so that the product would be plain loops.
static bool losesRows(linalg::LinalgOp producer, linalg::LinalgOp consumer) {
  auto isWindow = [](AffineMap map) {
    return !map.isProjectedPermutation(/*allowZeroInResults=*/true);
  };
  if (consumer.getNumReductionLoops() == 0 ||
      llvm::none_of(producer.getIndexingMapsArray(), isWindow))
    return false;
  auto nest = jit::codegen::matchProduct(consumer);
  return succeeded(nest) && !nest->openDims.empty();
}

/// About how many instructions an element takes; a function of `math` becomes a polynomial.
static int64_t instructions(linalg::LinalgOp op) {
  int64_t count = 0;
  for (Operation &inner : *op.getBlock())
    count += isa_and_nonnull<math::MathDialect>(inner.getDialect()) ? 32 : 1;
  return count;
}

/// LLVM's work grows with the square of a loop's length. Beside so many instructions a pass over
/// memory is little.
static constexpr int64_t maxInstructions = 2048;

/// True if computing the producer of `operand` inside its consumer does no work twice. A producer
/// that merely moves elements may be repeated: a broadcast is cheaper than a buffer of it.
static bool fusionPays(OpOperand *operand) {
  auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  if (!consumer || !producer || !operand->get().hasOneUse())
    return false;
  // The other results would have to be stored from within a reduction; so would one that the
  // producer updates.
  bool updates = llvm::any_of(producer.getDpsInitsMutable(), [&](OpOperand &init) {
    return producer.payloadUsesValueFromOperand(&init);
  });
  if ((producer->getNumResults() > 1 || updates) && consumer.getNumReductionLoops() > 0)
    return false;
  if (instructions(producer) + instructions(consumer) > maxInstructions)
    return false;
  if (losesWindows(producer, operand, consumer) || losesRows(producer, consumer))
    return false;
  if (producer.getBlock()->getOperations().size() == 1)
    return true;
  return iterations(consumer) <= iterations(producer);
}

/// Lets an elementwise op write over an operand that was computed for it alone: half the memory
/// traffic, and a product before it is computed in the final place.
static void reuseDeadOperand(linalg::GenericOp op) {
  if (op.getNumReductionLoops() != 0)
    return;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (!init.get().getDefiningOp<tensor::EmptyOp>() || op.payloadUsesValueFromOperand(&init))
      continue;
    auto isFree = [&](OpOperand *input) {
      AffineMap map = op.getMatchingIndexingMap(input);
      return map == op.getMatchingIndexingMap(&init) && map.isPermutation() &&
             input->get().getType() == init.get().getType() && input->get().hasOneUse() &&
             input->get().getDefiningOp<linalg::LinalgOp>();
    };
    SmallVector<OpOperand *> inputs = op.getDpsInputOperands();
    if (auto *dead = llvm::find_if(inputs, isFree); dead != inputs.end())
      init.set((*dead)->get()); // which has two uses now and serves no other output
  }
}

namespace {
/// Breaks up ops that are made of several loops, e.g. linalg.softmax.
struct DecomposeAggregates : OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op,
                                PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
    if (failed(values))
      return rewriter.notifyMatchFailure(op, "expected an op that decomposes");
    rewriter.replaceOp(op, *values);
    return success();
  }
};

/// The loops of a reduction that may have no iterations.
static SmallVector<unsigned> possiblyEmptyLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction &&
        (size == 0 || ShapedType::isDynamic(size)))
      loops.push_back(loop);
  return loops;
}

/// Whether all of these loops have iterations.
static Value areTaken(OpBuilder &b, linalg::LinalgOp op, ArrayRef<unsigned> loops) {
  Location loc = op.getLoc();
  SmallVector<Range, 4> ranges = op.createLoopRanges(b, loc);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0), all;
  for (unsigned loop : loops) {
    Value size = getValueOrCreateConstantIndexOp(b, loc, ranges[loop].size);
    Value is = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, size, zero);
    all = all ? arith::AndIOp::create(b, loc, all, is) : is;
  }
  return all;
}

/// Of a reduction that gives one number whatever it reads, upstream drops what it begins with,
/// which is the result where nothing is read: it is chosen in the open then.
struct KeepInitOfEmpty : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    auto loops = possiblyEmptyLoops(cast<linalg::LinalgOp>(*op));
    if (loops.empty() || op.getNumResults() != 1 || !op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "expected one tensor, of perhaps no elements");
    TypedAttr number;
    Value given = cast<linalg::YieldOp>(op.getBody()->getTerminator()).getOperand(0);
    OpOperand &begin = op.getDpsInitsMutable()[0];
    if (!op.getMatchingBlockArgument(&begin).use_empty() ||
        !matchPattern(given, m_Constant(&number)))
      return rewriter.notifyMatchFailure(op, "expected a number that no element decides");
    Value isSome = areTaken(rewriter, cast<linalg::LinalgOp>(*op), loops);
    Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), number);
    auto choose = [&](OpBuilder &b, Location loc, ValueRange args) {
      Value chosen = arith::SelectOp::create(b, loc, isSome, constant, args[0]);
      linalg::YieldOp::create(b, loc, chosen);
    };
    auto type = cast<RankedTensorType>(begin.get().getType());
    SmallVector<utils::IteratorType> kinds(type.getRank(), utils::IteratorType::parallel);
    SmallVector<AffineMap> maps{rewriter.getMultiDimIdentityMap(unsigned(type.getRank()))};
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(op, TypeRange(type), ValueRange(), begin.get(),
                                                   maps, kinds, choose);
    return success();
  }
};

struct FuseLoops : jit::codegen::impl::FuseLoopsBase<FuseLoops> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    RewritePatternSet decompose(&getContext());
    decompose.add<DecomposeAggregates>(&getContext());
    tensor::populateDecomposeTensorConcatPatterns(decompose);
    if (failed(applyPatternsGreedily(func, std::move(decompose))))
      return signalPassFailure();

    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> named;
    func.walk([&](linalg::LinalgOp op) {
      if (isPlainElementwise(op))
        named.push_back(op);
    });
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      (void)linalg::generalizeNamedOp(rewriter, op);
    }

    RewritePatternSet patterns(&getContext());
    patterns.add<KeepInitOfEmpty>(&getContext(), /*benefit=*/2);
    linalg::populateElementwiseOpsFusionPatterns(patterns, fusionPays);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(func, std::move(patterns))))
      return signalPassFailure();
    func.walk(reuseDeadOperand);
  }
};
} // namespace
