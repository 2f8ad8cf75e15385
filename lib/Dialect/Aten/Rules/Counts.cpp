//===- Counts.cpp - builders for rules whose sizes are in elements --------===//

#include "Rules/Counts.h"
#include "Rules/GraphBuilders.h"
#include "Rules/Search.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

static bool isWhole(Tensor t) {
  return isStatic(t) && isa<IntegerType>(t.info().dtype()) && elementCount(t) > 0;
}

/// The same where sizes are open: there may be no numbers.
static bool holdsWhole(Tensor t) {
  return isWhole(t) ||
         (t.info().hasRank() && !isStatic(t) && isa_and_present<IntegerType>(t.info().dtype()));
}

static Tensor wide(Tensor t) { return converted(t, t.b->builder.getI64Type()); }

static Int numberOf(Tensor t) { return Int(*t.b, t.b->op<aten::ItemOp>(wide(t)).v); }

static void guardNoneNegative(Tensor numbers) {
  GraphBuilder &build = *numbers.b;
  if (!isStatic(numbers)) {
    Tensor fit = build.op<aten::AllOp>(build.op<aten::GeScalarOp>(wide(numbers), 0));
    GuardOp::create(build.builder, build.loc, build.intOp<aten::BoolTensorOp>(fit).v,
                    "builtins.RuntimeError", "expected no negative numbers", ValueRange());
    return;
  }
  Int least = numberOf(build.op<aten::MinOp>(numbers));
  Value isFitting = arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::sge,
                                          least.v, build.i(0).v);
  GuardOp::create(build.builder, build.loc, isFitting, "builtins.RuntimeError",
                  "expected no negative numbers, got {}", ValueRange{least.v});
}

static Tensor numbersBelow(Int bound) {
  Any none = bound.b->none();
  return bound.b->op<aten::ArangeOp>(bound, none, none, none, none);
}

Int boundOf(Tensor numbers) {
  guardNoneNegative(numbers);
  return numberOf(numbers.b->op<aten::MaxOp>(numbers)) + numbers.b->i(1);
}

Decomposition occurrences(Tensor numbers, OptTensor weights, Int least) {
  GraphBuilder &build = *numbers.b;
  if (!isStatic(numbers) || !weights.isSettled() || !least.known() || *least.known() < 0 ||
      (weights && !(*weights).info().dtype()))
    return build.notYet("the sizes of self, whether weights is None, its element type and a "
                        "minlength of 0 or more");
  if (elementCount(numbers) == 0)
    return zerosLike(numbersBelow(least));
  if (!isWhole(numbers))
    return build.notYet("whole numbers");
  Int bound(build, arith::MaxSIOp::create(build.builder, build.loc, boundOf(numbers).v, least.v));
  Tensor isHere = unsqueeze(numbersBelow(bound), 1) == wide(numbers);
  if (!weights)
    return sum(isHere, {1}, false);
  Type dtype = (*weights).info().dtype();
  Tensor summands = dtype.isF32() ? *weights : converted(*weights, build.builder.getF64Type());
  return sum(where(isHere, summands, 0.0), {1}, false);
}

Decomposition placesRepeated(Tensor counts, OptInt total) {
  GraphBuilder &build = *counts.b;
  if (!holdsWhole(counts) || counts.info().rank() != 1 || !total.isSettled())
    return build.notYet(
        "counts that are whole numbers in one dimension, and whether output_size is None");
  guardNoneNegative(counts);
  Tensor ends = build.op<aten::CumsumOp>(wide(counts), 0, build.none());
  Int all = total ? *total : numberOf(sum(wide(counts)));
  bool isInt = counts.info().dtype().isInteger(32);
  if (!isStatic(counts)) {
    // How many slices end at or before a place.
    Tensor before = build.op<aten::LeTensorOp>(unsqueeze(ends, 0), unsqueeze(numbersBelow(all), 1));
    return converted(sum(before, {1}, false), build.builder.getIntegerType(isInt ? 32 : 64));
  }
  return placesInOrder(ends, numbersBelow(all), {build.flag(isInt), build.flag(true)});
}

Decomposition slicesRepeated(Tensor self, Tensor counts, OptInt dim, OptInt total) {
  GraphBuilder &build = *self.b;
  if (!self.info().hasRank() || !holdsWhole(counts) || counts.info().rank() > 1 || !dim.isSettled())
    return build.notYet(
        "the rank of self, repeats that are whole numbers, and whether dim is None");
  if (!dim)
    self = build.op<aten::ReshapeOp>(self, build.ints({-1}));
  auto at = wrapped(dim ? *dim : build.i(0), self.info().rank());
  bool isOne = counts.info().rank() == 0 || counts.info().size(0) == 1;
  if (!at || (!isOne && !haveEqualSize(self, *at, counts, 0)))
    return build.notYet("a dim of self, and one count or one for each slice");
  Tensor row = build.op<aten::ExpandOp>(build.op<aten::ReshapeOp>(counts, build.ints({-1})),
                                        build.list({sizeOf(self, *at)}), false);
  Decomposition places = placesRepeated(row, total);
  if (failed(places.values))
    return places;
  return build.op<aten::IndexSelectOp>(self, *at, Tensor(build, places.values->front()));
}

} // namespace jit
