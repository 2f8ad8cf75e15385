//===- LeastSquares.cpp - builders for the rules of Factor.td: least squares -===//

#include "Rules/Factor.h"
#include "Rules/GraphBuilders.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Factor.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

static Tensor nothing(Tensor like, ScalarType dtype) {
  Any none = like.b->none();
  return like.b->op<aten::ZerosOp>(like.b->ints({0}), int64_t(dtype), none, none, none);
}

/// PyTorch gives no residuals of matrices without full rank: their number would depend on the data.
static void guardFullRank(Tensor ranks, int64_t columns) {
  GraphBuilder &build = *ranks.b;
  Tensor isFull = build.op<aten::AllOp>(ranks == double(columns));
  GuardOp::create(build.builder, build.loc, build.op<aten::ItemOp>(isFull).v,
                  "builtins.RuntimeError", "expected a matrix of full rank to give residuals of",
                  ValueRange());
}

/// True if `b` is a vector for each matrix.
static bool isVectorFor(Tensor a, Tensor b) {
  ArrayRef<int64_t> rows = a.info().sizes().drop_back();
  return b.info().rank() == 1 ||
         (b.info().rank() + 1 == a.info().rank() && b.info().sizes() == rows);
}

/// Whether known sizes decide nothing: not if there are residuals, nor what `b` is.
static bool takesOpen(Tensor a, Tensor b, StringRef way) {
  int64_t rank = b.info().rank();
  return way == "gelsy" && (rank == 1 || rank == a.info().rank());
}

Decomposition leastSquares(Tensor a, Tensor b, OptFloat rcond, Str driver) {
  GraphBuilder &build = *a.b;
  StringRef way = isa<NoneType>(driver.v.getType()) ? "gelsy" : driver.known().value_or("");
  bool isPlain = way == "gels", isByValues = way == "gelsd" || way == "gelss";
  bool isKnown = isStatic(a) && isStatic(b);
  if (!isMatrix(a) || !b.info().hasRank() || !b.info().dtype() || b.info().rank() == 0 ||
      !rcond.isSettled() || !(isPlain || isByValues || way == "gelsy") ||
      llvm::is_contained(a.info().sizes(), 0) || !(isKnown || takesOpen(a, b, way)))
    return build.notYet("matrices with elements and a right side of known sizes (but matrices or "
                        "one vector for \"gelsy\"), and \"gels\", \"gelsy\", \"gelsd\" or "
                        "\"gelss\" as driver");
  int64_t columns = a.info().size(-1);
  bool isTall = a.info().size(-2) > columns, isVector = isVectorFor(a, b);
  Any none = build.none(), bound = isPlain ? Any(build.f(0)) : Any(rcond);
  Tensor right = isVector ? unsqueeze(b, -1) : b;
  Tensor inverse = build.op<aten::LinalgPinvAtolRtolFloatOp>(a, none, bound, false);
  Tensor x = matmul(inverse, right);
  ScalarType dtype = *typeToDtype(a.info().dtype());
  Tensor residuals = nothing(a, dtype), rank = nothing(a, ScalarType::Long), values = residuals;
  if (!isPlain)
    rank = build.op<aten::LinalgMatrixRankAtolRtolFloatOp>(a, none, bound, false);
  if (isByValues)
    values = build.op<aten::DetachOp>(Tensor(build.op<aten::LinalgSvdvalsOp>(a, none)));
  if (isTall && way != "gelsy") {
    if (isByValues)
      guardFullRank(rank, columns);
    residuals = sum(square(matmul(a, x) - right), {-2}, false);
  }
  return {isVector ? squeeze(x, -1) : x, residuals, rank, values};
}

} // namespace jit
