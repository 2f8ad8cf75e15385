//===- PeepholeArithmetic.cpp - neutral numbers, exact constants ----------===//

#include "Matchers.h"
#include "Peephole.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Pointwise.h"

#include <cmath>

using namespace mlir;

namespace jit {

/// True if the operator gives a tensor of the very type of `operand`: nothing was broadcast or
/// promoted.
static bool keepsType(Operation *op, Value operand) {
  return staticType(operand) && op->getResult(0).getType() == operand.getType();
}

static bool isFloat(Value tensor) {
  TensorType type = staticType(tensor);
  return type && isa<FloatType>(type.getDtype());
}

/// The exponent of a number that is a power of two, itself and its inverse normal in every type
/// that products are computed in.
static std::optional<int> exponentOf(std::optional<double> number) {
  int exponent;
  if (std::abs(std::frexp(number.value_or(0.0), &exponent)) != 0.5) // nor of an infinity or NaN
    return std::nullopt;
  --exponent;
  return std::abs(exponent) <= 126 ? std::optional(exponent) : std::nullopt;
}

namespace {

//===----------------------------------------------------------------------===//
// Neutral numbers
//===----------------------------------------------------------------------===//

/// x * 1 and x / 1 are x.
template <typename OpTy> struct DropFactorOne : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    if (knownNumber(op.getOther()) != 1.0 || !keepsType(op, op.getSelf()))
      return rewriter.notifyMatchFailure(op, "expected a factor of 1 that converts nothing");
    rewriter.replaceOp(op, op.getSelf());
    return success();
  }
};

/// So they are where the 1 is every element of a tensor.
template <typename OpTy> struct DropOnes : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    constexpr bool isProduct = std::is_same_v<OpTy, aten::MulTensorOp>;
    for (bool swapped : {false, true}) {
      Value kept = swapped ? op.getOther() : op.getSelf();
      Value ones = swapped ? op.getSelf() : op.getOther();
      if ((swapped && !isProduct) || splatOf(ones) != 1.0 || !keepsType(op, kept))
        continue;
      rewriter.replaceOp(op, kept);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "expected a factor of ones that broadcasts nothing");
  }
};

/// x - 0 is x, for integers x + 0 as well: -0.0 + 0.0 is 0.0, so floats want -0.0 added.
template <typename OpTy, bool isSum> struct DropTermZero : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto term = knownNumber(op.getOther());
    if (term != 0.0 || knownNumber(op.getAlpha()) != 1.0 || !keepsType(op, op.getSelf()))
      return rewriter.notifyMatchFailure(op, "expected a term of 0 that converts nothing");
    if (isFloat(op.getSelf()) && std::signbit(*term) != isSum)
      return rewriter.notifyMatchFailure(op, "expected a zero that keeps the sign of zeros");
    rewriter.replaceOp(op, op.getSelf());
    return success();
  }
};

struct DropNegTwice : OpRewritePattern<aten::NegOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::NegOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getSelf().getDefiningOp<aten::NegOp>();
    if (!inner || !keepsType(op, inner.getSelf()))
      return rewriter.notifyMatchFailure(op, "expected the negative of a negative");
    rewriter.replaceOp(op, inner.getSelf());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Numbers that combine
//===----------------------------------------------------------------------===//

/// A division by a power of two is the product with its inverse, bit for bit.
struct DivideByProduct : OpRewritePattern<aten::DivScalarOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::DivScalarOp op, PatternRewriter &rewriter) const override {
    auto number = knownNumber(op.getOther());
    // Integers divided are floats, of another type.
    if (!exponentOf(number) || !keepsType(op, op.getSelf()))
      return rewriter.notifyMatchFailure(op, "expected floats divided by a power of two");
    GraphBuilder build{rewriter, op.getLoc()};
    rewriter.replaceOp(op,
                       build.op<aten::MulScalarOp>(Tensor(build, op.getSelf()), 1.0 / *number).v);
    return success();
  }
};

