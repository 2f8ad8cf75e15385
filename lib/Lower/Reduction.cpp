//===- Reduction.cpp - lowering of results over whole dimensions ----------===//

#include "jit/Dialect/Aten/Reduction.h"
#include "Lower.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/ReductionDims.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;

namespace jit {

static bool isReal(Type type) { return type && type.isIntOrFloat(); }

/// Combines two elements of graph type `dtype`.
using Combine = Element (*)(Element a, Element c);
static Element sumOf(Element a, Element c) { return a + c; }
static Element productOf(Element a, Element c) { return a * c; }
static Element smaller(Element a, Element c) { return min(a, c); }
static Element larger(Element a, Element c) { return max(a, c); }
static Element eitherOf(Element a, Element c) { return logicalOr(a, c); }
static Element bothOf(Element a, Element c) { return logicalAnd(a, c); }

/// The indexing maps of an input that is reduced over `dims` and its `outputs` results without
/// them, and the kinds of its loops.
static std::pair<SmallVector<AffineMap>, SmallVector<utils::IteratorType>>
reductionLoops(MLIRContext *context, int64_t rank, ArrayRef<int64_t> dims, unsigned outputs) {
  SmallVector<utils::IteratorType> kinds;
  SmallVector<AffineExpr> kept;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isReduced = llvm::is_contained(dims, dim);
    kinds.push_back(isReduced ? utils::IteratorType::reduction : utils::IteratorType::parallel);
    if (!isReduced)
      kept.push_back(getAffineDimExpr(dim, context));
  }
  SmallVector<AffineMap> maps = {AffineMap::getMultiDimIdentityMap(rank, context)};
  maps.append(outputs, AffineMap::get(rank, 0, kept, context));
  return {maps, kinds};
}

static SmallVector<int64_t> sizesWithout(ArrayRef<int64_t> sizes, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> kept;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!llvm::is_contained(dims, int64_t(dim)))
      kept.push_back(size);
  return kept;
}

namespace {
struct Fold {
  Type from;        // graph type of the elements of the input
  Type accumulator; // graph type in which they are combined
  Value start;
  Combine combine;
  bool changesZeros = false; // one element is not what it gives with the start, as 0 - 0 is 0
};
} // namespace

static Value combined(OpBuilder &b, Location loc, Value element, Value soFar, const Fold &fold) {
  ScalarBuilder build{b, loc, fold.accumulator};
  return fold.combine(Element::raw(build, soFar), Element(build, element, fold.from)).v;
}

/// Each element of `input` combined with the start.
static Value withStart(OpBuilder &b, Location loc, Value input, const Fold &fold) {
  auto type = cast<RankedTensorType>(input.getType()).clone(storageType(fold.accumulator));
  return elementwise(b, loc, type, input, [&](OpBuilder &b, Location loc, ValueRange args) {
    return combined(b, loc, args[0], fold.start, fold);
  });
}

/// Of nothing there is no largest element.
static void guardNotEmpty(OpBuilder &b, Location loc, OpFoldResult size) {
  if (getConstantIntValue(size))
    return;
  Value count = asIndex(b, loc, size), zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value isFilled = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, count, zero);
  GuardOp::create(b, loc, isFilled, "builtins.IndexError",
                  "expected a dimension with elements to find the extreme along, got none",
                  ValueRange());
}

/// The input combined over `dims`, which the result does not have.
static Value reduce(OpBuilder &b, Location loc, Value input, ArrayRef<int64_t> dims,
                    const Fold &fold) {
  auto type = cast<RankedTensorType>(input.getType());
  auto kept = sizesWithout(type.getShape(), dims);
  auto result = RankedTensorType::get(kept, storageType(fold.accumulator));
  Sizes sizes = sizesOf(b, loc, input);
  for (int64_t dim = type.getRank(); dim-- > 0;)
    if (llvm::is_contained(dims, dim))
      sizes.erase(sizes.begin() + dim);
  // Nothing meets but the start: only the sizes change.
  if (llvm::all_of(dims, [&](int64_t dim) { return type.getDimSize(dim) == 1; })) {
    Value elements = fold.changesZeros
                         ? withStart(b, loc, input, fold)
                         : convertedTensor(b, loc, input, fold.from, fold.accumulator);
    return reshaped(b, loc, elements, kept, sizes);
  }
  auto [maps, kinds] = reductionLoops(b.getContext(), type.getRank(), dims, 1);
  Value init = filled(b, loc, result, sizes, fold.start);
  return linalg::GenericOp::create(b, loc, TypeRange(result), input, init, maps, kinds,
                                   [&](OpBuilder &b, Location loc, ValueRange args) {
                                     Value next = combined(b, loc, args[0], args[1], fold);
                                     linalg::YieldOp::create(b, loc, next);
                                   })
      .getResult(0);
}

