//===- Reduction.cpp - builders for the rules of Reduction.td -------------===//

#include "Rules/Reduction.h"
#include "Rules/GraphBuilders.h"
#include "Rules/Special.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"
#include <cmath>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>> reducedDims(Value dims, int64_t rank, bool emptyIsAll) {
  SmallVector<int64_t> named;
  if (isa<NoneType>(dims.getType())) {
    emptyIsAll = true;
  } else if (dims.getType().isInteger(64)) {
    named.push_back(IntInfo(dims).orDynamic());
  } else if (auto ints = ListInfo(dims).ints()) {
    named = *ints;
  } else {
    return std::nullopt;
  }
  if (named.empty() && emptyIsAll)
    return llvm::to_vector(llvm::seq<int64_t>(rank));
  int64_t range = std::max<int64_t>(rank, 1);
  for (int64_t &dim : named) {
    if (dim == TensorType::kDynamic || dim < -range || dim >= range)
      return std::nullopt;
    dim += dim < 0 ? range : 0;
  }
  if (rank == 0)
    named.clear();
  llvm::sort(named);
  named.erase(llvm::unique(named), named.end());
  return named;
}

std::optional<Int> reducedCount(Tensor self, Any dims) {
  TensorInfo info = self.info();
  if (!info.hasRank())
    return std::nullopt;
  auto known = reducedDims(dims.v, info.rank());
  if (!known)
    return std::nullopt;
  Int count = self.b->i(1);
  for (int64_t dim : *known)
    count = count * sizeOf(self, dim);
  return count;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Reports a dimension that the tensor does not have.
static bool areDimsValid(TypeRules &infer, AnyInfo dims, int64_t rank) {
  SmallVector<int64_t> named;
  if (dims.type().isInteger(64))
    named.push_back(IntInfo(dims.value).orDynamic());
  else if (auto ints = ListInfo(dims.value).ints())
    named = *ints;
  return llvm::all_of(named, [&](int64_t dim) {
    return dim == TensorType::kDynamic || infer.wrapDim(dim, rank).has_value();
  });
}

static Type reduced(TypeRules &infer, TensorInfo self, AnyInfo dims, std::optional<bool> keepdim,
                    Type dtype) {
  if (!self.hasRank())
    return dims.isNone() && keepdim == false ? infer.tensor({}, dtype) : infer.unranked(dtype);
  if (!areDimsValid(infer, dims, self.rank()))
    return {};
  auto known = reducedDims(dims.value, self.rank());
  if (!known || !keepdim)
    return infer.unranked(dtype);
  SmallVector<int64_t> sizes;
  for (auto [dim, size] : llvm::enumerate(self.sizes())) {
    bool isReduced = llvm::is_contained(*known, int64_t(dim));
    if (!isReduced)
      sizes.push_back(size);
    else if (*keepdim)
      sizes.push_back(1);
  }
  return infer.tensor(sizes, dtype);
}

Type reduced(TypeRules &infer, TensorInfo self, AnyInfo dims, BoolInfo keepdim, Type dtype) {
  return reduced(infer, self, dims, keepdim.known, dtype);
}
Type reduced(TypeRules &infer, TensorInfo self, AnyInfo dims, bool keepdim, Type dtype) {
  return reduced(infer, self, dims, std::optional(keepdim), dtype);
}

Type sumDtype(TypeRules &infer, TensorInfo self, IntInfo dtype) {
  Type own = self.dtype();
  return infer.dtypeOr(dtype, own && isa<IntegerType>(own) ? infer.i64() : own);
}

Type partDtype(TensorInfo self) {
  auto complex = dyn_cast_or_null<ComplexType>(self.dtype());
  return complex ? complex.getElementType() : self.dtype();
}

Type floatDtype(TypeRules &infer, TensorInfo self) {
  Type own = self.dtype();
  return own && isa<IntegerType>(own) ? infer.f32() : own;
}

Type truthDtype(TypeRules &infer, TensorInfo self) {
  Type own = self.dtype();
  return !own || own.isUnsignedInteger(8) ? own : infer.i1();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// The type in which the elements of `dtype` are computed.
static Type computing(Type dtype) {
  if (isa<FloatType>(dtype) && dtype.getIntOrFloatBitWidth() >= 32)
    return dtype;
  return Float32Type::get(dtype.getContext());
}

static Tensor sumOf(Tensor t, Any dims, Any keepdim) {
  return t.b->op<aten::SumDimIntListOp>(t, dims, keepdim, t.b->none());
}

Decomposition Spread::both() const {
  if (failed(value.values) || failed(mean.values))
    return failure();
  Decomposition result = value;
  result.values->push_back(mean.values->front());
  return result;
}

Any toCorrection(Bool unbiased) {
  return unbiased.known() ? Any(unbiased.b->i(*unbiased.known())) : Any(unbiased);
}

Spread spread(Tensor self, Any dims, Any correction, Any keepdim, bool isRoot) {
  GraphBuilder &build = *self.b;
  auto elements = reducedCount(self, dims);
  auto count = elements ? elements->known() : std::nullopt;
  auto less = correction.isNone() ? std::optional(1.0) : knownNumber(correction);
  Type dtype = self.info().dtype();
  if (!count || !less || !dtype)
    return {failure(), failure()};
  // In double, as in PyTorch: squares of floats may be no floats.
  Tensor x = inDouble(self);
  Tensor mean = build.op<aten::DivScalarOp>(sumOf(x, dims, build.flag(true)), double(*count));
  Tensor distance = x - mean;
  // By 0 where there are too few, or none: NaN, as 0 / 0.
  double divisor = *count == 0 ? 0.0 : std::max(0.0, double(*count) - *less);
  Tensor value = build.op<aten::DivScalarOp>(sumOf(distance * distance, dims, keepdim), divisor);
  if (isRoot)
    value = build.op<aten::SqrtOp>(value);
  // Of one element each: only drops the dimensions where they are not kept.
  return {converted(value, dtype), converted(sumOf(mean, dims, keepdim), dtype)};
}

/// exp(x - max), and x - max itself, along `dim`.
static std::pair<Tensor, Tensor> shiftedExp(Tensor x, Int dim) {
  GraphBuilder &build = *x.b;
  Tensor shifted = x - build.op<aten::LargestOp>(x, build.list(ArrayRef<Int>{dim}), true);
  return {build.op<aten::ExpOp>(shifted), shifted};
}

/// The element type that softmax gives; null where it is not known yet.
static Type chosenDtype(Tensor self, Any dtype) {
  TypeRules rules{self.b->builder.getContext(), self.b->loc};
  return rules.dtypeOr(IntInfo(dtype.v), self.info().dtype());
}

Decomposition softmax(Tensor self, Int dim, Any dtype) {
  Type result = chosenDtype(self, dtype);
  if (!result || !self.info().dtype())
    return failure();
  Tensor x = converted(converted(self, result), computing(result)); // rounded first, as in eager
  auto [exps, shifted] = shiftedExp(x, dim);
  Tensor sum = sumOf(exps, self.b->list(ArrayRef<Int>{dim}), self.b->flag(true));
  return converted(exps / sum, result);
}

Decomposition logSoftmax(Tensor self, Int dim, Any dtype) {
  Type result = chosenDtype(self, dtype);
  if (!result || !self.info().dtype())
    return failure();
  Tensor x = converted(converted(self, result), computing(result)); // rounded first, as in eager
  auto [exps, shifted] = shiftedExp(x, dim);
  Tensor sum = sumOf(exps, self.b->list(ArrayRef<Int>{dim}), self.b->flag(true));
  return converted(shifted - self.b->op<aten::LogOp>(sum), result);
}

/// Of halves the sum is taken and divided in f32: it may be larger than any half.
Decomposition meanAlong(Tensor self, Any dims, Any keepdim, Any dtype) {
  GraphBuilder &build = *self.b;
  auto count = reducedCount(self, dims);
  Type result = chosenDtype(self, dtype);
  if (!count || !result)
    return build.notYet("the number of elements that are reduced and their type");
  bool isHalf = isa<FloatType>(result) && result.getIntOrFloatBitWidth() < 32;
  Any computed = isHalf ? Any(build.i(int64_t(*typeToDtype(computing(result))))) : dtype;
  Tensor sum = build.op<aten::SumDimIntListOp>(self, dims, keepdim, computed);
  Tensor mean = build.op<aten::DivScalarOp>(sum, *count);
  return isHalf ? converted(mean, result) : mean;
}

Decomposition logSumExp(Tensor self, IntList dims, Bool keepdim) {
  GraphBuilder &build = *self.b;
  Type dtype = self.info().dtype();
  if (!dtype || !keepdim.known())
    return failure();
  Tensor x = converted(self, computing(dtype));
  Tensor largest = build.op<aten::LargestOp>(x, dims, true);
  // An infinite maximum would give inf - inf.
  Tensor base =
      build.op<aten::WhereScalarOtherOp>(build.op<aten::IsfiniteOp>(largest), largest, 0.0);
  Tensor sum = sumOf(build.op<aten::ExpOp>(x - base), dims, keepdim);
  Tensor result = build.op<aten::LogOp>(sum) + build.op<aten::AmaxOp>(base, dims, keepdim);
  return converted(result, isa<FloatType>(dtype) ? dtype : x.info().dtype());
}

Decomposition vectorNorm(Tensor self, Any order, Any dims, Any keepdim, Any dtype) {
  GraphBuilder &build = *self.b;
  auto p = knownNumber(order);
  Type result = chosenDtype(self, dtype);
  if (!p || !result || !self.info().dtype())
    return failure();
  if (isa<ComplexType>(self.info().dtype()))
    return vectorNorm(abs(self), order, dims, keepdim, dtype);
  Tensor x = converted(self, computing(result));
  auto size = [&] { return build.op<aten::AbsOp>(x); };
  auto extreme = [&](auto op) {
    Any all = dims.isNone() ? Any(build.ints({})) : dims;
    return build.op<std::remove_pointer_t<decltype(op)>>(size(), all, keepdim);
  };
  Tensor norm = x;
  if (*p == 2)
    norm = build.op<aten::SqrtOp>(sumOf(x * x, dims, keepdim));
  else if (*p == 1)
    norm = sumOf(size(), dims, keepdim);
  else if (*p == 0)
    norm = sumOf(converted(build.op<aten::NeScalarOp>(x, 0), x.info().dtype()), dims, keepdim);
  else if (std::isinf(*p))
    norm = *p > 0 ? extreme((aten::AmaxOp *)nullptr) : extreme((aten::AminOp *)nullptr);
  else
    norm = build.op<aten::PowTensorScalarOp>(
        sumOf(build.op<aten::PowTensorScalarOp>(size(), *p), dims, keepdim), 1.0 / *p);
  return converted(norm, result);
}

} // namespace jit
