//===- MatrixExponential.cpp - exp of a matrix (Factor.td) ----------------===//

#include "Rules/Factor.h"
#include "Rules/GraphBuilders.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Factor.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

/// Taylor's polynomial of a part of the matrix so small that it has all digits, squared as often as
/// that was halved. In double precision, because squaring doubles the error.
Decomposition matrixExponential(Tensor a) {
  GraphBuilder &build = *a.b;
  if (!isSquare(a))
    return build.notYet("square matrices of known rank as a");
  const int64_t halvings = 12, terms = 12;
  Tensor part =
      converted(a, Float64Type::get(build.builder.getContext())) / double(int64_t(1) << halvings);
  Tensor one = identityLike(part, rowCount(a), columnCount(a)), sum = one;
  for (int64_t term = terms; term > 0; --term)
    sum = one + matmul(part, sum) / double(term);
  Tensor power = looped(build.i(halvings), {sum}, [&](Int, ArrayRef<Tensor> now) {
                   return SmallVector<Tensor>{matmul(now[0], now[0])};
                 }).front();
  return converted(power, a.info().dtype());
}

} // namespace jit