namespace {

/// A reduction with one operand and one way to combine.
template <typename OpTy> struct LowerFold : OpConversionPattern<OpTy> {
  enum Kind { Sum, Product, Min, Max, Any, All };
  LowerFold(const TypeConverter &types, MLIRContext *context, Kind kind)
      : OpConversionPattern<OpTy>(types, context), kind(kind) {}

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(adaptor.getSelf().getType());
    auto dims = dimsOf(op, type.getRank());
    if (!dims)
      return rewriter.notifyMatchFailure(op, "expected constant dimensions");
    Type from = dtypeOf(op.getSelf()), to = dtypeOf(op.getResult());
    if (!isReal(from) || !isReal(to))
      return rewriter.notifyMatchFailure(op, "expected real elements");
    Location loc = op.getLoc();
    if (isa<aten::AmaxOp, aten::AminOp>(op))
      for (int64_t dim : *dims)
        guardNotEmpty(rewriter, loc, tensor::getMixedSize(rewriter, loc, adaptor.getSelf(), dim));
    Value input = adaptor.getSelf();
    // What is to be of a type that is computed in a wider one is of it before it is combined.
    if ((kind == Sum || kind == Product) && accumulatorOf(to) != to) {
      input = convertedTensor(rewriter, loc, input, from, to);
      from = to;
    }
    Fold fold = foldOf(rewriter, loc, from, to);
    Value result = reduce(rewriter, loc, input, *dims, fold);
    result = convertedTensor(rewriter, loc, result, fold.accumulator, to);
    ArrayRef<int64_t> shape = loweredType(op.getResult()).getShape();
    Sizes sizes = sizesOf(rewriter, loc, adaptor.getSelf());
    if (int64_t(shape.size()) == type.getRank())
      for (int64_t dim : *dims)
        sizes[dim] = rewriter.getIndexAttr(1);
    else
      sizes = sizesOf(rewriter, loc, result);
    rewriter.replaceOp(op, reshaped(rewriter, loc, result, shape, sizes));
    return success();
  }

private:
  std::optional<SmallVector<int64_t>> dimsOf(OpTy op, int64_t rank) const {
    if constexpr (requires { op.getDim(); })
      return reducedDims(op.getDim(), rank, /*emptyIsAll=*/kind != Any && kind != All);
    return llvm::to_vector(llvm::seq<int64_t>(rank));
  }

  Fold foldOf(OpBuilder &b, Location loc, Type from, Type to) const {
    auto startingWith = [&](Type type, double value) {
      return constantOf(b, loc, storageType(type), value);
    };
    Type accumulator = accumulatorOf(to), truth = b.getI1Type();
    switch (kind) {
    case Sum:
      return {from, accumulator, startingWith(accumulator, 0), sumOf, isa<FloatType>(accumulator)};
    case Product:
      return {from, accumulator, startingWith(accumulator, 1), productOf};
    case Min:
      return {from, from, extremeOf(b, loc, from, /*isLowest=*/false), smaller};
    case Max:
      return {from, from, extremeOf(b, loc, from, /*isLowest=*/true), larger};
    case Any:
      return {from, truth, startingWith(truth, 0), eitherOf};
    case All:
      return {from, truth, startingWith(truth, 1), bothOf};
    }
    return {};
  }

  Kind kind;
};

} // namespace

//===----------------------------------------------------------------------===//
// Where the extreme is
//===----------------------------------------------------------------------===//

