//===- Fourier.cpp - Fourier transforms as products of matrices -----------===//
//
// A transform of n = p * q elements is transforms of p elements, a factor for each of them, and
// transforms of q elements. Short ones are products with the matrix of the transform; long ones of
// a prime number of elements are a convolution, done by transforms of a power of 2.
//
//===----------------------------------------------------------------------===//

#include "ComplexParts.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/View.h"

#include <complex>
#include <numbers>

using namespace mlir;

namespace jit {

using Complex = std::complex<double>;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// exp(2 pi i numerator / denominator). Exact at quarters of a turn: the sine of a rounded pi is
/// not zero, which shows beside large elements.
static Complex turn(int64_t numerator, int64_t denominator) {
  int64_t place = numerator % denominator;
  int64_t fourfold = 4 * (place < 0 ? place + denominator : place);
  int64_t quarter = fourfold / denominator, rest = fourfold % denominator;
  double angle = std::numbers::pi / 2 * double(rest) / double(denominator);
  double c = std::cos(angle), s = std::sin(angle);
  Complex turns[] = {{c, s}, {0 - s, c}, {0 - c, 0 - s}, {s, 0 - c}};
  return turns[quarter];
}

static Tensor literal(GraphBuilder &build, ArrayRef<int64_t> sizes, Type dtype,
                      ArrayRef<double> values) {
  auto type = RankedTensorType::get(sizes, dtype);
  SmallVector<APFloat> elements;
  for (double value : values) {
    bool loses;
    elements.push_back(APFloat(value));
    elements.back().convert(cast<FloatType>(dtype).getFloatSemantics(),
                            APFloat::rmNearestTiesToEven, &loses);
  }
  return {build, ConstantOp::create(build.builder, build.loc,
                                    TensorType::get(build.builder.getContext(), sizes, dtype),
                                    DenseElementsAttr::get(type, elements))};
}

static Parts literal(GraphBuilder &build, ArrayRef<int64_t> sizes, Type dtype,
                     ArrayRef<Complex> values) {
  auto part = [&](double (*of)(const Complex &)) {
    return literal(build, sizes, dtype, llvm::map_to_vector(values, of));
  };
  return {part([](const Complex &z) { return z.real(); }),
          part([](const Complex &z) { return z.imag(); })};
}

/// In place, of a power of 2 of elements: what the constants of a convolution are made with.
static void transformNumbers(SmallVectorImpl<Complex> &x) {
  int64_t size = int64_t(x.size());
  if (size == 1)
    return;
  SmallVector<Complex> even, odd;
  for (int64_t i = 0; i < size; i += 2) {
    even.push_back(x[i]);
    odd.push_back(x[i + 1]);
  }
  transformNumbers(even);
  transformNumbers(odd);
  for (int64_t k = 0; k < size / 2; ++k) {
    Complex other = turn(-k, size) * odd[k];
    x[k] = even[k] + other;
    x[k + size / 2] = even[k] - other;
  }
}

//===----------------------------------------------------------------------===//
// One dimension: the last
//===----------------------------------------------------------------------===//

namespace {
/// How the last dimension is transformed.
struct Transform {
  GraphBuilder &build;
  Type dtype;
  /// -1 forth, 1 back.
  int64_t sign;
  /// Whether imaginary parts of the result are wanted.
  bool givesImaginary = true;

