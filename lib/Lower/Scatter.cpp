//===- Scatter.cpp - lowering of operators that place by index tensors ----===//
//
// Two indices may name the same place, so elements are placed one after the other: loops, not a
// linalg op.
//
//===----------------------------------------------------------------------===//

#include "BoundsChecks.h"
#include "FrontDim.h"
#include "Lower.h"
#include "Sizes.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Search.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace jit {

/// From the counters of all loops and the tensor so far to the tensor after this iteration.
using PlaceBody = llvm::function_ref<Value(OpBuilder &, Location, ValueRange counters, Value)>;

static Value loopOver(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes, Value init,
                      PlaceBody body) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> lower(sizes.size(), zero), upper, step(sizes.size(), one);
  for (OpFoldResult size : sizes)
    upper.push_back(asIndex(b, loc, size));
  if (sizes.empty())
    return body(b, loc, {}, init);
  scf::LoopNest nest =
      scf::buildLoopNest(b, loc, lower, upper, step, init,
                         [&](OpBuilder &b, Location loc, ValueRange counters, ValueRange tensors) {
                           return scf::ValueVector{body(b, loc, counters, tensors.front())};
                         });
  return nest.results.front();
}

/// `element` in, or added to, a place of `into`. Added as PyTorch adds: in the type of the tensor.
static Value place(OpBuilder &b, Location loc, Value element, Value into, ValueRange place,
                   bool accumulate) {
  if (accumulate) {
    Value old = tensor::ExtractOp::create(b, loc, into, place);
    element = isa<FloatType>(element.getType()) ? Value(arith::AddFOp::create(b, loc, old, element))
              : element.getType().isInteger(1) ? Value(arith::OrIOp::create(b, loc, old, element))
                                               : Value(arith::AddIOp::create(b, loc, old, element));
  }
  return tensor::InsertOp::create(b, loc, element, into, place);
}

/// A tensor that was made a vector for the loops, with the rank of `self` again.
static Value asRankOf(OpBuilder &b, Location loc, Value tensor, Value self) {
  return cast<RankedTensorType>(self.getType()).getRank() == 0 ? reshaped(b, loc, tensor, {})
                                                               : tensor;
}

namespace {

template <typename OpTy> struct LowerScatter : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value into = atLeastVector(rewriter, loc, adaptor.getSelf());
    Value indices = atLeastVector(rewriter, loc, adaptor.getIndex());
    Value source = sourceOf(rewriter, loc, adaptor);
    auto self = cast<RankedTensorType>(into.getType());
    auto index = cast<RankedTensorType>(indices.getType());
    auto dim = frontDim(op.getDim(), self.getRank());
    if (!dim || self.getRank() != index.getRank() || !isPlaceType(index.getElementType()))
      return rewriter.notifyMatchFailure(op, "expected a dimension, equal ranks and int indices");
    int64_t at = *dim;
    if (!checkNoLarger(rewriter, loc, indices, into, at))
      return rewriter.notifyMatchFailure(op, "expected an index no larger than the tensor");
    if (isa<RankedTensorType>(source.getType()) && !checkNoLarger(rewriter, loc, indices, source))
      return rewriter.notifyMatchFailure(op, "expected a source no smaller than the index");
    OpFoldResult extent = tensor::getMixedSize(rewriter, loc, into, at);
    checkPlaces(rewriter, loc, indices, extent, /*negative=*/false);
    Value result = loopOver(rewriter, loc, sizesOf(rewriter, loc, indices), into,
                            [&](OpBuilder &b, Location loc, ValueRange counters, Value tensor) {
                              Value target = tensor::ExtractOp::create(b, loc, indices, counters);
                              SmallVector<Value> where(counters);
                              where[at] = placeOf(b, loc, target, extent);
                              return place(b, loc, elementAt(op, source, b, loc, counters), tensor,
                                           where, std::is_same_v<OpTy, aten::ScatterAddOp>);
                            });
    rewriter.replaceOp(op, asRankOf(rewriter, loc, result, adaptor.getSelf()));
    return success();
  }

private:
  static constexpr bool isNumber = std::is_same_v<OpTy, aten::ScatterValueOp>;

  /// What is scattered: a tensor, or one number for all places.
  static Value sourceOf(OpBuilder &b, Location loc, typename OpTy::Adaptor adaptor) {
    if constexpr (isNumber)
      return adaptor.getValue();
    else
      return atLeastVector(b, loc, adaptor.getSrc());
  }

  static Value elementAt(OpTy op, Value source, OpBuilder &b, Location loc, ValueRange counters) {
    Type dtype = dtypeOf(op.getSelf());
    if constexpr (isNumber) {
      return convertScalar(b, loc, source, source.getType(), dtype);
    } else {
      Value element = tensor::ExtractOp::create(b, loc, source, counters);
      return convertedElement(b, loc, element, dtypeOf(op.getSrc()), dtype);
    }
  }
};

