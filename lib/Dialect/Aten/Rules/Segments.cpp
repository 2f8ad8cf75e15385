//===- Segments.cpp - builders for the rules of Search.td: what meets in one place -===//

#include "Rules/GraphBuilders.h"
#include "Rules/Search.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/Search.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Gradients of scatter_reduce
//===----------------------------------------------------------------------===//

/// True where all is known that the gradients ask for.
static bool isReady(const Combined &op) {
  return op.reduce.known() && op.includeSelf.known() && haveEqualSizes(op.source, op.index);
}

static Tensor gathered(const Combined &op, Tensor t) {
  return t.b->op<aten::GatherOp>(t, op.dim, op.index, false);
}

static Tensor added(const Combined &op, Tensor base, Tensor source) {
  return base.b->op<aten::ScatterAddOp>(base, op.dim, op.index, source);
}

/// How many elements each place was combined from, 1 for none.
static Tensor countOf(const Combined &op) {
  Tensor first = *op.includeSelf.known() ? onesLike(op.self) : zerosLike(op.self);
  return op.self.b->op<aten::ClampMinOp>(added(op, first, onesLike(op.source)), 1);
}

/// The gradient of each extreme, shared by the elements that are equal to it.
static Tensor sharedByExtremes(const Combined &op, Tensor grad) {
  Tensor ofSource = typeAs(op.source == gathered(op, op.result), grad);
  return grad / added(op, typeAs(op.self == op.result, grad), ofSource);
}

static Tensor product(const Combined &op, Tensor self, Tensor source, bool includeSelf) {
  return self.b->op<aten::ScatterReduceTwoOp>(self, op.dim, op.index, source, op.reduce,
                                              includeSelf);
}

/// A product without one of its factors, where that is 0 too.
static Tensor productGradOfSelf(const Combined &op, Tensor grad) {
  Tensor isZero = op.self == 0.0, others = where(isZero, 1.0, op.self);
  return grad * product(op, others, op.source, true) / others;
}

static Tensor productGradOfSource(const Combined &op, Tensor grad) {
  Tensor isZero = op.source == 0.0;
  Tensor zeros = gathered(op, added(op, zerosLike(op.self), typeAs(isZero, op.self)));
  Tensor isOnlyZero = isZero && zeros == 1.0;
  Tensor base = *op.includeSelf.known() ? op.self : onesLike(op.self);
  Tensor others = product(op, base, where(isOnlyZero, 1.0, op.source), *op.includeSelf.known());
  Tensor divided = gathered(op, grad * op.result) / where(isZero, 1.0, op.source);
  return where(isOnlyZero, gathered(op, grad * others), divided);
}

Gradient combinedGradOfSelf(Combined op, Tensor grad) {
  if (!isReady(op))
    return failure();
  StringRef how = *op.reduce.known();
  Tensor result = how == "sum"    ? grad
                  : how == "mean" ? grad / countOf(op)
                  : how == "prod" ? productGradOfSelf(op, grad)
                                  : typeAs(op.self == op.result, grad) * sharedByExtremes(op, grad);
  if (*op.includeSelf.known())
    return result;
  return grad.b->op<aten::ScatterValueOp>(result, op.dim, op.index, 0);
}

