//===- Algebra.cpp - builders for the rules of Algebra.td -----------------===//

#include "Rules/Algebra.h"
#include "Rules/GraphBuilders.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Algebra.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Factor.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"

#include <cmath>

using namespace mlir;

namespace jit {

static std::optional<int64_t> wrapped(int64_t dim, int64_t rank) {
  if (dim < -rank || dim >= rank)
    return std::nullopt;
  return dim < 0 ? dim + rank : dim;
}

static Tensor view(Tensor t, ArrayRef<int64_t> sizes) {
  return t.info().sizes() == sizes ? t : t.b->op<aten::ReshapeOp>(t, t.b->ints(sizes));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static SmallVector<Int> sizesAlong(Tensor t, ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [&](int64_t dim) { return sizeOf(t, dim); });
}

static Int productOf(GraphBuilder &build, ArrayRef<Int> sizes) {
  Int product = build.i(1);
  for (Int size : sizes)
    product = product * size;
  return product;
}

static Tensor reshaped(Tensor t, ArrayRef<Int> sizes) {
  return t.b->op<aten::ReshapeOp>(t, t.b->list(sizes));
}

Decomposition tensordot(Tensor self, Tensor other, IntList selfDims, IntList otherDims) {
  GraphBuilder &build = *self.b;
  auto a = selfDims.known(), c = otherDims.known();
  if (!self.info().hasRank() || !other.info().hasRank() || !a || !c || a->size() != c->size())
    return build.notYet(
        "the ranks of both tensors, and as many constant dimensions of one as of the other");
  // Of both: the dimensions that stay, then (of the other first) those that are summed over.
  auto split = [](Tensor t, SmallVector<int64_t> &summed, SmallVector<int64_t> &kept) {
    for (int64_t &dim : summed) {
      auto place = wrapped(dim, t.info().rank());
      if (!place)
        return false;
      dim = *place;
    }
    for (int64_t dim = 0; dim < t.info().rank(); ++dim)
      if (!llvm::is_contained(summed, dim))
        kept.push_back(dim);
    return kept.size() + summed.size() == size_t(t.info().rank());
  };
  SmallVector<int64_t> keptA, keptC;
  if (!split(self, *a, keptA) || !split(other, *c, keptC))
    return build.notYet("each dimension named once");
  for (auto [i, k] : llvm::zip(*a, *c)) {
    // One element goes with the sum of many.
    int64_t left = self.info().size(i), right = other.info().size(k);
    if (left != right && right == 1)
      self = sum(self, {i}, true);
    else if (left != right && left == 1)
      other = sum(other, {k}, true);
    else if (!haveEqualSize(self, i, other, k))
      return build.notYet("sizes along the summed dimensions that are equal or 1");
  }
  SmallVector<int64_t> orderA(keptA), orderC(*c);
  llvm::append_range(orderA, *a);
  llvm::append_range(orderC, keptC);
  SmallVector<Int> sizes = sizesAlong(self, keptA);
  llvm::append_range(sizes, sizesAlong(other, keptC));
  Int shared = productOf(build, sizesAlong(self, *a));
  Int rows = productOf(build, sizesAlong(self, keptA));
  Int columns = productOf(build, sizesAlong(other, keptC));
  Tensor left = permute(self, orderA), right = permute(other, orderC);
  // One element is no product of matrices to PyTorch either: autocast tells the two apart.
  Tensor product = rows.known() == 1 && columns.known() == 1
                       ? build.op<aten::DotOp>(reshaped(left, {shared}), reshaped(right, {shared}))
                       : build.op<aten::MmOp>(reshaped(left, {rows, shared}),
                                              reshaped(right, {shared, columns}));
  return reshaped(product, sizes);
}

Decomposition kronecker(Tensor self, Tensor other) {
  if (!isStatic(self) || !isStatic(other))
    return self.b->notYet("the sizes of self and other");
  int64_t rank = std::max(self.info().rank(), other.info().rank());
  SmallVector<int64_t> outer, inner, sizes;
  for (int64_t dim = -rank; dim < 0; ++dim) {
    int64_t a = -dim <= self.info().rank() ? self.info().size(dim) : 1;
    int64_t c = -dim <= other.info().rank() ? other.info().size(dim) : 1;
    outer.append({a, 1});
    inner.append({1, c});
    sizes.push_back(a * c);
  }
  return view(view(self, outer) * view(other, inner), sizes);
}

Decomposition crossProduct(Tensor self, Tensor other, Int dim) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !isStatic(other) || !dim.known())
    return build.notYet("the sizes of self and other, and the value of dim");
  auto part = [&](Tensor t, int64_t first) {
    // The three elements from `first` on, going around.
    return build.op<aten::RollOp>(t, build.ints({-first}), build.ints({*dim.known()}));
  };
  return part(self, 1) * part(other, 2) - part(self, 2) * part(other, 1);
}

