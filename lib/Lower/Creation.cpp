//===- Creation.cpp - lowering of operators that make tensors -------------===//

#include "jit/Dialect/Aten/Creation.h"
#include "Lower.h"
#include "Sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

/// A Python number as an element of graph type `dtype`; null where its kind is not known.
static Value asElement(OpBuilder &b, Location loc, Value number, Type dtype) {
  if (!number.getType().isIntOrFloat() || !dtype.isIntOrFloat())
    return {};
  return convertScalar(b, loc, number, number.getType(), dtype);
}

/// Complex elements of a real number, as pairs in the last dimension.
static Value filledPairs(OpBuilder &b, Location loc, RankedTensorType type, Value real) {
  auto body = [&](OpBuilder &b, Location loc, ValueRange) -> Value {
    Value part = linalg::IndexOp::create(b, loc, type.getRank() - 1);
    Value first = arith::ConstantIndexOp::create(b, loc, 0);
    Value isReal = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, part, first);
    return arith::SelectOp::create(b, loc, isReal, real,
                                   constantOf(b, loc, type.getElementType(), 0));
  };
  return elementwise(b, loc, type, ValueRange(), body);
}

namespace {

struct LowerFull : OpConversionPattern<aten::FullOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::FullOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (auto complex = dyn_cast<ComplexType>(dtypeOf(op.getResult()))) {
      auto type = loweredType(op.getResult());
      Value real =
          asElement(rewriter, op.getLoc(), adaptor.getFillValue(), complex.getElementType());
      if (!real || !type.hasStaticShape())
        return rewriter.notifyMatchFailure(op, "expected known sizes and a number of known kind");
      rewriter.replaceOp(op, filledPairs(rewriter, op.getLoc(), type, real));
      return success();
    }
    Value element =
        asElement(rewriter, op.getLoc(), adaptor.getFillValue(), dtypeOf(op.getResult()));
    if (!element)
      return rewriter.notifyMatchFailure(op, "expected a real number of known kind");
    auto type = loweredType(op.getResult());
    auto listed = ListInfo(op.getSize()).elements;
    if (!type.hasStaticShape() && !listed)
      return rewriter.notifyMatchFailure(op, "expected a list of sizes");
    Sizes sizes = staticSizes(type);
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (type.isDynamicDim(dim))
        size = arith::IndexCastOp::create(rewriter, op.getLoc(), rewriter.getIndexType(),
                                          (*listed)[dim])
                   .getResult();
    rewriter.replaceOp(op, filled(rewriter, op.getLoc(), type, sizes, element));
    return success();
  }
};

struct LowerTensor : OpConversionPattern<aten::TensorOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::TensorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    SmallVector<Value> numbers;
    if (!collect(op.getData(), numbers) || int64_t(numbers.size()) != type.getNumElements())
      return rewriter.notifyMatchFailure(op, "expected nested lists of equal lengths");
    SmallVector<Value> elements;
    SmallVector<Attribute> constants;
    for (Value number : numbers) {
      Value element = asElement(rewriter, op.getLoc(), number, dtypeOf(op.getResult()));
      if (!element)
        return rewriter.notifyMatchFailure(op, "expected real numbers of known kind");
      elements.push_back(element);
      Attribute constant;
      if (matchPattern(element, m_Constant(&constant)))
        constants.push_back(constant);
    }
    if (constants.size() == elements.size())
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, DenseElementsAttr::get(type, constants));
    else
      rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(op, type, elements);
    return success();
  }

private:
  static bool collect(Value list, SmallVectorImpl<Value> &numbers) {
    if (!isa<ListType>(list.getType())) {
      numbers.push_back(list);
      return true;
    }
    ListInfo info(list);
    return info.elements &&
           llvm::all_of(*info.elements, [&](Value element) { return collect(element, numbers); });
  }
};