/// scatter_reduce: the elements that meet in one place combined one after the other.
struct LowerScatterReduce : OpConversionPattern<aten::ScatterReduceTwoOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::ScatterReduceTwoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value into = atLeastVector(rewriter, loc, adaptor.getSelf());
    Value indices = atLeastVector(rewriter, loc, adaptor.getIndex());
    Value source = atLeastVector(rewriter, loc, adaptor.getSrc());
    auto self = cast<RankedTensorType>(into.getType());
    auto index = cast<RankedTensorType>(indices.getType());
    auto from = cast<RankedTensorType>(source.getType());
    auto dim = frontDim(op.getDim(), self.getRank());
    StrInfo how(op.getReduce());
    BoolInfo includesSelf(op.getIncludeSelf());
    if (!dim || !how.known || !includesSelf.known || self.getRank() != index.getRank() ||
        !isPlaceType(index.getElementType()) || from.getRank() != index.getRank() ||
        dtypeOf(op.getSelf()) != dtypeOf(op.getSrc()))
      return rewriter.notifyMatchFailure(op, "expected constants, equal ranks and element types");
    int64_t at = *dim;
    if (!checkNoLarger(rewriter, loc, indices, source) ||
        !checkNoLarger(rewriter, loc, indices, into, at))
      return rewriter.notifyMatchFailure(op, "expected an index no larger than the tensors");
    OpFoldResult extent = tensor::getMixedSize(rewriter, loc, into, at);
    Sizes sizes = sizesOf(rewriter, loc, indices);
    checkPlaces(rewriter, loc, indices, extent, /*negative=*/false);
    Type dtype = dtypeOf(op.getSelf());
    auto placed = [&](Value tensor, Joining joining) {
      return loopOver(rewriter, loc, sizes, tensor,
                      [&](OpBuilder &b, Location loc, ValueRange counters, Value so) -> Value {
                        Value target = tensor::ExtractOp::create(b, loc, indices, counters);
                        SmallVector<Value> where(counters);
                        where[at] = placeOf(b, loc, target, extent);
                        Value old = tensor::ExtractOp::create(b, loc, so, where);
                        Value element = tensor::ExtractOp::create(b, loc, source, counters);
                        return tensor::InsertOp::create(b, loc, joining(b, loc, old, element), so,
                                                        where);
                      });
    };
    if (!*includesSelf.known)
      into = placed(into, [&](OpBuilder &b, Location loc, Value, Value) {
        return neutral(b, loc, *how.known, dtype);
      });
    Value result = placed(into, [&](OpBuilder &b, Location loc, Value old, Value element) {
      return joined(b, loc, *how.known, dtype, old, element);
    });
    if (*how.known == "mean")
      result = mean(
          rewriter, loc, result, dtype,
          [&](Value counts) {
            return placed(counts, [&](OpBuilder &b, Location loc, Value old, Value) {
              ScalarBuilder build{b, loc, dtype};
              return (Element::raw(build, old) + 1.0).v;
            });
          },
          *includesSelf.known);
    rewriter.replaceOp(op, asRankOf(rewriter, loc, result, adaptor.getSelf()));
    return success();
  }

private:
  using Joining = llvm::function_ref<Value(OpBuilder &, Location, Value old, Value element)>;

  /// What changes nothing that it is joined with.
  static Value neutral(OpBuilder &b, Location loc, StringRef how, Type dtype) {
    if (how == "amax" || how == "amin")
      return extremeOf(b, loc, dtype, /*isLowest=*/how == "amax");
    return constantOf(b, loc, storageType(dtype), how == "prod" ? 1 : 0);
  }

  static Value joined(OpBuilder &b, Location loc, StringRef how, Type dtype, Value old,
                      Value element) {
    ScalarBuilder build{b, loc, dtype};
    Element x = Element::raw(build, old), y = Element::raw(build, element);
    if (how == "amax")
      return max(x, y).v;
    if (how == "amin")
      return min(x, y).v;
    return (how == "prod" ? x * y : x + y).v;
  }

  static Value mean(OpBuilder &b, Location loc, Value sums, Type dtype,
                    llvm::function_ref<Value(Value)> counted, bool includesSelf) {
    auto type = cast<RankedTensorType>(sums.getType());
    Value start = constantOf(b, loc, type.getElementType(), includesSelf ? 1 : 0);
    Value counts = counted(filled(b, loc, type, sizesOf(b, loc, sums), start));
    return elementwise(b, loc, type, {sums, counts},
                       [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                         ScalarBuilder build{b, loc, dtype};
                         Element sum = Element::raw(build, args[0]);
                         Element count = max(Element::raw(build, args[1]), 1.0);
                         return (isa<FloatType>(dtype) ? sum / count : floorDiv(sum, count)).v;
                       });
  }
};