Decomposition crossProductAlongThree(Tensor self, Tensor other) {
  if (!isStatic(self))
    return self.b->notYet("the sizes of self");
  for (auto [dim, size] : llvm::enumerate(self.info().sizes()))
    if (size == 3)
      return crossProduct(self, other, self.b->i(dim));
  return self.b->notYet("a dimension of size 3");
}

/// Of integers the weights are whole too.
static Any weightFor(Tensor t, Any weight) {
  auto number = knownNumber(weight);
  bool isWhole = t.info().dtype() && t.info().dtype().isInteger();
  return isWhole && number ? Any(t.b->i(int64_t(*number))) : weight;
}

Tensor weightedSum(Tensor a, Any beta, Tensor c, Any alpha) {
  GraphBuilder &build = *a.b;
  c = c * weightFor(c, alpha);
  beta = weightFor(a, beta);
  // With 0 not even the NaN of `a` counts.
  if (knownNumber(beta) == 0.0)
    return build.op<aten::ZerosLikeOp>(c, build.none(), build.none(), build.none(), build.none(),
                                       build.none()) +
           c;
  return a * beta + c;
}

Decomposition outerProductAdded(Tensor self, Any beta, std::pair<Tensor, Tensor> vectors,
                                Any alpha) {
  GraphBuilder &build = *self.b;
  auto [rows, columns] = vectors;
  if (!self.info().dtype() || !rows.info().dtype() || !columns.info().dtype())
    return build.notYet("the element types");
  Type common = promotedType({self.v, rows.v, columns.v}, /*toFloat=*/false);
  Tensor product = unsqueeze(converted(rows, common), 1) * converted(columns, common);
  if (!common.isInteger(1))
    return weightedSum(converted(self, common), beta, product, alpha);
  auto ofSelf = knownNumber(beta), ofProduct = knownNumber(alpha);
  if (!ofSelf || !ofProduct)
    return build.notYet("the values of beta and alpha");
  auto weighted = [](Tensor t, double weight) { return weight == 0 ? zerosLike(t) : t; };
  return weighted(self, *ofSelf) || weighted(product, *ofProduct);
}

Decomposition chained(TensorList list) {
  GraphBuilder &build = *list.b;
  auto elements = list.elements();
  if (!elements || elements->empty())
    return build.notYet("the matrices, at least one");
  SmallVector<Tensor> matrices;
  for (Value element : *elements) {
    Tensor matrix(build, element);
    if (!isa<TensorType>(element.getType()) || !isStatic(matrix) || matrix.info().rank() == 0)
      return build.notYet("the sizes of each matrix");
    matrices.push_back(matrix);
  }
  size_t count = matrices.size();
  auto rows = [&](size_t i) {
    return matrices[i].info().rank() == 1 && i == 0 ? 1 : matrices[i].info().size(0);
  };
  auto columns = [&](size_t i) {
    return matrices[i].info().rank() == 1 && i + 1 == count ? 1 : matrices[i].info().size(-1);
  };
  // cost[i][j]: the fewest multiplications for the product of matrices i to j.
  std::vector<std::vector<double>> cost(count, std::vector<double>(count, 0));
  std::vector<std::vector<size_t>> cut(count, std::vector<size_t>(count, 0));
  for (size_t length = 1; length < count; ++length)
    for (size_t i = 0; i + length < count; ++i) {
      size_t j = i + length;
      cost[i][j] = INFINITY;
      for (size_t k = i; k < j; ++k) {
        double total = cost[i][k] + cost[k + 1][j] + double(rows(i)) * columns(k) * columns(j);
        if (total < cost[i][j])
          cost[i][j] = total, cut[i][j] = k;
      }
    }
  std::function<Tensor(size_t, size_t)> product = [&](size_t i, size_t j) -> Tensor {
    if (i == j)
      return matrices[i];
    return matmul(product(i, cut[i][j]), product(cut[i][j] + 1, j));
  };
  return product(0, count - 1);
}

