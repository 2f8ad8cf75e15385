//===- Matmul.cpp - lowering of products of matrices and vectors ----------===//

#include "jit/Dialect/Aten/Matmul.h"
#include "Lower.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

/// The loops of a @ b: batches, rows, columns, then the sum.
namespace {
struct MatmulLoops {
  AffineMap lhs, rhs, out;
};
} // namespace

static MatmulLoops matmulLoops(MLIRContext *context, ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                               ArrayRef<int64_t> out) {
  bool hasRows = a.size() > 1, hasColumns = b.size() > 1;
  unsigned batches = out.size() - hasRows - hasColumns;
  unsigned loops = out.size() + 1;
  AffineExpr rows = getAffineDimExpr(batches, context);
  AffineExpr columns = getAffineDimExpr(batches + hasRows, context);
  AffineExpr sum = getAffineDimExpr(loops - 1, context);
  auto batchOf = [&](ArrayRef<int64_t> sizes) {
    ArrayRef<int64_t> own = sizes.drop_back(std::min<size_t>(2, sizes.size()));
    return llvm::to_vector(broadcastMap(context, own, out.take_front(batches)).getResults());
  };
  SmallVector<AffineExpr> lhs = batchOf(a), rhs = batchOf(b);
  if (hasRows)
    lhs.push_back(rows);
  lhs.push_back(sum);
  rhs.push_back(sum);
  if (hasColumns)
    rhs.push_back(columns);
  return {AffineMap::get(loops, 0, lhs, context), AffineMap::get(loops, 0, rhs, context),
          leadingLoops(context, loops, out.size())};
}

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

/// a @ b + start, where `start` may be null or broadcast.
static Value matmul(OpBuilder &b, Location loc, Value lhs, Value rhs, RankedTensorType type,
                    Type dtype, Value start) {
  MatmulLoops loops = matmulLoops(b.getContext(), shapeOf(lhs), shapeOf(rhs), type.getShape());
  return product(b, loc, {lhs, loops.lhs}, {rhs, loops.rhs}, type, loops.out, dtype, start);
}

static bool isProductType(Type dtype) { return dtype.isIntOrFloat() && !dtype.isInteger(1); }

namespace {

/// mm, bmm, matmul, mv, dot: two operands whose ranks say what they are.
template <typename OpTy> struct LowerMatmul : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type dtype = dtypeOf(op.getResult());
    if (!isProductType(dtype))
      return rewriter.notifyMatchFailure(op, "expected numbers as elements");
    ValueRange operands = adaptor.getOperands();
    rewriter.replaceOp(op, matmul(rewriter, op.getLoc(), operands[0], operands[1],
                                  loweredType(op.getResult()), dtype, Value()));
    return success();
  }
};

/// _wide_matmul, _int_mm: the factors stay halves or bytes in memory, and each is widened where it
/// is multiplied.
template <typename OpTy> struct LowerWideningMatmul : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    Value left = op->getOperand(0), right = op->getOperand(1);
    ValueRange operands = adaptor.getOperands();
    MatmulLoops loops =
        matmulLoops(op.getContext(), shapeOf(operands[0]), shapeOf(operands[1]), type.getShape());
    Factor lhs{operands[0], loops.lhs, dtypeOf(left)};
    Factor rhs{operands[1], loops.rhs, dtypeOf(right)};
    // A weight is read as it lies in memory, where the bytes that meet are side by side.
    auto turned = right.getDefiningOp<aten::PermuteOp>();
    if (isa<aten::IntMmOp>(op) && turned && isTurned(turned)) {
      rhs.tensor = rewriter.getRemappedValue(turned.getSelf());
      rhs.map = AffineMap::get(loops.rhs.getNumDims(), 0,
                               {loops.rhs.getResult(1), loops.rhs.getResult(0)}, op.getContext());
    }
    rewriter.replaceOp(op, product(rewriter, op.getLoc(), lhs, rhs, type, loops.out,
                                   dtypeOf(op.getResult()), Value()));
    return success();
  }

private:
  /// True if rows and columns of a matrix change places.
  static bool isTurned(aten::PermuteOp op) {
    auto dims = ListInfo(op.getDims()).ints();
    return dims && (*dims == ArrayRef<int64_t>{1, 0} || *dims == ArrayRef<int64_t>{-1, -2});
  }
};

