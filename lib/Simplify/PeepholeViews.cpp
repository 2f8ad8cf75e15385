//===- PeepholeViews.cpp - views, transposes, conversions -----------------===//

#include "Matchers.h"
#include "Peephole.h"
#include "jit/Dialect/Aten/AffineInt.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

namespace {

//===----------------------------------------------------------------------===//
// Sizes and orders
//===----------------------------------------------------------------------===//

/// The same elements twice under other sizes: once.
struct MergeViews : OpRewritePattern<aten::ViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::ViewOp op, PatternRewriter &rewriter) const override {
    TensorType type = staticType(op);
    Value source = type == op.getSelf().getType() ? op.getSelf() : reshapedSource(op.getSelf());
    if (!type || !source)
      return rewriter.notifyMatchFailure(op, "expected a view of a view, of known sizes");
    GraphBuilder build{rewriter, op.getLoc()};
    rewriter.replaceOp(op, viewed(Tensor(build, source), type.getSizes()).v);
    return success();
  }
};

/// Dimensions reordered twice are reordered once, or not at all.
struct MergePermutations : OpInterfaceRewritePattern<ViewOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ViewOpInterface op, PatternRewriter &rewriter) const override {
    auto outer = permutationOf(op);
    if (!outer)
      return rewriter.notifyMatchFailure(op, "expected dimensions in another order");
    Operation *source = op->getOperand(0).getDefiningOp();
    auto inner = permutationOf(source);
    bool isIdentity = llvm::equal(*outer, llvm::seq<int64_t>(outer->size()));
    if (!inner && !isIdentity)
      return rewriter.notifyMatchFailure(op, "expected a transpose of a transpose");
    Value from = inner ? source->getOperand(0) : op->getOperand(0);
    SmallVector<int64_t> order;
    for (int64_t dim : *outer)
      order.push_back(inner ? (*inner)[dim] : dim);
    GraphBuilder build{rewriter, op->getLoc()};
    rewriter.replaceOp(op, permuted(Tensor(build, from), order).v);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// Converted to a type that holds every value of its own, and back.
struct DropConversionAndBack : OpRewritePattern<aten::ToDTypeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::ToDTypeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getSelf().getDefiningOp<aten::ToDTypeOp>();
    if (!inner || !staticType(op) || !staticType(inner) ||
        op.getType() != inner.getSelf().getType() ||
        !holdsAll(staticType(inner).getDtype(), staticType(op).getDtype()))
      return rewriter.notifyMatchFailure(op, "expected a conversion to a wider type and back");
    rewriter.replaceOp(op, inner.getSelf());
    return success();
  }

private:
  /// f32 holds f16 and bf16, f64 all of them. A wider integer keeps the bits of a narrower one.
  static bool holdsAll(Type wide, Type narrow) {
    return isa<FloatType>(narrow) == isa<FloatType>(wide) &&
           wide.getIntOrFloatBitWidth() > narrow.getIntOrFloatBitWidth();
  }
};

//===----------------------------------------------------------------------===//
// Slices just written
//===----------------------------------------------------------------------===//

struct ReadWhatWasWritten : OpRewritePattern<aten::SelectIntOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::SelectIntOp op, PatternRewriter &rewriter) const override {
    auto scatter = op.getSelf().getDefiningOp<aten::SelectScatterOp>();
    bool isSame = scatter && scatter.getIndex() == op.getIndex() &&
                  IntInfo(scatter.getDim()).known &&
                  IntInfo(scatter.getDim()).known == IntInfo(op.getDim()).known;
    if (!isSame || !staticType(op) || scatter.getSrc().getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "expected the slice that was just written");
    rewriter.replaceOp(op, scatter.getSrc());
    return success();
  }
};

/// Nothing of a tensor is left that slices one after the other have overwritten altogether: the
/// gradient of what was split into gates.
struct DropOverwritten : OpRewritePattern<aten::SliceScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::SliceScatterOp op, PatternRewriter &rewriter) const override {
    TensorType type = staticType(op);
    auto dim = IntInfo(op.getDim()).known;
    if (!type || !dim || *dim < -type.getRank() || *dim >= type.getRank())
      return rewriter.notifyMatchFailure(op, "expected known sizes");
    int64_t size = type.getSizes()[*dim < 0 ? *dim + type.getRank() : *dim];
    SmallVector<std::pair<int64_t, int64_t>> written;
    aten::SliceScatterOp last = op;
    for (auto link = op; link && (link == op || link->hasOneUse());
         link = link.getSelf().getDefiningOp<aten::SliceScatterOp>()) {
      SliceExtent extent = sliceExtent(size, link.getStart(), link.getEnd(), link.getStep());
      if (IntInfo(link.getDim()).known != dim || IntInfo(link.getStep()).known != 1 || !extent.at)
        break;
      written.push_back({*extent.at, *extent.at + extent.length});
      last = link;
    }
    if (last.getSelf().getDefiningOp<PoisonOp>() || !covers(written, size))
      return rewriter.notifyMatchFailure(op, "expected slices that cover their dimension");
    rewriter.setInsertionPoint(last);
    auto nothing = PoisonOp::create(rewriter, op.getLoc(), last.getSelf().getType());
    rewriter.modifyOpInPlace(last, [&] { last.getSelfMutable().assign(nothing); });
    return success();
  }

private:
  static bool covers(SmallVectorImpl<std::pair<int64_t, int64_t>> &ranges, int64_t size) {
    llvm::sort(ranges);
    int64_t end = 0;
    for (auto [first, last] : ranges) {
      if (first > end)
        return false;
      end = std::max(end, last);
    }
    return end >= size;
  }
};

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// (a @ b).t() is b.t() @ a.t(): products read transposed operands where they lie.
struct TransposeOperands : OpInterfaceRewritePattern<ViewOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ViewOpInterface op, PatternRewriter &rewriter) const override {
    Value matrix = transposedSource(op->getResult(0));
    if (!matrix || !matrix.hasOneUse())
      return rewriter.notifyMatchFailure(op, "expected a transpose, of what nothing else uses");
    auto product = matrix.getDefiningOp<ProductOpInterface>();
    if (!product || product->getNumOperands() != 2)
      return rewriter.notifyMatchFailure(op, "expected the transpose of a product");
    Value a = product->getOperand(0), b = product->getOperand(1);
    // The product is a matrix: of a matrix and something else it would be none.
    if (!staticType(a) || !staticType(b) || staticType(a).getRank() != 2)
      return rewriter.notifyMatchFailure(op, "expected a product of matrices of known sizes");
    GraphBuilder build{rewriter, op->getLoc()};
    auto transposed = [&](Value matrix) {
      return build.op<aten::TransposeIntOp>(Tensor(build, matrix), 0, 1);
    };
    Tensor swapped = build.op<aten::MmOp>(transposed(b), transposed(a));
    rewriter.replaceOp(op, swapped.v);
    return success();
  }
};

} // namespace

void populateViewPeepholes(RewritePatternSet &patterns) {
  patterns.add<MergeViews, MergePermutations, DropConversionAndBack, ReadWhatWasWritten,
               DropOverwritten, TransposeOperands>(patterns.getContext());
}

} // namespace jit