Decomposition matrixPower(Tensor self, Int exponent) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || self.info().rank() < 2 || !exponent.known())
    return build.notYet("the sizes of matrices and the value of n");
  int64_t n = *exponent.known();
  if (n < 0)
    self = build.op<aten::LinalgInvOp>(self);
  n = std::abs(n);
  if (n == 0) {
    Any none = build.none();
    int64_t dtype = int64_t(*typeToDtype(self.info().dtype()));
    Tensor unit = build.op<aten::EyeOp>(self.info().size(-1), dtype, none, none, none);
    return build.op<aten::ExpandOp>(unit, sizesOf(self), false);
  }
  Tensor square = self;
  for (; !(n & 1); n >>= 1)
    square = matmul(square, square);
  Tensor result = square;
  for (n >>= 1; n > 0; n >>= 1) {
    square = matmul(square, square);
    if (n & 1)
      result = matmul(result, square);
  }
  return result;
}

Decomposition trilinear(ArrayRef<Tensor> factors, ArrayRef<IntList> places, IntList sumDims,
                        Int unrolled) {
  GraphBuilder &build = *sumDims.b;
  auto dims = sumDims.known();
  std::optional<Tensor> product;
  // PyTorch adds a product for each place along the unrolled dimension: none where no factor has
  // it.
  auto lacks = [&](IntList list) {
    auto known = list.known();
    return !known || !unrolled.known() || llvm::is_contained(*known, *unrolled.known());
  };
  if (llvm::all_of(places, lacks))
    return build.notYet("a dimension to unroll that a factor has");
  for (auto [factor, list] : llvm::zip(factors, places)) {
    auto known = list.known();
    if (!factor.info().hasRank() || !known || !dims)
      return build.notYet("the ranks of the factors and the values of the lists");
    Tensor expanded = factor;
    llvm::sort(*known);
    for (int64_t place : *known)
      expanded = unsqueeze(expanded, place);
    product = product ? *product * expanded : expanded;
  }
  return dims->empty() ? *product : sum(*product, *dims, false);
}

