//===- MatmulGrads.cpp - builders for the `grads` rules of Matmul.td ------===//

#include "Rules/Matmul.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

namespace {
/// a @ b and the gradient of it, vectors turned into matrices.
struct Matrices {
  Tensor a, b, grad;
  bool isRow, isColumn; // a, b was a vector
};
} // namespace

static std::optional<Matrices> matricesOf(Tensor a, Tensor b, Tensor grad) {
  if (!a.info().hasRank() || !b.info().hasRank())
    return std::nullopt;
  bool isRow = a.info().rank() == 1, isColumn = b.info().rank() == 1;
  if (isColumn)
    b = unsqueeze(b, 1), grad = unsqueeze(grad, -1);
  if (isRow)
    a = unsqueeze(a, 0), grad = unsqueeze(grad, -2);
  return Matrices{a, b, grad, isRow, isColumn};
}

/// a @ b; where each of the sums has one summand, as a product of elements.
static Tensor product(Tensor a, Tensor b) { return a.info().size(-1) == 1 ? a * b : matmul(a, b); }

/// All rows of all matrices under each other.
static Tensor rowsOf(Tensor t) {
  return t.info().rank() == 2 ? t : t.b->op<aten::FlattenUsingIntsOp>(t, 0, -2);
}

Gradient matmulGradSelf(Tensor self, Tensor other, Tensor grad) {
  auto m = matricesOf(self, other, grad);
  if (!m)
    return failure();
  Tensor result = product(m->grad, transpose(m->b, -2, -1));
  return m->isRow ? squeeze(result, -2) : result;
}

Gradient matmulGradOther(Tensor self, Tensor other, Tensor grad) {
  auto m = matricesOf(self, other, grad);
  if (!m)
    return failure();
  // One matrix for all of a batch: its gradient is one product over all rows.
  if (m->b.info().rank() == 2)
    m->a = rowsOf(m->a), m->grad = rowsOf(m->grad);
  Tensor result = product(transpose(m->a, -2, -1), m->grad);
  return m->isColumn ? squeeze(result, -1) : result;
}

Gradient linearGradInput(Tensor weight, Tensor grad) {
  if (!weight.info().hasRank())
    return failure();
  return weight.info().rank() == 1 ? unsqueeze(grad, -1) * weight : matmul(grad, weight);
}

Gradient linearGradWeight(Tensor input, Tensor weight, Tensor grad) {
  if (!input.info().hasRank() || !weight.info().hasRank())
    return failure();
  if (weight.info().rank() == 1)
    return unsqueeze(grad, -1) * input;
  if (input.info().rank() == 1)
    return unsqueeze(grad, 1) * input;
  return matmul(transpose(rowsOf(grad), 0, 1), rowsOf(input));
}

} // namespace jit
