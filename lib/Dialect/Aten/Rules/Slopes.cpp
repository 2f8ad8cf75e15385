//===- Slopes.cpp - builders for the rules of Statistics.td: numerical gradients -===//

#include "Rules/GraphBuilders.h"
#include "Rules/Statistics.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Statistics.h"

using namespace mlir;

namespace jit {

namespace {
/// The elements along one dimension and the steps between them.
struct Samples {
  Tensor values;
  int64_t dim;
  Any step;

  int64_t size() const { return values.info().size(dim); }
  bool isEven() const { return !isa<TensorType>(step.v.getType()); }
  Tensor part(int64_t from, int64_t to) const { return slice(values, dim, from, to); }

  /// [..., to - from, ...]: the steps from `from` on.
  Tensor steps(int64_t from, int64_t to) const {
    Tensor places(*step.b, step.v);
    Tensor apart = slice(places, 0, from + 1, to + 1) - slice(places, 0, from, to);
    SmallVector<int64_t> sizes(values.info().rank(), 1);
    sizes[dim] = to - from;
    return step.b->op<aten::ViewOp>(apart, step.b->ints(sizes));
  }
};
} // namespace

/// By the elements on either side: weighted by the steps to them.
static Tensor inner(const Samples &s) {
  int64_t size = s.size();
  Tensor before = s.part(0, size - 2), here = s.part(1, size - 1), after = s.part(2, size);
  if (s.isEven())
    return (after - before) / s.step / 2.0;
  Tensor near = s.steps(0, size - 2), far = s.steps(1, size - 1);
  Tensor a = -(far / (near * (near + far))), b = (far - near) / (near * far);
  return a * before + b * here + near / (far * (near + far)) * after;
}

/// At the first element, or at the last: by the neighbour, or by the two neighbours.
static Tensor edge(const Samples &s, bool isFirst, int64_t order) {
  int64_t last = s.size() - 1;
  auto element = [&](int64_t i) {
    return isFirst ? s.part(i, i + 1) : s.part(last - i, last - i + 1);
  };
  auto step = [&](int64_t i) {
    return isFirst ? s.steps(i, i + 1) : s.steps(last - i - 1, last - i);
  };
  Tensor x = element(0), y = element(1);
  if (order == 1) {
    Tensor apart = isFirst ? y - x : x - y;
    return s.isEven() ? apart / s.step : apart / step(0);
  }
  Tensor z = element(2);
  if (s.isEven()) {
    Tensor slope = (y * 4.0 - x * 3.0 - z) / s.step / 2.0;
    return isFirst ? slope : -slope;
  }
  Tensor near = step(0), far = step(1), both = near + far;
  Tensor slope =
      both / (near * far) * y - (near + both) / (near * both) * x - near / (far * both) * z;
  return isFirst ? slope : -slope;
}

static std::optional<Tensor> slopesAlong(const Samples &s, int64_t order) {
  if (s.size() < order + 1 || (!s.isEven() && !isStatic(Tensor(*s.step.b, s.step.v))))
    return std::nullopt;
  SmallVector<Tensor> parts = {edge(s, /*isFirst=*/true, order)};
  if (s.size() > 2)
    parts.push_back(inner(s));
  parts.push_back(edge(s, /*isFirst=*/false, order));
  return Tensor(s.values.b->op<aten::CatOp>(s.values.b->list(parts), s.dim));
}

Decomposition gradients(Tensor self, std::optional<AnyList> dims, ArrayRef<Any> steps, Int order) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || (order.known() != 1 && order.known() != 2))
    return build.notYet("the sizes of self and 1 or 2 as edge_order");
  SmallVector<int64_t> along = llvm::to_vector(llvm::seq(self.info().rank()));
  if (dims) {
    auto known = IntList(build, dims->v).known();
    if (!known)
      return build.notYet("the values of dim");
    along = *known;
  }
  if (steps.size() != 1 && steps.size() != along.size())
    return build.notYet("one spacing, or one for each dim");
  if (!isa<FloatType, ComplexType>(self.info().dtype()))
    self = converted(self, build.builder.getF32Type());
  SmallVector<Tensor> slopes;
  for (auto [i, dim] : llvm::enumerate(along)) {
    auto at = wrapped(build.i(dim), self.info().rank());
    auto found = at ? slopesAlong({self, *at, steps[steps.size() == 1 ? 0 : i]}, *order.known())
                    : std::nullopt;
    if (!found)
      return build.notYet("dims of self of more elements than edge_order, and a spacing for each");
    slopes.push_back(*found);
  }
  return build.list(slopes);
}

/// The list of one dimension; nullopt for all of them.
static std::optional<AnyList> listOf(OptInt dim) {
  GraphBuilder &build = *dim.b;
  return dim ? std::optional<AnyList>(build.list(ArrayRef<Int>{*dim})) : std::nullopt;
}

Decomposition gradients(Tensor self, OptInt dim, Any step, Int order) {
  if (!dim.isSettled() || isa<OptionalType>(step.v.getType()))
    return self.b->notYet("whether dim and spacing are None");
  return gradients(self, listOf(dim), {step.isNone() ? Any(self.b->i(1)) : step}, order);
}

/// The elements of a list as handles.
static std::optional<SmallVector<Any>> handles(AnyList list) {
  auto elements = list.elements();
  if (!elements)
    return std::nullopt;
  return llvm::map_to_vector(*elements, [&](Value v) { return Any(*list.b, v); });
}

Decomposition gradients(Tensor self, OptInt dim, AnyList steps, Int order) {
  auto each = handles(steps);
  if (!dim.isSettled() || !each)
    return self.b->notYet("whether dim is None and the elements of spacing");
  return gradients(self, listOf(dim), *each, order);
}

Decomposition gradients(Tensor self, AnyList dims, AnyList steps, Int order) {
  auto each = handles(steps);
  return each ? gradients(self, std::optional(dims), *each, order) : Decomposition(failure());
}

} // namespace jit