/// addmm and its like: what is added is where the sum starts, unless it or the product is scaled.
template <typename OpTy> struct LowerAddedMatmul : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type dtype = dtypeOf(op.getResult());
    Value beta = op.getBeta(), alpha = op.getAlpha();
    if (!isProductType(dtype) || dtypeOf(op.getSelf()) != dtype)
      return rewriter.notifyMatchFailure(op, "expected operands of one type of numbers");
    if (!beta.getType().isIntOrFloat() || !alpha.getType().isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "expected scalars whose kind is known");
    Location loc = op.getLoc();
    auto type = loweredType(op.getResult());
    ValueRange operands = adaptor.getOperands();
    if (isOne(beta) && isOne(alpha)) {
      rewriter.replaceOp(op,
                         matmul(rewriter, loc, operands[1], operands[2], type, dtype, operands[0]));
      return success();
    }
    Value plain = matmul(rewriter, loc, operands[1], operands[2], type, dtype, Value());
    auto weighted = [&](OpBuilder &b, Location loc, ValueRange args) {
      ScalarBuilder build{b, loc, accumulatorOf(dtype)};
      Element self(build, args[0], dtype), sum(build, args[1], dtype);
      Element scaledSelf = Element(build, beta, beta.getType()) * self;
      // Nothing of `self` counts where beta is 0, not even NaN.
      if (isZero(beta))
        scaledSelf = constant(build, 0);
      Element total = scaledSelf + Element(build, alpha, alpha.getType()) * sum;
      return convertScalar(b, loc, total.v, build.compute, dtype);
    };
    rewriter.replaceOp(op,
                       elementwise(rewriter, loc, type, ValueRange{operands[0], plain}, weighted));
    return success();
  }

private:
  static bool isOne(Value scalar) {
    return matchPattern(scalar, m_One()) || matchPattern(scalar, m_OneFloat());
  }
  static bool isZero(Value scalar) {
    return matchPattern(scalar, m_Zero()) || matchPattern(scalar, m_AnyZeroFloat());
  }
};

struct LowerLinear : OpConversionPattern<aten::LinearOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::LinearOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type dtype = dtypeOf(op.getResult());
    if (!isProductType(dtype))
      return rewriter.notifyMatchFailure(op, "expected numbers as elements");
    auto type = loweredType(op.getResult());
    bool hasColumns = loweredType(op.getWeight()).getRank() == 2;
    MLIRContext *context = op.getContext();
    unsigned loops = type.getRank() + 1;
    AffineExpr sum = getAffineDimExpr(loops - 1, context);
    SmallVector<AffineExpr> input, weight;
    for (unsigned i = 0; i + 1 + hasColumns < loops; ++i)
      input.push_back(getAffineDimExpr(i, context));
    input.push_back(sum);
    if (hasColumns)
      weight.push_back(getAffineDimExpr(loops - 2, context));
    weight.push_back(sum);
    Value start;
    if (isa<RankedTensorType>(adaptor.getBias().getType()))
      start = adaptor.getBias();
    rewriter.replaceOp(op, product(rewriter, op.getLoc(),
                                   {adaptor.getInput(), AffineMap::get(loops, 0, input, context)},
                                   {adaptor.getWeight(), AffineMap::get(loops, 0, weight, context)},
                                   type, leadingLoops(context, loops, loops - 1), dtype, start));
    return success();
  }
};

} // namespace

void populateMatmulLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerMatmul<aten::MmOp>, LowerMatmul<aten::BmmOp>, LowerMatmul<aten::MatmulOp>,
               LowerMatmul<aten::MvOp>, LowerMatmul<aten::DotOp>, LowerMatmul<aten::VdotOp>,
               LowerAddedMatmul<aten::AddmmOp>, LowerAddedMatmul<aten::BaddbmmOp>,
               LowerAddedMatmul<aten::AddmvOp>, LowerWideningMatmul<aten::WideMatmulOp>,
               LowerWideningMatmul<aten::IntMmOp>, LowerLinear>(types, patterns.getContext());
}

} // namespace jit