/// Ends the call unless a distance is not negative, or not positive.
static void guardDirection(OpBuilder &b, Location loc, Value distance, bool isForward) {
  Value zero = constantOf(b, loc, distance.getType(), 0);
  auto whole = isForward ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle;
  auto real = isForward ? arith::CmpFPredicate::OGE : arith::CmpFPredicate::OLE;
  Value leads = isa<FloatType>(distance.getType())
                    ? Value(arith::CmpFOp::create(b, loc, real, distance, zero))
                    : Value(arith::CmpIOp::create(b, loc, whole, distance, zero));
  GuardOp::create(b, loc, leads, "builtins.RuntimeError",
                  "expected a step that leads from the start to the end", ValueRange());
}

/// How many numbers there are before the end; nullopt where the step is not known.
static std::optional<OpFoldResult> countBetween(OpBuilder &b, Location loc, Value start, Value end,
                                                Value step) {
  Attribute known;
  if (!end || !matchPattern(step, m_Constant(&known)))
    return std::nullopt;
  Value count;
  if (auto by = dyn_cast<IntegerAttr>(known); by && by.getInt() != 0) {
    Value distance = arith::SubIOp::create(b, loc, end, start);
    guardDirection(b, loc, distance, by.getInt() > 0);
    int64_t rest = by.getInt() > 0 ? by.getInt() - 1 : by.getInt() + 1;
    Value most =
        arith::AddIOp::create(b, loc, distance, constantOf(b, loc, step.getType(), double(rest)));
    count = arith::DivSIOp::create(b, loc, most, step);
  } else if (auto by = dyn_cast<FloatAttr>(known); by && !by.getValue().isZero()) {
    Value distance = arith::SubFOp::create(b, loc, end, start);
    guardDirection(b, loc, distance, !by.getValue().isNegative());
    Value steps = arith::DivFOp::create(b, loc, distance, step);
    count = arith::FPToSIOp::create(b, loc, b.getI64Type(), math::CeilOp::create(b, loc, steps));
  } else {
    return std::nullopt;
  }
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), count).getResult();
}

/// Elements that follow from their place alone.
struct LowerArange : OpConversionPattern<aten::ArangeStartStepOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::ArangeStartStepOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type dtype = dtypeOf(op.getResult());
    // PyTorch counts in the widest type of the kind.
    Type wide = isa<FloatType>(dtype) ? Type(rewriter.getF64Type()) : Type(rewriter.getI64Type());
    Value start = asElement(rewriter, op.getLoc(), adaptor.getStart(), wide);
    Value step = asElement(rewriter, op.getLoc(), adaptor.getStep(), wide);
    if (!start || !step || !dtype.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "expected real numbers of known kind");
    auto body = [&](OpBuilder &b, Location loc, ValueRange) -> Value {
      Value place = linalg::IndexOp::create(b, loc, 0);
      Value count = arith::IndexCastOp::create(b, loc, b.getI64Type(), place);
      count = convertScalar(b, loc, count, b.getI64Type(), wide);
      Value value = isa<FloatType>(wide)
                        ? Value(arith::AddFOp::create(b, loc, start,
                                                      arith::MulFOp::create(b, loc, count, step)))
                        : Value(arith::AddIOp::create(b, loc, start,
                                                      arith::MulIOp::create(b, loc, count, step)));
      return convertScalar(b, loc, value, wide, dtype);
    };
    auto type = loweredType(op.getResult());
    Sizes sizes = staticSizes(type);
    if (type.isDynamicDim(0)) {
      bool isFraction = llvm::any_of(op.getOperands().take_front(3),
                                     [](Value number) { return number.getType().isF64(); });
      if (isFraction && isa<IntegerType>(dtype) && !dtype.isInteger(64))
        return rewriter.notifyMatchFailure(op, "expected whole bounds of narrow whole numbers");
      Value end = asElement(rewriter, op.getLoc(), adaptor.getEnd(), wide);
      auto count = countBetween(rewriter, op.getLoc(), start, end, step);
      if (!count)
        return rewriter.notifyMatchFailure(op, "expected a step that is known, and not 0");
      sizes[0] = *count;
    }
    rewriter.replaceOp(op, elementwise(rewriter, op.getLoc(), type, sizes, ValueRange(), body));
    return success();
  }
};