Decomposition bilinear(Tensor a, Tensor c, Tensor weight, OptTensor bias) {
  GraphBuilder &build = *a.b;
  if (!isStatic(a) || !isStatic(c) || !isStatic(weight) || weight.info().rank() != 3 ||
      !bias.isSettled() || a.info().rank() == 0)
    return build.notYet("the sizes of the inputs, a weight of rank 3 and whether bias is None");
  // [batch, outputs * inputs2]: one product, then the sums over inputs2.
  int64_t outputs = weight.info().size(0), first = weight.info().size(1),
          second = weight.info().size(2);
  SmallVector<int64_t> leading(a.info().sizes().drop_back()), split(leading);
  Tensor flat = view(permute(weight, {1, 0, 2}), {first, outputs * second});
  split.append({outputs, second});
  Tensor result = typeAs(sum(view(matmul(a, flat), split) * unsqueeze(c, -2), {-1}, false), a);
  return bias ? result + *bias : result;
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// Norms of rows or columns, and their extreme: orders 1, -1, inf and -inf. The others need
/// singular values.
namespace {
enum class Singular { Sum, Largest, Smallest };
} // namespace

/// What the singular values over two dimensions come to, computed in `dtype` if it is not None.
static Decomposition singularNorm(Tensor self, int64_t row, int64_t column, Singular how,
                                  bool keepdim, Any dtype) {
  GraphBuilder &build = *self.b;
  if (isa<OptionalType>(dtype.v.getType()))
    return build.notYet("whether dtype is None");
  if (!dtype.isNone())
    self = build.op<aten::ToDTypeOp>(self, dtype, false, false, build.none());
  SmallVector<int64_t> order, sizes(self.info().sizes());
  for (int64_t dim = 0; dim < self.info().rank(); ++dim)
    if (dim != row && dim != column)
      order.push_back(dim);
  order.append({row, column});
  Tensor values = build.op<aten::LinalgSvdvalsOp>(permute(self, order), build.none());
  IntList last = build.ints({-1});
  bool isEmpty = std::min(sizes[row], sizes[column]) == 0;
  if (isEmpty && how == Singular::Smallest)
    return build.notYet("a matrix with elements for the smallest singular value");
  if (isEmpty) // the sum is 0, as the largest is
    how = Singular::Sum;
  Tensor norm = how == Singular::Sum       ? sum(values, {-1}, false)
                : how == Singular::Largest ? Tensor(build.op<aten::AmaxOp>(values, last, false))
                                           : Tensor(build.op<aten::AminOp>(values, last, false));
  sizes[row] = sizes[column] = 1;
  return keepdim ? view(norm, sizes) : norm;
}

Decomposition nuclearNorm(Tensor self, Any dims, Bool keepdim, Any dtype) {
  GraphBuilder &build = *self.b;
  std::optional<SmallVector<int64_t>> plane;
  if (dims.isNone())
    plane = {-2, -1};
  else if (isa<ListType>(dims.v.getType()))
    plane = IntList(build, dims.v).known();
  if (!plane || plane->size() != 2 || !keepdim.known() || !isStatic(self))
    return build.notYet("two constant dimensions, the sizes of self and the value of keepdim");
  auto row = wrapped((*plane)[0], self.info().rank()),
       column = wrapped((*plane)[1], self.info().rank());
  if (!row || !column || *row == *column)
    return build.notYet("two different dimensions of self");
  return singularNorm(self, *row, *column, Singular::Sum, *keepdim.known(), dtype);
}

Decomposition matrixNorm(Tensor self, Any order, IntList dims, Bool keepdim, Any dtype) {
  GraphBuilder &build = *self.b;
  auto p = knownNumber(order);
  auto plane = dims.known();
  if (!p || !plane || plane->size() != 2 || !keepdim.known() || !isStatic(self) ||
      (std::abs(*p) != 1 && std::abs(*p) != 2 && !std::isinf(*p)))
    return build.notYet("an order of 1, 2, inf or their negatives, two constant dimensions, the "
                        "sizes of self and the value of keepdim");
  auto row = wrapped((*plane)[0], self.info().rank()),
       column = wrapped((*plane)[1], self.info().rank());
  if (!row || !column || *row == *column)
    return build.notYet("two different dimensions of self");
  if (std::abs(*p) == 2)
    return singularNorm(self, *row, *column, *p > 0 ? Singular::Largest : Singular::Smallest,
                        *keepdim.known(), dtype);
  bool sumsRows = std::abs(*p) == 1;
  int64_t first = sumsRows ? *row : *column, second = sumsRows ? *column : *row;
  Tensor sums = build.op<aten::LinalgVectorNormOp>(self, 1, build.ints({first}), true, dtype);
  if (*p < 0 && self.info().size(second) == 0)
    return build.notYet("elements to take the least of");
  Tensor extreme = *p > 0 ? build.op<aten::AmaxOp>(sums, build.ints({second}), true)
                          : build.op<aten::AminOp>(sums, build.ints({second}), true);
  if (elementCount(self) == 0)
    extreme = zerosLike(extreme);
  return *keepdim.known() ? extreme
                          : build.op<aten::SqueezeDimsOp>(extreme, build.ints({first, second}));
}

Decomposition anyNorm(Tensor self, OptScalar order, OptIntList dims, Bool keepdim, Any dtype) {
  GraphBuilder &build = *self.b;
  if (!order.isSettled() || !dims.isSettled() || !self.info().hasRank() || !self.info().dtype() ||
      (dims && !(*dims).known()))
    return build.notYet("whether order and dims are None, the rank and element type of self, and "
                        "the value of dims");
  size_t named = dims ? (*dims).known()->size() : self.info().rank();
  if (!order || named == 1)
    return build.op<aten::LinalgVectorNormOp>(self, order ? Any(order) : Any(build.i(2)), dims,
                                              keepdim, dtype);
  if (named != 2)
    return build.notYet("one or two dimensions");
  return build.op<aten::LinalgMatrixNormOp>(self, order, dims ? Any(dims) : Any(build.ints({0, 1})),
                                            keepdim, dtype);
}

Decomposition renormalized(Tensor self, Any order, Int dim, Any limit) {
  GraphBuilder &build = *self.b;
  auto most = knownNumber(limit);
  if (!isStatic(self) || !dim.known() || !most)
    return build.notYet("the sizes of self and the values of dim and maxnorm");
  auto place = wrapped(*dim.known(), self.info().rank());
  if (!place)
    return build.notYet("a dim of self");
  SmallVector<int64_t> others;
  for (int64_t i = 0; i < self.info().rank(); ++i)
    if (i != *place)
      others.push_back(i);
  // Norms of halves are float32: they may be larger than any half.
  Type dtype = self.info().dtype();
  bool isHalf = dtype.isF16() || dtype.isBF16();
  Any wide = isHalf ? Any(build.i(int64_t(ScalarType::Float))) : Any(build.none());
  auto normOf = [&](Tensor t) -> Tensor {
    return build.op<aten::LinalgVectorNormOp>(t, order, build.ints(others), true, wide);
  };
  Tensor isLong = normOf(self) > *most;
  // Gradients go through the norms of what is scaled alone: others may be NaN.
  Tensor norm = normOf(where(isLong, self, 0.0));
  // Never a division by 0.
  Tensor factor = where(isLong, build.op<aten::ReciprocalOp>(norm + 1e-7) * *most, onesLike(norm));
  return typeAs(self * factor, self);
}

} // namespace jit