Gradient combinedGradOfSource(Combined op, Tensor grad) {
  if (!isReady(op))
    return failure();
  StringRef how = *op.reduce.known();
  if (how == "sum")
    return gathered(op, grad);
  if (how == "mean")
    return gathered(op, grad / countOf(op));
  if (how == "prod")
    return productGradOfSource(op, grad);
  return typeAs(op.source == gathered(op, op.result), grad) *
         gathered(op, sharedByExtremes(op, grad));
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

/// The places between the segments, [..., segments + 1].
static std::optional<Tensor> bordersOf(const Segments &segments) {
  GraphBuilder &build = *segments.axis.b;
  if (segments.offsets)
    return *segments.offsets;
  if (!segments.lengths || !isStatic(*segments.lengths) || (*segments.lengths).info().rank() == 0)
    return std::nullopt;
  Tensor lengths = converted(*segments.lengths, build.builder.getI64Type());
  Tensor ends = build.op<aten::CumsumOp>(lengths, -1, build.none());
  return Tensor(build.op<aten::ConstantPadNdOp>(ends, build.ints({1, 0}), 0));
}

/// Ends the call unless every segment is within the data and none is of negative length.
static void guardBorders(Tensor borders, int64_t size, bool isExact) {
  GraphBuilder &build = *borders.b;
  int64_t count = borders.info().size(-1);
  Tensor begins = slice(borders, -1, 0, count - 1), ends = slice(borders, -1, 1, count);
  Tensor last = slice(borders, -1, count - 1, count);
  auto all = [&](Tensor t) -> Tensor { return build.op<aten::AllOp>(t); };
  Tensor isInside = isExact ? last == double(size) : last <= double(size);
  Tensor isFitting = all(begins <= ends) && all(isInside) && all(borders >= 0.0);
  Value ok = build.op<aten::ItemOp>(isFitting).v;
  GuardOp::create(build.builder, build.loc, ok, "builtins.RuntimeError",
                  "expected segments that cover a dimension of size {}",
                  ValueRange{build.i(size).v});
}

/// What a segment begins with; nullopt for a word that is none.
static std::optional<double> startOf(StringRef how, OptScalar initial) {
  auto first = llvm::StringSwitch<std::optional<double>>(how)
                   .Cases({"sum", "mean"}, 0.0)
                   .Case("prod", 1.0)
                   .Case("max", -std::numeric_limits<double>::infinity())
                   .Case("min", std::numeric_limits<double>::infinity())
                   .Default(std::nullopt);
  return first && initial ? knownNumber(*initial) : first;
}

static Tensor combined(Tensor elements, StringRef how, double start) {
  GraphBuilder &build = *elements.b;
  Any none = build.none();
  if (how == "prod")
    return build.op<aten::ProdDimIntOp>(elements, -1, false, none) * start;
  if (how == "max")
    return build.op<aten::ClampMinOp>(build.op<aten::AmaxOp>(elements, build.ints({-1}), false),
                                      start);
  if (how == "min")
    return build.op<aten::ClampMaxOp>(build.op<aten::AminOp>(elements, build.ints({-1}), false),
                                      start);
  return sum(elements, {-1}, false) + start;
}

Decomposition segmentsReduced(Tensor data, Str reduce, Segments segments) {
  GraphBuilder &build = *data.b;
  auto borders = bordersOf(segments);
  if (!isStatic(data) || elementCount(data) == 0 || !isa<FloatType>(data.info().dtype()) ||
      !segments.initial.isSettled() || !reduce.known() || !borders || !isStatic(*borders) ||
      borders->info().size(-1) < 2)
    return build.notYet("the sizes of data of floats and of segments, the value of reduce and "
                        "whether initial is None");
  auto at = wrapped(segments.axis, data.info().rank());
  StringRef how = *reduce.known();
  auto start = startOf(how, segments.initial);
  if (!at || !start || borders->info().rank() != *at + 1 ||
      borders->info().sizes().drop_back() != data.info().sizes().take_front(*at))
    return build.notYet("a constant axis, a known reduce and an initial that goes with it, and "
                        "segments for each row");
  int64_t count = borders->info().size(-1) - 1, size = data.info().size(*at);
  guardBorders(*borders, size, segments.lengths && segments.isUnsafe.known() != true);
  // [..., segments, rest..., elements]
  int64_t behind = data.info().rank() - 1 - *at;
  auto shaped = [&](Tensor t) {
    for (int64_t i = 0; i <= behind; ++i)
      t = unsqueeze(t, -1);
    return t;
  };
  Tensor begin = shaped(slice(*borders, -1, 0, count)),
         end = shaped(slice(*borders, -1, 1, count + 1));
  Tensor place = counting(build, size);
  Tensor isInside = begin <= place && place < end;
  SmallVector<int64_t> order(llvm::to_vector(llvm::seq<int64_t>(*at)));
  llvm::append_range(order, llvm::seq(*at + 1, data.info().rank()));
  order.push_back(*at);
  Tensor elements = unsqueeze(permute(data, order), *at);
  Tensor result = combined(
      where(isInside, elements, *startOf(how, OptScalar(build, build.none().v))), how, *start);
  if (how != "mean")
    return result;
  Tensor length = squeeze(end - begin, -1);
  Tensor isEmpty = length == 0.0;
  Tensor mean = result / typeAs(build.op<aten::ClampMinOp>(length, 1), data);
  return segments.initial ? where(isEmpty, result, mean)
                          : where(isEmpty, std::numeric_limits<double>::quiet_NaN(), mean);
}

} // namespace jit
