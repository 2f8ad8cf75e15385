//===- GraphBuilders.cpp - builders that the bodies of several families share -===//

#include "Rules/GraphBuilders.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

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

bool areLastKnown(Tensor t, int64_t count) {
  return t.info().hasRank() && count <= t.info().rank() &&
         !llvm::is_contained(t.info().sizes().take_back(count), TensorType::kDynamic);
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

Tensor viewAs(Tensor t, ArrayRef<int64_t> sizes) {
  return t.info().sizes() == sizes ? t : t.b->op<aten::ViewOp>(t, t.b->ints(sizes));
}

Tensor expandTo(Tensor t, ArrayRef<int64_t> sizes) {
  return t.info().sizes() == sizes ? t : t.b->op<aten::ExpandOp>(t, t.b->ints(sizes), false);
}

Tensor counting(GraphBuilder &build, int64_t count) { return counting(build.i(count)); }

Tensor counting(Int count) {
  Any none = count.b->none();
  return count.b->op<aten::ArangeOp>(count, none, none, none, none);
}

/// Ends the call unless a dimension of each tensor has the same size, where types leave one open.
static void guardEqual(Tensor a, int64_t dim, Tensor c, int64_t other) {
  GraphBuilder &build = *a.b;
  int64_t left = a.info().size(dim), right = c.info().size(other);
  if ((a.v == c.v && dim == other) ||
      (left != TensorType::kDynamic && right != TensorType::kDynamic))
    return;
  Value sizes[] = {sizeOf(a, dim).v, sizeOf(c, other).v};
  Value isEqual =
      arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::eq, sizes[0], sizes[1]);
  GuardOp::create(build.builder, build.loc, isEqual, sizeGuardClass,
                  "expected equal sizes, got {} and {}", sizes);
}

void guardOpenSizes(Tensor self, Tensor source) {
  int64_t missing = self.info().rank() - source.info().rank();
  for (int64_t dim = 0; dim < source.info().rank(); ++dim)
    if (source.info().size(dim) != 1)
      guardEqual(self, dim + missing, source, dim);
}

/// Whether sizes may be the same.
static bool mayBeEqual(int64_t a, int64_t c) {
  return a == c || a == TensorType::kDynamic || c == TensorType::kDynamic;
}

bool haveEqualSizes(Tensor a, Tensor c) {
  if (!a.info().hasRank() || !c.info().hasRank() || a.info().rank() != c.info().rank() ||
      !llvm::all_of_zip(a.info().sizes(), c.info().sizes(), mayBeEqual))
    return false;
  for (int64_t dim = 0; dim < a.info().rank(); ++dim)
    guardEqual(a, dim, c, dim);
  return true;
}

bool haveEqualSize(Tensor a, int64_t dim, Tensor c, int64_t other) {
  if (!mayBeEqual(a.info().size(dim), c.info().size(other)))
    return false;
  guardEqual(a, dim, c, other);
  return true;
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
