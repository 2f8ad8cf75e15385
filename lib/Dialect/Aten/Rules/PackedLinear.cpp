//===- PackedLinear.cpp - products with weights of bytes ------------------===//

#include "Rules/GraphBuilders.h"
#include "Rules/Quantize.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

namespace {
/// The parts of packed parameters.
struct LinearParts {
  Tensor weight;
  OptTensor scales, zeroPoints, bias;
};
} // namespace

static SmallVector<Value> partsOf(Value params) {
  auto tuple = withoutDerefine(params).getDefiningOp<TupleOp>();
  if (!tuple || tuple.getElements().size() != 4)
    return {};
  return llvm::map_to_vector(tuple.getElements(), withoutDerefine);
}

static std::optional<LinearParts> partsOf(Any params) {
  SmallVector<Value> parts = partsOf(params.v);
  if (parts.empty())
    return std::nullopt;
  GraphBuilder &build = *params.b;
  LinearParts linear{{build, parts[0]}, {build, parts[1]}, {build, parts[2]}, {build, parts[3]}};
  bool isKnown = isStatic(linear.weight) && linear.scales.isSettled() &&
                 linear.zeroPoints.isSettled() && linear.bias.isSettled();
  return isKnown ? std::optional(linear) : std::nullopt;
}

Type packedLinear(TypeRules &infer, TensorInfo x, AnyInfo params) {
  if (x.dtype() && !x.dtype().isF32()) {
    std::string text;
    llvm::raw_string_ostream(text) << x.dtype();
    return infer.error("expected an input of element type f32, got " + text);
  }
  SmallVector<Value> parts = partsOf(params.value);
  if (!x.hasRank() || parts.empty())
    return infer.unranked(infer.f32());
  if (x.rank() < 2)
    return infer.error("expected an input of rank 2 or more, got rank " + Twine(x.rank()));
  SmallVector<int64_t> sizes(x.sizes());
  TensorInfo weight(parts[0]);
  if (!weight.hasRank() || weight.rank() != 2) {
    sizes.back() = TensorType::kDynamic;
    return infer.tensor(sizes, infer.f32());
  }
  int64_t have = x.size(-1), want = weight.size(1);
  if (have != want && have != TensorType::kDynamic && want != TensorType::kDynamic)
    return infer.error("expected " + Twine(want) + " columns, got " + Twine(have));
  sizes.back() = weight.size(0);
  return infer.tensor(sizes, infer.f32());
}

//===----------------------------------------------------------------------===//
// Floats as bytes
//===----------------------------------------------------------------------===//

namespace {
/// Unsigned bytes n that stand for (n - zero) * step. Of rank 0 are the step, in single precision,
/// and the zero, in int32.
struct Bytes {
  Tensor numbers, step, zero;
};
} // namespace

/// PyTorch takes no smaller step, as halves would lose digits.
static constexpr float leastStep = 6.1e-5F;

/// The grid has `most` + 1 values from the least element, or 0, to the largest, or 0. It is chosen,
/// and elements are rounded to it, as PyTorch's engines for x86 do: the step in double precision, a
/// fused multiply-add by its inverse, ties to even. An element may round to one byte beyond `most`.
static Bytes bytesOf(Tensor x, double most) {
  GraphBuilder &build = *x.b;
  Type single = build.builder.getF32Type(), wide = build.builder.getF64Type();
  Any none = build.none();
  IntList all = build.ints({});
  Tensor low = build.op<aten::ClampMaxOp>(build.op<aten::AminOp>(x, all, false), 0);
  Tensor high = build.op<aten::ClampMinOp>(build.op<aten::AmaxOp>(x, all, false), 0);
  Tensor step = (converted(high, wide) - converted(low, wide)) / most;
  step = where(build.op<aten::IsinfOp>(1.0 / converted(step, single)), 0.1, step);
  // Where the step is cut off, the range grows with it.
  Tensor least = build.op<aten::ScalarTensorOp>(double(leastStep), int64_t(ScalarType::Float), none,
                                                none, none);
  Tensor growth = where(step < double(leastStep), least / converted(step, single), 1.0);
  step = build.op<aten::ClampMinOp>(step, double(leastStep));
  Tensor zero = build.op<aten::RoundOp>(-(converted(low * growth, wide) / step));
  step = converted(step, single);
  // The product of two floats is exact in double precision: the sum is rounded once.
  Tensor place = converted(x, wide) * converted(1.0 / step, wide) + zero;
  Tensor rounded = build.op<aten::RoundOp>(converted(place, single));
  Tensor numbers = build.op<aten::ClampOp>(rounded, 0, 255);
  return {converted(numbers, IntegerType::get(single.getContext(), 8, IntegerType::Unsigned)), step,
          converted(zero, build.builder.getI32Type())};
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static Tensor summed(Tensor bytes, int64_t dim, bool keepDim) {
  GraphBuilder &build = *bytes.b;
  return build.op<aten::SumDimIntListOp>(bytes, build.ints({dim}), keepDim,
                                         int64_t(ScalarType::Int));
}

/// The sums of (x - zero) * (weight - its zero points): those of the bytes, less what the zeros
/// have in them. What the weight alone gives is computed once.
static Tensor integerSums(const Bytes &x, const LinearParts &linear) {
  GraphBuilder &build = *x.numbers.b;
  Tensor turned = build.op<aten::TransposeIntOp>(linear.weight, 0, 1);
  Tensor sums = build.op<aten::IntMmOp>(x.numbers, turned);
  Tensor columns = summed(linear.weight, 1, /*keepDim=*/false);
  if (linear.zeroPoints) {
    Tensor zeros = converted(*linear.zeroPoints, build.builder.getI32Type());
    sums = sums - summed(x.numbers, -1, /*keepDim=*/true) * zeros;
    columns = columns - build.op<aten::MulScalarOp>(zeros, linear.weight.info().size(1));
  }
  return sums - columns * x.zero;
}

static Tensor product(Tensor x, const LinearParts &linear, bool isReduced) {
  Type single = x.b->builder.getF32Type();
  // Nothing has a range where there are no elements.
  if (!linear.scales || llvm::is_contained(x.info().sizes(), 0))
    return x.b->op<aten::LinearOp>(x, converted(linear.weight, single), linear.bias);
  Bytes bytes = bytesOf(x, isReduced ? 127 : 255);
  Tensor scales = converted(*linear.scales, single) * bytes.step;
  Tensor product = converted(integerSums(bytes, linear), single) * scales;
  return linear.bias ? product + *linear.bias : product;
}

Decomposition packedLinear(Tensor x, Any params, Bool isReduced, bool hasRelu) {
  auto linear = partsOf(params);
  if (!linear || !x.info().hasRank() || !x.info().dtype() || !isReduced.known())
    return x.b->notYet("the packed parameters, and the rank and the element type of the input");
  Tensor result = product(x, *linear, *isReduced.known());
  return hasRelu ? x.b->op<aten::ReluOp>(result) : result;
}

} // namespace jit
