//===- Spectral.cpp - builders for the rules of Spectral.td: transforms ---===//

#include "Rules/Spectral.h"
#include "Rules/GraphBuilders.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Spectral.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static Type complexOf(Type dtype) {
  return isa_and_nonnull<FloatType>(dtype) ? Type(ComplexType::get(dtype)) : dtype;
}

Type transformed(TypeRules &, TensorInfo self) {
  return self.tensor.withDtype(complexOf(self.dtype()));
}

/// The sizes with another one in the last of the dimensions; nullopt where they are not known.
static std::optional<SmallVector<int64_t>> withLast(TensorInfo self, ListInfo dims,
                                                    function_ref<int64_t(int64_t)> sizeOf) {
  auto places = dims.ints();
  if (!self.hasRank() || !places || places->empty())
    return std::nullopt;
  int64_t last = places->back() < 0 ? places->back() + self.rank() : places->back();
  if (last < 0 || last >= self.rank())
    return std::nullopt;
  SmallVector<int64_t> sizes(self.sizes());
  sizes[last] = sizeOf(sizes[last]);
  return sizes;
}

Type halfTransformed(TypeRules &infer, TensorInfo self, ListInfo dims, BoolInfo onesided) {
  if (!onesided.known)
    return infer.unranked(complexOf(self.dtype()));
  auto sizes = withLast(self, dims, [&](int64_t size) {
    return *onesided.known && size != TensorType::kDynamic ? size / 2 + 1 : size;
  });
  return sizes ? infer.tensor(*sizes, complexOf(self.dtype()))
               : infer.unranked(complexOf(self.dtype()));
}

