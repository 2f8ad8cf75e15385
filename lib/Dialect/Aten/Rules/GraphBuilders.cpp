//===- GraphBuilders.cpp - builders that the bodies of several families share -===//

#include "Rules/GraphBuilders.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

Type inReal(TypeRules &, Type type) {
  auto tensor = dyn_cast_or_null<TensorType>(type);
  auto complex = tensor ? dyn_cast_or_null<ComplexType>(tensor.getDtype()) : ComplexType();
  return complex ? tensor.withDtype(complex.getElementType()) : type;
}

bool isStatic(Tensor t) {
  return t.info().hasRank() && t.info().tensor.hasStaticSizes() && t.info().dtype();
}

std::optional<int64_t> wrapped(Int dim, int64_t rank) {
  if (!dim.known() || *dim.known() < -rank || *dim.known() >= rank)
    return std::nullopt;
  return *dim.known() < 0 ? *dim.known() + rank : *dim.known();
}

Tensor converted(Tensor t, Type dtype) {
  if (t.info().dtype() == dtype)
    return t;
  return t.b->op<aten::ToDTypeOp>(t, int64_t(*typeToDtype(dtype)), false, false, t.b->none());
}

Tensor counting(GraphBuilder &build, int64_t count) {
  Any none = build.none();
  return build.op<aten::ArangeOp>(count, none, none, none, none);
}

void guardWithin(Tensor numbers, int64_t least, Int most) {
  GraphBuilder &build = *numbers.b;
  Tensor isWithin = build.op<aten::GeScalarOp>(numbers, least) &&
                    Tensor(build.op<aten::LeScalarOp>(numbers, most));
  Value ok = build.op<aten::ItemOp>(build.op<aten::AllOp>(isWithin)).v;
  GuardOp::create(build.builder, build.loc, ok, "builtins.RuntimeError",
                  "expected numbers from {} to {}", ValueRange{build.i(least).v, most.v});
}

} // namespace jit
