//===- Matchers.cpp - what the operator behind a value is -----------------===//

#include "Matchers.h"
#include "jit/Dialect/Aten/Layout.h"
#include "jit/Dialect/Aten/Sizes.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

TensorType staticType(Value value) {
  auto type = dyn_cast<TensorType>(value.getType());
  bool fits = type && type.isStatic() && type.getDtype().isIntOrFloat() &&
              product(type.getSizes()).isKnown() && product(type.getSizes()).value <= maxElements;
  return fits ? type : TensorType();
}

int64_t elementsOf(TensorType type) { return product(type.getSizes()).value; }

int64_t bytesOf(TensorType type) {
  return elementsOf(type) * ((type.getDtype().getIntOrFloatBitWidth() + 7) / 8);
}

bool isSameForRows(Value bias) {
  TensorType type = staticType(bias);
  return type ? type.getRank() < 2 || type.getSizes()[0] == 1 : !isa<TensorType>(bias.getType());
}

std::optional<double> splatOf(Value tensor) {
  auto fill = tensor.getDefiningOp<FillOpInterface>();
  return fill ? fill.getFill() : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Orders of dimensions
//===----------------------------------------------------------------------===//

/// Steps of `rank` dimensions, each another one, and others for each `series`.
static SmallVector<int64_t> distinctSteps(int64_t rank, int64_t series) {
  return llvm::map_to_vector(llvm::seq<int64_t>(rank),
                             [&](int64_t dim) { return 1009 * (series + 1) + dim; });
}

/// The steps of what `view` makes of a tensor with these steps; nullopt where it copies or not
/// enough is known.
static std::optional<SmallVector<int64_t>> stepsThrough(ViewOpInterface view,
                                                        ArrayRef<int64_t> steps) {
  auto type = cast<TensorType>(view->getResult(0).getType());
  ViewOf shown = view.viewOf(Layout::strided(llvm::to_vector(steps), /*offset=*/0));
  if (shown.kind != ViewOf::Kind::Shares || !type.hasRank())
    return std::nullopt;
  return shown.layout.strides(type.getSizes());
}

/// Which dimension of the operand each dimension of the result is, by their steps.
static std::optional<SmallVector<int64_t>> orderThrough(ViewOpInterface view,
                                                        ArrayRef<int64_t> steps) {
  auto shown = stepsThrough(view, steps);
  if (!shown || shown->size() != steps.size())
    return std::nullopt;
  SmallVector<int64_t> order;
  for (int64_t step : *shown) {
    int64_t dim = llvm::find(steps, step) - steps.begin();
    if (dim == int64_t(steps.size()) || llvm::is_contained(order, dim))
      return std::nullopt;
    order.push_back(dim);
  }
  return order;
}

std::optional<SmallVector<int64_t>> permutationOf(Operation *op) {
  auto view = dyn_cast_or_null<ViewOpInterface>(op);
  if (!view || view->hasTrait<OfGradientsAlone>())
    return std::nullopt;
  // A slice of an open size would look like the whole.
  TensorType from = staticType(view->getOperand(0)), to = staticType(view->getResult(0));
  if (!from || !to || from.getDtype() != to.getDtype())
    return std::nullopt;
  // A view with steps of its own does not follow both. One that begins elsewhere shows less.
  auto order = orderThrough(view, distinctSteps(from.getRank(), 0));
  if (!order || order != orderThrough(view, distinctSteps(from.getRank(), 1)))
    return std::nullopt;
  for (auto [size, dim] : llvm::zip_equal(to.getSizes(), *order))
    if (size != from.getSizes()[dim])
      return std::nullopt;
  return order;
}

bool showsElementsAgain(Operation *op) {
  auto view = dyn_cast<ViewOpInterface>(op);
  auto from = view ? dyn_cast<TensorType>(view->getOperand(0).getType()) : TensorType();
  auto steps =
      from && from.hasRank() ? stepsThrough(view, distinctSteps(from.getRank(), 0)) : std::nullopt;
  return steps && llvm::is_contained(*steps, 0);
}

Value transposedSource(Value matrix) {
  auto order = permutationOf(matrix.getDefiningOp());
  return order && *order == ArrayRef<int64_t>{1, 0} ? matrix.getDefiningOp()->getOperand(0)
                                                    : Value();
}

Value reshapedSource(Value value) {
  auto view = value.getDefiningOp<ViewOpInterface>();
  TensorType to = staticType(value), from = view ? staticType(view->getOperand(0)) : TensorType();
  if (!to || !from || to.getDtype() != from.getDtype() || elementsOf(to) != elementsOf(from) ||
      view->hasTrait<OfGradientsAlone>())
    return Value();
  ViewOf shown = view.viewOf(Layout::rowMajor());
  bool isReshape = shown.kind == ViewOf::Kind::Shares && shown.layout.offset() == 0 &&
                   shown.layout.isRowMajor(to.getSizes()) == true;
  return isReshape ? view->getOperand(0) : Value();
}

Tensor viewed(Tensor tensor, ArrayRef<int64_t> sizes) {
  if (tensor.info().sizes() == sizes)
    return tensor;
  return tensor.b->op<aten::ViewOp>(tensor, tensor.b->ints(sizes));
}

Tensor permuted(Tensor tensor, ArrayRef<int64_t> order) {
  if (llvm::equal(order, llvm::seq<int64_t>(order.size())))
    return tensor;
  return tensor.b->op<aten::PermuteOp>(tensor, tensor.b->ints(order));
}

} // namespace jit