  /// Of `size` elements the first `kept` frequencies, times `scale`.
  Parts apply(const Parts &x, int64_t size, int64_t kept, double scale) const;

private:
  Complex root(int64_t row, int64_t column, int64_t size) const {
    return turn(sign * (row * column % size), size);
  }
  Tensor matrix(int64_t size, int64_t kept, double scale, bool takesImaginary, bool isLeft) const;
  Parts product(const Parts &x, int64_t size, int64_t kept, double scale) const;
  Parts productOfColumns(const Parts &table) const;
  Parts asConvolution(const Parts &x, int64_t size, int64_t kept, double scale) const;
};
} // namespace

/// Transforms of at most so many elements are one product, if they cannot be divided.
static constexpr int64_t mostAtOnce = 128;
static constexpr int64_t largestFactor = 32;

/// The number of elements of the inner transforms: `size` itself where one product does it all, 0
/// where there is none.
static int64_t innerSize(int64_t size) {
  if (size <= largestFactor)
    return size;
  for (int64_t factor = largestFactor; factor > 1; --factor)
    if (size % factor == 0 && factor * factor <= size)
      return factor;
  return size <= mostAtOnce ? size : 0;
}

static Tensor joined(const Parts &x, int64_t dim) {
  Tensor parts[] = {x.re, imaginary(x)};
  return x.im ? x.re.b->op<aten::CatOp>(x.re.b->list(parts), dim) : x.re;
}

static Tensor part(Tensor t, int64_t dim, int64_t from, int64_t to) {
  return t.b->op<aten::SliceTensorOp>(t, dim, from, to, 1);
}

/// The matrix of a transform as a product of real numbers: from the real parts of all elements,
/// then the imaginary ones, to those of all frequencies. Rows are elements, or frequencies where it
/// stands on the left.
Tensor Transform::matrix(int64_t size, int64_t kept, double scale, bool takesImaginary,
                         bool isLeft) const {
  int64_t from = takesImaginary ? 2 * size : size, to = givesImaginary || isLeft ? 2 * kept : kept;
  SmallVector<double> values(from * to);
  for (int64_t i = 0; i < from; ++i)
    for (int64_t k = 0; k < to; ++k) {
      Complex z = scale * root(i % size, k % kept, size);
      bool isImaginary = i >= size, toImaginary = k >= kept;
      double factor = isImaginary == toImaginary ? z.real() : toImaginary ? z.imag() : -z.imag();
      values[isLeft ? k * from + i : i * to + k] = factor;
    }
  if (isLeft)
    return literal(build, {to, from}, dtype, values);
  return literal(build, {from, to}, dtype, values);
}

Parts Transform::product(const Parts &x, int64_t size, int64_t kept, double scale) const {
  Tensor result =
      matmul(joined(x, -1), matrix(size, kept, scale, x.im.has_value(), /*isLeft=*/false));
  if (!givesImaginary)
    return {result};
  return {part(result, -1, 0, kept), part(result, -1, kept, 2 * kept)};
}

/// Each column of [..., inner, outer] transformed.
Parts Transform::productOfColumns(const Parts &table) const {
  int64_t size = table.re.info().size(-2);
  Tensor result =
      matmul(matrix(size, size, 1, table.im.has_value(), /*isLeft=*/true), joined(table, -2));
  return {part(result, -2, 0, size), part(result, -2, size, 2 * size)};
}

Parts Transform::apply(const Parts &x, int64_t size, int64_t kept, double scale) const {
  int64_t inner = innerSize(size);
  if (inner == size)
    return product(x, size, kept, scale);
  if (inner == 0)
    return asConvolution(x, size, kept, scale);
  // Element inner number * outer + outer number; frequency outer frequency * inner + inner one.
  int64_t outer = size / inner, rows = llvm::divideCeilSigned(kept, inner);
  Parts columns = productOfColumns(each(x, [&](Tensor t) -> Tensor {
    return build.op<aten::UnflattenIntOp>(t, -1, build.ints({inner, outer}));
  }));
  SmallVector<Complex> factors;
  for (int64_t k = 0; k < inner; ++k)
    for (int64_t j = 0; j < outer; ++j)
      factors.push_back(root(k, j, size));
  Parts turned = columns * literal(build, {inner, outer}, dtype, factors);
  return each(apply(turned, outer, rows, scale), [&](Tensor t) -> Tensor {
    t = build.op<aten::FlattenUsingIntsOp>(transpose(t, -1, -2), -2, -1);
    return rows * inner == kept ? t : part(t, -1, 0, kept);
  });
}

/// By Bluestein's identity: 2 j k = j^2 + k^2 - (k - j)^2.
Parts Transform::asConvolution(const Parts &x, int64_t size, int64_t kept, double scale) const {
  int64_t length = int64_t(llvm::PowerOf2Ceil(uint64_t(2 * size - 1)));
  SmallVector<Complex> chirp, kernel(length);
  for (int64_t j = 0; j < size; ++j) {
    chirp.push_back(turn(sign * (j * j % (2 * size)), 2 * size));
    kernel[j] = std::conj(chirp[j]);
    kernel[(length - j) % length] = kernel[j];
  }
  transformNumbers(kernel);
  Parts first = x * literal(build, {size}, dtype, chirp);
  Parts filled = each(first, [&](Tensor t) -> Tensor {
    return build.op<aten::ConstantPadNdOp>(t, build.ints({0, length - size}), 0);
  });
  Parts spectrum = Transform{build, dtype, -1}.apply(filled, length, length, 1);
  Parts product = spectrum * literal(build, {length}, dtype, kernel);
  Parts back = Transform{build, dtype, 1}.apply(product, length, kept, scale / double(length));
  return back * literal(build, {kept}, dtype, ArrayRef(chirp).take_front(kept));
}

//===----------------------------------------------------------------------===//
// Several dimensions
//===----------------------------------------------------------------------===//

namespace {
/// A call's dimensions, counted from the front, and the factor that its normalization asks for.
struct Plan {
  SmallVector<int64_t> dims;
  double scale;
};
} // namespace

/// `last` is the number of real elements in the last of the dimensions. Nullopt where too little is
/// known.
static std::optional<Plan> planOf(const ComplexCall &call, std::optional<int64_t> last = {}) {
  IntList list(call.build, call.op->getOperand(1));
  auto dims = list.known();
  auto mode = IntInfo(call.op->getOperand(2)).known;
  TensorInfo info(call.op->getOperand(0));
  if (!dims || dims->empty() || !mode || !info.hasRank())
    return std::nullopt;
  double count = 1;
  for (int64_t &dim : *dims) {
    dim = dim < 0 ? dim + info.rank() : dim;
    if (dim < 0 || dim >= info.rank())
      return std::nullopt;
    int64_t size = last && dim == dims->back() ? *last : info.size(dim);
    if (size < 1)
      return std::nullopt;
    count *= double(size);
  }
  return Plan{*dims, *mode == 0 ? 1 : *mode == 1 ? 1 / std::sqrt(count) : 1 / count};
}

/// A dimension transformed as if it were the last.
static Parts alongDim(const Parts &x, int64_t dim, function_ref<Parts(const Parts &)> map) {
  if (dim == x.re.info().rank() - 1)
    return map(x);
  auto swap = [&](Tensor t) { return transpose(t, dim, -1); };
  return each(map(each(x, swap)), swap);
}

static Parts transformed(const Parts &x, int64_t dim, int64_t sign, double scale) {
  Transform transform{*x.re.b, x.re.info().dtype(), sign};
  int64_t size = x.re.info().size(dim);
  return alongDim(x, dim, [&](const Parts &t) { return transform.apply(t, size, size, scale); });
}

static bool isFloat(const Parts &x) { return isa_and_nonnull<FloatType>(x.re.info().dtype()); }

std::optional<Parts> complexToComplex(const ComplexCall &call) {
  auto plan = planOf(call);
  auto isForward = BoolInfo(call.op->getOperand(3)).known;
  if (!plan || !isForward || !isFloat(call[0]))
    return std::nullopt;
  Parts x = call[0];
  for (int64_t dim : llvm::reverse(plan->dims)) {
    x = transformed(x, dim, *isForward ? -1 : 1, plan->scale);
    plan->scale = 1;
  }
  return x;
}

std::optional<Parts> realToComplex(const ComplexCall &call) {
  auto plan = planOf(call);
  auto isHalf = BoolInfo(call.op->getOperand(3)).known;
  if (!plan || !isHalf || !isFloat(call[0]))
    return std::nullopt;
  int64_t last = plan->dims.pop_back_val(), size = call[0].re.info().size(last);
  Transform transform{call.build, call[0].re.info().dtype(), -1};
  Parts x = alongDim(call[0], last, [&](const Parts &t) {
    return transform.apply(t, size, *isHalf ? size / 2 + 1 : size, plan->scale);
  });
  for (int64_t dim : llvm::reverse(plan->dims))
    x = transformed(x, dim, -1, 1);
  return x;
}

/// Negative frequencies behind the others: the conjugates of those that are there.
static Parts completed(const Parts &x, int64_t size) {
  GraphBuilder &build = *x.re.b;
  int64_t missing = size - x.re.info().size(-1);
  if (missing == 0)
    return x;
  auto mirrored = [&](Tensor t, bool isNegative) -> Tensor {
    Tensor others = build.op<aten::SliceTensorOp>(t, -1, 1, 1 + missing, 1);
    others = build.op<aten::FlipOp>(others, build.ints({-1}));
    Tensor both[] = {t, isNegative ? -others : others};
    return build.op<aten::CatOp>(build.list(both), -1);
  };
  return {mirrored(x.re, false), x.im ? std::optional(mirrored(*x.im, true)) : std::nullopt};
}

std::optional<Parts> complexToReal(const ComplexCall &call) {
  auto size = IntInfo(call.op->getOperand(3)).known;
  if (!size)
    return std::nullopt;
  auto plan = planOf(call, size);
  if (!plan || !isFloat(call[0]) || call[0].re.info().size(plan->dims.back()) != *size / 2 + 1)
    return std::nullopt;
  int64_t last = plan->dims.pop_back_val();
  Parts x = call[0];
  for (int64_t dim : plan->dims)
    x = transformed(x, dim, 1, 1);
  Transform transform{call.build, x.re.info().dtype(), 1, /*givesImaginary=*/false};
  Parts result = alongDim(x, last, [&](const Parts &t) {
    return transform.apply(completed(t, *size), *size, *size, plan->scale);
  });
  return Parts{result.re};
}

} // namespace jit