/// Where `values` are along `dim`: the first of equals, and NaN before all.
static Value firstPlaces(OpBuilder &b, Location loc, Value input, Value values, Type dtype,
                         int64_t dim) {
  auto type = cast<RankedTensorType>(input.getType());
  auto indices = cast<RankedTensorType>(values.getType()).clone(b.getI64Type());
  constexpr int64_t nowhere = std::numeric_limits<int64_t>::max();
  auto [maps, kinds] = reductionLoops(b.getContext(), type.getRank(), dim, 2);
  Value none = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(nowhere));
  Value init = filled(b, loc, indices, sizesOf(b, loc, values), none);
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    Value place = linalg::IndexOp::create(b, loc, dim);
    place = arith::IndexCastOp::create(b, loc, b.getI64Type(), place);
    ScalarBuilder build{b, loc, dtype};
    Element next = Element::raw(build, args[0]), best = Element::raw(build, args[1]);
    Element isBest = next == best;
    if (isa<FloatType>(dtype))
      isBest = logicalOr(isBest, isNan(next));
    place = arith::SelectOp::create(b, loc, isBest.v, place, none);
    linalg::YieldOp::create(b, loc, arith::MinSIOp::create(b, loc, args[2], place).getResult());
  };
  return linalg::GenericOp::create(b, loc, TypeRange(indices), ValueRange{input, values}, init,
                                   maps, kinds, body)
      .getResult(0);
}

/// The extremes along `dim` and their indices, without that dimension. Two reductions of one
/// combining step each run on vectors; one that chooses pairs does not.
static std::pair<Value, Value> extremes(OpBuilder &b, Location loc, Value input, Type dtype,
                                        int64_t dim, bool isMax) {
  auto type = cast<RankedTensorType>(input.getType());
  auto values = type.clone(sizesWithout(type.getShape(), dim));
  auto [maps, kinds] = reductionLoops(b.getContext(), type.getRank(), dim, 1);
  Sizes sizes = sizesOf(b, loc, input);
  guardNotEmpty(b, loc, sizes[dim]);
  sizes.erase(sizes.begin() + dim);
  Value init = filled(b, loc, values, sizes, extremeOf(b, loc, dtype, /*isLowest=*/isMax));
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    ScalarBuilder build{b, loc, dtype};
    Element next = Element::raw(build, args[0]), best = Element::raw(build, args[1]);
    linalg::YieldOp::create(b, loc, (isMax ? larger(best, next) : smaller(best, next)).v);
  };
  Value best = linalg::GenericOp::create(b, loc, TypeRange(values), input, init, maps, kinds, body)
                   .getResult(0);
  return {best, firstPlaces(b, loc, input, best, dtype, dim)};
}

namespace {

/// max.dim and min.dim, argmax and argmin.
template <typename OpTy, bool isMax> struct LowerExtremeIndex : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value self = adaptor.getSelf();
    auto type = cast<RankedTensorType>(self.getType());
    auto dims = reducedDims(op.getDim(), type.getRank());
    if (!dims || !isReal(dtypeOf(op.getSelf())))
      return rewriter.notifyMatchFailure(op, "expected a constant dimension and real elements");
    Sizes sizes = sizesOf(rewriter, loc, self);
    bool isWhole = dims->size() != 1;
    if (isWhole) {
      OpFoldResult count = productOf(rewriter, loc, sizes);
      self = reshaped(rewriter, loc, self,
                      {getConstantIntValue(count).value_or(ShapedType::kDynamic)}, {count});
    }
    auto [values, indices] =
        extremes(rewriter, loc, self, dtypeOf(op.getSelf()), isWhole ? 0 : dims->front(), isMax);
    SmallVector<Value> results = {indices};
    if (op->getNumResults() == 2)
      results = {values, indices};
    for (int64_t dim : *dims)
      sizes[dim] = rewriter.getIndexAttr(1);
    for (auto [result, original] : llvm::zip(results, op->getResults())) {
      bool keepsDims = loweredType(original).getRank() == type.getRank();
      result = reshaped(rewriter, loc, result, loweredType(original).getShape(),
                        keepsDims ? sizes : sizesOf(rewriter, loc, result));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Running sums
//===----------------------------------------------------------------------===//

/// A loop along the dimension; each step combines the slice before with the next.
template <typename OpTy, bool isSum> struct LowerScan : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = loweredType(op.getResult());
    auto dims = reducedDims(op.getDim(), type.getRank());
    Type from = dtypeOf(op.getSelf()), to = dtypeOf(op.getResult());
    if (!dims || !isReal(from) || !isReal(to))
      return rewriter.notifyMatchFailure(op, "expected a constant dimension and real elements");
    Location loc = op.getLoc();
    bool isEmpty = llvm::is_contained(type.getShape(), 0);
    if (dims->empty() || isEmpty) {
      rewriter.replaceOp(op, convertedTensor(rewriter, loc, adaptor.getSelf(), from, to));
      return success();
    }
    // PyTorch carries floats in doubles.
    Type accumulator = to.isF32() ? rewriter.getF64Type() : accumulatorOf(to);
    Elements elements{from, accumulator, to};
    rewriter.replaceOp(op, scan(rewriter, loc, adaptor.getSelf(), elements, dims->front()));
    return success();
  }

private:
  /// The element types of what is read, carried and given.
  struct Elements {
    Type from, accumulator, to;
  };

