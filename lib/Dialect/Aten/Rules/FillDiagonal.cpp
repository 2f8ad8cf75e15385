//===- FillDiagonal.cpp - the rules of fill_diagonal ----------------------===//

#include "Rules/GraphBuilders.h"
#include "Rules/Rearrange.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Rearrange.h"

using namespace mlir;

namespace jit {

Decomposition diagonalFilled(Tensor self, Scalar value, Bool wrap) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || self.info().rank() < 2 || !wrap.known())
    return build.notYet("the sizes of self, of two dimensions or more, and the value of wrap");
  int64_t rank = self.info().rank(), columns = self.info().size(-1);
  Tensor column = counting(build, columns);
  auto placesOf = [&](int64_t dim) {
    Tensor places = counting(build, self.info().size(dim));
    for (int64_t after = dim + 1; after < rank; ++after)
      places = unsqueeze(places, 1);
    return places;
  };
  // What wraps has a row without any element of the diagonal between two turns.
  Tensor row = placesOf(0);
  if (rank == 2 && *wrap.known())
    row = build.op<aten::RemainderScalarOp>(row, columns + 1);
  Tensor isDiagonal = row == column;
  for (int64_t dim = 1; dim + 1 < rank; ++dim)
    isDiagonal = isDiagonal && placesOf(dim) == column;
  return where(isDiagonal, build.op<aten::FillScalarOp>(self, Any(value)), self);
}

} // namespace jit