/// (x * a) * b is x * (a * b): for integers always, for floats where both are powers of two not
/// less than 1, so that no step between loses a bit that the end has.
struct MergeFactors : OpRewritePattern<aten::MulScalarOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(aten::MulScalarOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getSelf().getDefiningOp<aten::MulScalarOp>();
    if (!inner || !keepsType(op, inner.getSelf()))
      return rewriter.notifyMatchFailure(op, "expected a product of a product");
    GraphBuilder build{rewriter, op.getLoc()};
    Tensor x(build, inner.getSelf());
    IntInfo first(inner.getOther()), second(op.getOther());
    if (!isFloat(x.v) && first.known && second.known) {
      auto product = int64_t(uint64_t(*first.known) * uint64_t(*second.known));
      rewriter.replaceOp(op, build.op<aten::MulScalarOp>(x, product).v);
      return success();
    }
    auto a = knownNumber(inner.getOther()), b = knownNumber(op.getOther());
    // Of integers one factor is unknown here.
    if (exponentOf(a).value_or(-1) < 0 || exponentOf(b).value_or(-1) < 0 || !exponentOf(*a * *b))
      return rewriter.notifyMatchFailure(op, "expected factors whose product is as exact as both");
    rewriter.replaceOp(op, build.op<aten::MulScalarOp>(x, *a * *b).v);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// One number in every element
//===----------------------------------------------------------------------===//

/// A part of a tensor of one number has that number.
struct SplatOfView : OpInterfaceRewritePattern<ViewOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ViewOpInterface op, PatternRewriter &rewriter) const override {
    TensorType type = staticType(op->getResult(0));
    auto number = splatOf(op->getOperand(0));
    if (!type || !number || type.getDtype() != TensorInfo(op->getOperand(0)).dtype())
      return rewriter.notifyMatchFailure(op, "expected a view of one number");
    GraphBuilder build{rewriter, op->getLoc()};
    Any fill = isFloat(op->getResult(0)) ? Any(build.f(*number)) : Any(build.i(*number));
    Any none = build.none();
    rewriter.replaceOp(op, build
                               .op<aten::FullOp>(build.ints(type.getSizes()), fill,
                                                 int64_t(*typeToDtype(type.getDtype())), none, none,
                                                 none)
                               .v);
    return success();
  }
};

/// An operand of one number need not be a tensor. Narrow floats would round it before.
template <typename TensorOp, typename ScalarOp> struct SplatToScalar : OpRewritePattern<TensorOp> {
  using OpRewritePattern<TensorOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(TensorOp op, PatternRewriter &rewriter) const override {
    constexpr bool isProduct = std::is_same_v<TensorOp, aten::MulTensorOp>;
    for (bool swapped : {false, true}) {
      Value kept = swapped ? op.getOther() : op.getSelf();
      Value splat = swapped ? op.getSelf() : op.getOther();
      auto number = splatOf(splat);
      bool isWide = isFloat(kept) && staticType(kept).getDtype().getIntOrFloatBitWidth() >= 32;
      if (!number || !isWide || !keepsType(op, kept) ||
          TensorInfo(splat).dtype() != staticType(kept).getDtype())
        continue;
      SmallVector<Value> operands(op->getOperands());
      if (swapped && !isProduct && knownNumber(operands[2]) != 1.0)
        continue;
      GraphBuilder build{rewriter, op.getLoc()};
      operands[0] = kept;
      operands[1] = build.f(*number).v;
      OperationName name(ScalarOp::getOperationName(), op.getContext());
      if (Operation *scalar = createInferred(rewriter, op.getLoc(), name, operands)) {
        rewriter.replaceOp(op, scalar->getResults());
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "expected an operand of one number");
  }
};

} // namespace

void populateArithmeticPeepholes(RewritePatternSet &patterns) {
  patterns.add<DropFactorOne<aten::MulScalarOp>, DropFactorOne<aten::DivScalarOp>,
               DropOnes<aten::MulTensorOp>, DropOnes<aten::DivTensorOp>,
               DropTermZero<aten::AddScalarOp, true>, DropTermZero<aten::SubScalarOp, false>,
               DropNegTwice, DivideByProduct, MergeFactors, SplatOfView,
               SplatToScalar<aten::MulTensorOp, aten::MulScalarOp>,
               SplatToScalar<aten::AddTensorOp, aten::AddScalarOp>>(patterns.getContext());
}

} // namespace jit