  /// What was before with the next slice combined into it, and the same as elements of the result.
  static ValueRange combined(OpBuilder &b, Location loc, Value next, Value before, Value given,
                             const Elements &elements) {
    int64_t rank = cast<RankedTensorType>(next.getType()).getRank();
    SmallVector<AffineMap> maps(3, b.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
    auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
      auto [from, accumulator, to] = elements;
      ScalarBuilder build{b, loc, accumulator};
      Element x = Element::raw(build, args[1]);
      Element y = Element::raw(build, convertedElement(b, loc, args[0], from, accumulator));
      Value sum = (isSum ? x + y : x * y).v;
      linalg::YieldOp::create(b, loc,
                              ValueRange{sum, convertedElement(b, loc, sum, accumulator, to)});
    };
    return linalg::GenericOp::create(b, loc, TypeRange{before.getType(), given.getType()}, next,
                                     ValueRange{before, given}, maps, kinds, body)
        .getResults();
  }

  static Value scan(OpBuilder &b, Location loc, Value input, const Elements &elements,
                    int64_t dim) {
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = 1;
    auto slice = type.clone(shape), whole = type.clone(storageType(elements.to));
    Type accumulator = storageType(elements.accumulator);
    Sizes extents = sizesOf(b, loc, input);
    Value empty = emptyOf(b, loc, whole, extents);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0),
          one = arith::ConstantIndexOp::create(b, loc, 1);
    Value count = asIndex(b, loc, extents[dim]);
    extents[dim] = b.getIndexAttr(1);
    Value start = filled(b, loc, slice.clone(accumulator), extents,
                         constantOf(b, loc, accumulator, isSum ? 0 : 1));
    auto body = [&](OpBuilder &b, Location loc, Value step, ValueRange carried) {
      SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
      SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
      offsets[dim] = step;
      auto sliceOf = [&](Value of) -> Value {
        auto type = slice.clone(cast<RankedTensorType>(of.getType()).getElementType());
        return tensor::ExtractSliceOp::create(b, loc, type, of, offsets, extents, strides);
      };
      ValueRange sums = combined(b, loc, sliceOf(input), carried[1], sliceOf(carried[0]), elements);
      Value whole =
          tensor::InsertSliceOp::create(b, loc, sums[1], carried[0], offsets, extents, strides);
      scf::YieldOp::create(b, loc, ValueRange{whole, sums[0]});
    };
    return scf::ForOp::create(b, loc, zero, count, one, ValueRange{empty, start}, body)
        .getResult(0);
  }
};

} // namespace

void populateReductionLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  auto fold = [&]<typename OpTy>(OpTy *, int kind) {
    using Pattern = LowerFold<OpTy>;
    patterns.add<Pattern>(types, context, typename Pattern::Kind(kind));
  };
  using Kind = LowerFold<aten::SumDimIntListOp>;
  fold((aten::SumDimIntListOp *)nullptr, Kind::Sum);
  fold((aten::ProdOp *)nullptr, Kind::Product);
  fold((aten::ProdDimIntOp *)nullptr, Kind::Product);
  fold((aten::AminOp *)nullptr, Kind::Min);
  fold((aten::AmaxOp *)nullptr, Kind::Max);
  fold((aten::LargestOp *)nullptr, Kind::Max);
  fold((aten::AnyOp *)nullptr, Kind::Any);
  fold((aten::AnyDimOp *)nullptr, Kind::Any);
  fold((aten::AnyDimsOp *)nullptr, Kind::Any);
  fold((aten::AllOp *)nullptr, Kind::All);
  fold((aten::AllDimOp *)nullptr, Kind::All);
  fold((aten::AllDimsOp *)nullptr, Kind::All);
  patterns.add<LowerExtremeIndex<aten::MaxDimOp, true>, LowerExtremeIndex<aten::MinDimOp, false>,
               LowerExtremeIndex<aten::ArgmaxOp, true>, LowerExtremeIndex<aten::ArgminOp, false>,
               LowerScan<aten::CumsumOp, true>, LowerScan<aten::CumprodOp, false>>(types, context);
}

} // namespace jit