struct LowerIndexPut : OpConversionPattern<aten::IndexPutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aten::IndexPutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto self = loweredType(op.getSelf()), values = loweredType(op.getValues());
    std::string problem;
    auto plan = planIndex(self.getRank(), op.getIndices(), problem);
    BoolInfo accumulate(op.getAccumulate());
    if (!plan || !accumulate.known)
      return rewriter.notifyMatchFailure(op, "expected a list of integer indices");
    Location loc = op.getLoc();
    SmallVector<int64_t> known;
    SmallVector<Value> indices(self.getRank()), given;
    for (auto [dim, index] : llvm::enumerate(plan->indices)) {
      if (!index) {
        known.push_back(self.getDimSize(dim));
        continue;
      }
      given.push_back(rewriter.getRemappedValue(index));
      indices[dim] = given.back();
    }
    known.insert(known.begin() + plan->place, plan->sizes.begin(), plan->sizes.end());
    if (!broadcasts(values, known))
      return rewriter.notifyMatchFailure(op, "expected values that broadcast to the places");
    Sizes extents = sizesOf(rewriter, loc, adaptor.getSelf()), others;
    for (auto [index, extent] : llvm::zip(indices, extents))
      if (!index)
        others.push_back(extent);
    for (auto [index, extent] : llvm::zip(indices, extents))
      if (index)
        checkPlaces(rewriter, loc, index, extent, /*negative=*/!op->hasAttr(fromFrontAttr), others);
    Sizes sizes = placeSizes(rewriter, loc, adaptor, *plan, given);
    guardValues(rewriter, loc, adaptor.getValues(), sizes);
    auto element = [&](OpBuilder &b, Location loc, Value tensor, ValueRange counters) -> Value {
      return tensor::ExtractOp::create(b, loc, tensor, broadcastPlace(b, loc, tensor, counters));
    };
    Value result = loopOver(
        rewriter, loc, sizes, adaptor.getSelf(),
        [&](OpBuilder &b, Location loc, ValueRange counters, Value tensor) {
          SmallVector<Value> where, kept(counters);
          auto common = counters.slice(plan->place, plan->sizes.size());
          kept.erase(kept.begin() + plan->place, kept.begin() + plan->place + plan->sizes.size());
          for (int64_t dim = 0, next = 0; dim < self.getRank(); ++dim)
            where.push_back(
                indices[dim] ? placeOf(b, loc, element(b, loc, indices[dim], common), extents[dim])
                             : kept[next++]);
          Value value = convertedElement(b, loc, element(b, loc, adaptor.getValues(), counters),
                                         dtypeOf(op.getValues()), dtypeOf(op.getSelf()));
          return place(b, loc, value, tensor, where, *accumulate.known);
        });
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static bool broadcasts(RankedTensorType values, ArrayRef<int64_t> sizes) {
    if (values.getRank() > int64_t(sizes.size()))
      return false;
    return llvm::all_of(llvm::zip(values.getShape(), sizes.take_back(values.getRank())),
                        [](auto both) {
                          auto [have, size] = both;
                          return have == 1 || have == size || ShapedType::isDynamic(have) ||
                                 ShapedType::isDynamic(size);
                        });
  }

  /// How many places there are: those of the indices, and the dimensions that are taken whole.
  static Sizes placeSizes(OpBuilder &b, Location loc, OpAdaptor adaptor, const IndexPlan &plan,
                          ValueRange given) {
    Sizes sizes;
    for (auto [dim, index] : llvm::enumerate(plan.indices))
      if (!index)
        sizes.push_back(tensor::getMixedSize(b, loc, adaptor.getSelf(), int64_t(dim)));
    auto common = RankedTensorType::get(plan.sizes, b.getI64Type());
    Sizes chosen = broadcastSizes(b, loc, common, given);
    sizes.insert(sizes.begin() + plan.place, chosen.begin(), chosen.end());
    return sizes;
  }

  /// The values' sizes are those of the places, or 1.
  static void guardValues(OpBuilder &b, Location loc, Value values, ArrayRef<OpFoldResult> sizes) {
    auto type = cast<RankedTensorType>(values.getType());
    for (auto [dim, size] : llvm::enumerate(sizes.take_back(type.getRank())))
      if (type.getDimSize(dim) != 1)
        guardEqual(b, loc, tensor::getMixedSize(b, loc, values, int64_t(dim)), size);
  }

  /// The place in a tensor that broadcasts to the loops' sizes.
  static SmallVector<Value> broadcastPlace(OpBuilder &b, Location loc, Value tensor,
                                           ValueRange counters) {
    auto sizes = cast<RankedTensorType>(tensor.getType()).getShape();
    SmallVector<Value> place(counters.take_back(sizes.size()));
    for (auto [counter, size] : llvm::zip(place, sizes))
      if (size == 1)
        counter = arith::ConstantIndexOp::create(b, loc, 0);
    return place;
  }
};

} // namespace

void populateScatterLowering(const LoweredTypes &types, RewritePatternSet &patterns) {
  patterns.add<LowerScatter<aten::ScatterSrcOp>, LowerScatter<aten::ScatterValueOp>,
               LowerScatter<aten::ScatterAddOp>, LowerScatterReduce, LowerIndexPut>(
      types, patterns.getContext());
}

} // namespace jit
