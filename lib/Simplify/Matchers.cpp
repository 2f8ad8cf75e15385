//===- Matchers.cpp - what the operator behind a value is -----------------===//

#include "Matchers.h"
#include "jit/Dialect/Aten/Creation.h"
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

std::optional<double> knownNumber(Value scalar) {
  if (auto known = FloatInfo(scalar).known)
    return known;
  constexpr int64_t exact = int64_t(1) << 53;
  auto known = IntInfo(scalar).known;
  if (!known || *known > exact || *known < -exact)
    return std::nullopt;
  return double(*known);
}

std::optional<double> splatOf(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (isa_and_present<aten::ZerosOp, aten::ZerosLikeOp, aten::NewZerosOp, aten::ZeroOp>(op))
    return 0;
  if (isa_and_present<aten::OnesOp, aten::OnesLikeOp, aten::NewOnesOp>(op))
    return 1;
  if (auto full = dyn_cast_or_null<aten::FullOp>(op))
    return knownNumber(full.getFillValue());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Orders of dimensions
//===----------------------------------------------------------------------===//

/// All dimensions, two of them swapped.
static std::optional<SmallVector<int64_t>> swappedOrder(int64_t rank, std::optional<int64_t> a,
                                                        std::optional<int64_t> b) {
  auto inRange = [&](std::optional<int64_t> dim) { return dim && *dim >= -rank && *dim < rank; };
  if (!inRange(a) || !inRange(b))
    return std::nullopt;
  auto order = llvm::to_vector(llvm::seq<int64_t>(rank));
  std::swap(order[*a < 0 ? *a + rank : *a], order[*b < 0 ? *b + rank : *b]);
  return order;
}

std::optional<SmallVector<int64_t>> permutationOf(Operation *op) {
  if (!op || op->getNumOperands() == 0)
    return std::nullopt;
  auto type = dyn_cast<TensorType>(op->getOperand(0).getType());
  if (!type || !type.hasRank())
    return std::nullopt;
  int64_t rank = type.getRank();
  if (isa<aten::TransposeIntOp, aten::SwapAxesOp, aten::SwapDimsOp>(op))
    return swappedOrder(rank, IntInfo(op->getOperand(1)).known, IntInfo(op->getOperand(2)).known);
  if (isa<aten::MTOp>(op))
    return swappedOrder(rank, -2, -1);
  if (isa<aten::TOp, aten::NumpyTOp, aten::NumpyTAOp>(op))
    return llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(rank)));
  if (!isa<aten::PermuteOp>(op))
    return std::nullopt;
  auto order = ListInfo(op->getOperand(1)).ints();
  if (!order || llvm::is_contained(*order, TensorType::kDynamic))
    return std::nullopt;
  for (int64_t &dim : *order)
    dim = dim < 0 ? dim + rank : dim;
  return order;
}

Value transposedSource(Value matrix) {
  auto order = permutationOf(matrix.getDefiningOp());
  return order && *order == ArrayRef<int64_t>{1, 0} ? matrix.getDefiningOp()->getOperand(0)
                                                    : Value();
}

/// True if only dimensions of size 1 change their place.
static bool keepsElementOrder(ArrayRef<int64_t> order, ArrayRef<int64_t> sizes) {
  int64_t last = -1;
  for (int64_t dim : order) {
    if (sizes[dim] == 1)
      continue;
    if (dim < last)
      return false;
    last = dim;
  }
  return true;
}

Value reshapedSource(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() == 0 || !staticType(value) || !staticType(op->getOperand(0)))
    return Value();
  if (isa<aten::ViewOp, aten::ReshapeOp, aten::UnsafeViewOp, aten::ViewAsOp, aten::ReshapeAsOp,
          aten::FlattenUsingIntsOp, aten::RavelOp, aten::UnflattenIntOp, aten::SqueezeOp,
          aten::SqueezeDimOp, aten::SqueezeDimsOp, aten::UnsqueezeOp>(op))
    return op->getOperand(0);
  auto order = permutationOf(op);
  bool isReshape = order && keepsElementOrder(*order, staticType(op->getOperand(0)).getSizes());
  return isReshape ? op->getOperand(0) : Value();
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