struct LowerLinspace : OpConversionPattern<aten::LinspaceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::LinspaceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type dtype = dtypeOf(op.getResult());
    Type wide = rewriter.getF64Type();
    Location loc = op.getLoc();
    Value start = bound(rewriter, loc, adaptor.getStart(), dtype);
    Value end = bound(rewriter, loc, adaptor.getEnd(), dtype);
    if (!start || !end)
      return rewriter.notifyMatchFailure(op, "expected real numbers of known kind");
    auto type = loweredType(op.getResult());
    Type i64 = rewriter.getI64Type();
    OpFoldResult size = sizeFrom(rewriter, op, adaptor.getSteps(), type);
    Value count = arith::IndexCastOp::create(rewriter, loc, i64, asIndex(rewriter, loc, size));
    Value one = constantOf(rewriter, loc, i64, 1);
    Value last = arith::SubIOp::create(rewriter, loc, count, one);
    Value distance = arith::SubFOp::create(rewriter, loc, end, start);
    Value steps = arith::MaxSIOp::create(rewriter, loc, last, one);
    steps = convertScalar(rewriter, loc, steps, i64, wide);
    Value step = arith::DivFOp::create(rewriter, loc, distance, steps);
    // From the nearer end, so that both are met exactly: rest is less in the second half.
    auto body = [&](OpBuilder &b, Location loc, ValueRange) -> Value {
      Value index = linalg::IndexOp::create(b, loc, 0);
      Value place = arith::IndexCastOp::create(b, loc, i64, index);
      Value rest = arith::SubIOp::create(b, loc, last, place);
      auto offset = [&](Value distance) -> Value {
        Value steps = convertScalar(b, loc, distance, i64, wide);
        return arith::MulFOp::create(b, loc, steps, step);
      };
      Value front = arith::AddFOp::create(b, loc, start, offset(place));
      Value back = arith::SubFOp::create(b, loc, end, offset(rest));
      Value isFront = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, place, rest);
      Value value = arith::SelectOp::create(b, loc, isFront, front, back);
      return convertScalar(b, loc, value, wide, dtype);
    };
    rewriter.replaceOp(op, elementwise(rewriter, loc, type, Sizes{size}, ValueRange(), body));
    return success();
  }

private:
  /// How many elements there are; ends a call that asks for less than none.
  static OpFoldResult sizeFrom(OpBuilder &b, aten::LinspaceOp op, Value steps,
                               RankedTensorType type) {
    if (!type.isDynamicDim(0))
      return b.getIndexAttr(type.getDimSize(0));
    Value zero = constantOf(b, op.getLoc(), b.getI64Type(), 0);
    Value isCount = arith::CmpIOp::create(b, op.getLoc(), arith::CmpIPredicate::sge, steps, zero);
    GuardOp::create(b, op.getLoc(), isCount, "builtins.RuntimeError",
                    "expected a number of steps of 0 or more, got {}", steps);
    return arith::IndexCastOp::create(b, op.getLoc(), b.getIndexType(), steps).getResult();
  }

  /// A bound in double precision, as an element of the result would hold it where those are whole
  /// numbers. Null for what is no real number.
  static Value bound(OpBuilder &b, Location loc, Value number, Type dtype) {
    Type wide = b.getF64Type();
    if (!dtype.isIntOrFloat() || isa<FloatType>(dtype))
      return dtype.isIntOrFloat() ? asElement(b, loc, number, wide) : Value();
    Value whole = asElement(b, loc, number, b.getI64Type());
    if (!whole)
      return {};
    Value held = convertScalar(b, loc, whole, b.getI64Type(), dtype);
    return convertScalar(b, loc, held, dtype, wide);
  }
};

} // namespace

void populateCreationLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerFull, LowerTensor, LowerArange, LowerLinspace>(types, patterns.getContext());
}

} // namespace jit