Type realFromHalf(TypeRules &infer, TensorInfo self, ListInfo dims, IntInfo size) {
  auto complex = dyn_cast_or_null<ComplexType>(self.dtype());
  Type part = complex ? complex.getElementType() : self.dtype();
  auto sizes = withLast(self, dims, [&](int64_t) { return size.orDynamic(); });
  return sizes ? infer.tensor(*sizes, part) : infer.unranked(part);
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

std::optional<TransformSizes> along(OptInt size, Int dim) {
  if (!size.isSettled() || !dim.known() || (size && !(*size).known()))
    return std::nullopt;
  return TransformSizes{{*dim.known()}, {size ? *(*size).known() : -1}};
}

std::optional<TransformSizes> along(Tensor self, OptIntList sizes, IntList dims) {
  return along(self, sizes, OptIntList(*dims.b, dims.v));
}

std::optional<TransformSizes> along(Tensor self, OptIntList sizes, OptIntList dims) {
  if (!sizes.isSettled() || !dims.isSettled() || !self.info().hasRank() ||
      (sizes && !(*sizes).known()) || (dims && !(*dims).known()))
    return std::nullopt;
  int64_t rank = self.info().rank();
  TransformSizes extents;
  if (sizes)
    extents.sizes = *(*sizes).known();
  if (dims)
    extents.dims = *(*dims).known();
  else
    extents.dims =
        llvm::to_vector(llvm::seq(sizes ? rank - int64_t(extents.sizes.size()) : 0, rank));
  if (!sizes)
    extents.sizes.assign(extents.dims.size(), -1);
  return extents;
}

/// What PyTorch's name of a normalization means for a direction; nullopt for no such name.
static std::optional<int64_t> normalization(Str norm, bool isForward) {
  if (!norm.isNone() && !norm.known())
    return std::nullopt;
  StringRef name = norm.isNone() ? "backward" : *norm.known();
  if (name == "ortho")
    return 1;
  if (name != "backward" && name != "forward")
    return std::nullopt;
  return (name == "forward") == isForward ? 2 : 0;
}

/// Cut, or filled up with zeros, to `size` along a dimension.
static Tensor resized(Tensor t, int64_t dim, int64_t size) {
  GraphBuilder &build = *t.b;
  int64_t have = t.info().size(dim);
  if (have == size)
    return t;
  if (have > size)
    return slice(t, dim, 0, size);
  SmallVector<int64_t> pads(2 * (t.info().rank() - dim), 0);
  pads.back() = size - have;
  return build.op<aten::ConstantPadNdOp>(t, build.ints(pads), 0);
}

/// Floating point or complex elements.
static Tensor inFloat(Tensor t) {
  bool isWhole = isa<IntegerType>(t.info().dtype());
  return isWhole ? converted(t, t.b->builder.getF32Type()) : t;
}

/// True where each of the dimensions is one of the tensor's, none twice, and has at least one
/// element, then counted from the front.
static bool settle(Tensor self, TransformSizes &extents) {
  int64_t rank = self.info().rank();
  if (extents.dims.empty() || extents.dims.size() != extents.sizes.size())
    return false;
  for (auto [dim, size] : llvm::zip(extents.dims, extents.sizes)) {
    dim = dim < 0 ? dim + rank : dim;
    if (dim < 0 || dim >= rank || self.info().size(dim) == TensorType::kDynamic)
      return false;
  }
  return llvm::SmallDenseSet<int64_t>(extents.dims.begin(), extents.dims.end()).size() ==
         extents.dims.size();
}

Decomposition spectrum(Tensor self, Spectrum how, std::optional<TransformSizes> along, Str norm) {
  GraphBuilder &build = *self.b;
  auto mode = normalization(norm, how.isForward);
  if (!self.info().hasRank() || !self.info().dtype() || !mode || !along || !settle(self, *along))
    return build.notYet("the rank and the element type of self, the value of norm, and the sizes "
                        "along constant dims");
  Tensor x = inFloat(self);
  int64_t last = along->sizes.back();
  if (how.kind == Spectrum::FromHalf && last < 0)
    last = 2 * (self.info().size(along->dims.back()) - 1);
  for (auto [dim, size] : llvm::zip(along->dims, along->sizes)) {
    bool isHalf = how.kind == Spectrum::FromHalf && dim == along->dims.back();
    int64_t wanted = isHalf ? last / 2 + 1 : size < 0 ? x.info().size(dim) : size;
    if (wanted < 1 || (isHalf && last < 1))
      return build.notYet("sizes of 1 or more");
    x = resized(x, dim, wanted);
  }
  IntList dims = build.ints(along->dims);
  auto conjugate = [&](Tensor t) -> Tensor { return build.op<aten::ConjPhysicalOp>(t); };
  switch (how.kind) {
  case Spectrum::Full:
    return build.op<aten::FftC2cOp>(x, dims, *mode, how.isForward);
  case Spectrum::Half:
    x = build.op<aten::FftR2cOp>(x, dims, *mode, true);
    return how.isForward ? x : conjugate(x);
  case Spectrum::FromHalf:
    if (isa<FloatType>(x.info().dtype()))
      x = build.op<aten::ComplexOp>(x, zerosLike(x));
    x = how.isForward ? conjugate(x) : x;
    return build.op<aten::FftC2rOp>(x, dims, *mode, last);
  }
  return build.notYet("a kind of transform that fits the element type of self");
}

Decomposition frequencies(Int n, Float d, OptInt dtype, bool isHalf) {
  GraphBuilder &build = *n.b;
  if (n.known().value_or(0) < 1 || !d.known() || !dtype.isSettled())
    return build.notYet("an n of 1 or more, the value of d and whether dtype is None");
  int64_t size = *n.known(), count = isHalf ? size / 2 + 1 : size;
  Tensor number = counting(build, count);
  if (!isHalf)
    number = where(number < double((size + 1) / 2), number, number - double(size));
  int64_t type = dtype && (*dtype).known() ? *(*dtype).known() : int64_t(ScalarType::Float);
  Tensor wide = converted(number, build.builder.getF64Type()) * (1.0 / (double(size) * *d.known()));
  return build.op<aten::ToDTypeOp>(wide, type, false, false, build.none());
}

} // namespace jit
