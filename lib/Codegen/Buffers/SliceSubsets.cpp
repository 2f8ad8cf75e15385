//===- SliceSubsets.cpp - slices of constant places compared --------------===//
#include "Buffers/SliceSubsets.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

using namespace mlir;

using Slice = OffsetSizeAndStrideOpInterface;

/// Two slices with as many dimensions each, or two nulls.
static std::pair<Slice, Slice> comparable(Operation *op, Operation *other) {
  auto a = dyn_cast<Slice>(op), b = dyn_cast<Slice>(other);
  if (!a || !b || a.getStaticOffsets().size() != b.getStaticOffsets().size())
    return {};
  return {a, b};
}

/// Whether all numbers are equal, if constants tell: two that differ are enough.
static std::optional<bool> areEqual(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  bool areKnown = true;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    bool isKnown = !ShapedType::isDynamic(x) && !ShapedType::isDynamic(y);
    if (isKnown && x != y)
      return false;
    areKnown &= isKnown;
  }
  return areKnown ? std::optional(true) : std::nullopt;
}

static std::optional<bool> areEqual(Slice a, Slice b) {
  std::optional<bool> equal[] = {areEqual(a.getStaticOffsets(), b.getStaticOffsets()),
                                 areEqual(a.getStaticSizes(), b.getStaticSizes()),
                                 areEqual(a.getStaticStrides(), b.getStaticStrides())};
  if (llvm::is_contained(equal, false))
    return false;
  return llvm::is_contained(equal, std::nullopt) ? std::nullopt : std::optional(true);
}

/// The first and the last place that a slice reaches in a dimension, if constants tell.
static std::optional<std::pair<int64_t, int64_t>> reach(Slice slice, size_t dim) {
  int64_t offset = slice.getStaticOffset(dim), size = slice.getStaticSize(dim),
          stride = slice.getStaticStride(dim);
  if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) || ShapedType::isDynamic(stride))
    return std::nullopt;
  return std::pair(offset, offset + (size - 1) * stride);
}

/// True where constants tell that the slices lie beside each other in some dimension.
static bool areApart(Slice a, Slice b) {
  for (size_t dim = 0; dim < a.getStaticOffsets().size(); ++dim) {
    auto x = reach(a, dim), y = reach(b, dim);
    if (x && y && (x->second < y->first || y->second < x->first))
      return true;
  }
  return false;
}

namespace {
template <typename OpT>
struct SliceSubset : SubsetOpInterface::ExternalModel<SliceSubset<OpT>, OpT> {
  using Equivalence = function_ref<bool(Value, Value)>;

  FailureOr<HyperrectangularSlice> getAccessedHyperrectangularSlice(Operation *op) const {
    return HyperrectangularSlice(cast<Slice>(op));
  }

  bool operatesOnEquivalentSubset(Operation *op, SubsetOpInterface other,
                                  Equivalence areEquivalent) const {
    if (auto [a, b] = comparable(op, other); a)
      if (std::optional<bool> equal = areEqual(a, b))
        return *equal && areEquivalent(container(op), other.getTensorContainer());
    return mlir::detail::defaultOperatesOnEquivalentSubset(op, other, areEquivalent);
  }

  bool operatesOnDisjointSubset(Operation *op, SubsetOpInterface other,
                                Equivalence areEquivalent) const {
    if (auto [a, b] = comparable(op, other); a && areApart(a, b))
      return areEquivalent(container(op), other.getTensorContainer());
    return mlir::detail::defaultOperatesOnDisjointSubset(op, other, areEquivalent);
  }

private:
  static Value container(Operation *op) { return cast<SubsetOpInterface>(op).getTensorContainer(); }
};
} // namespace

void jit::codegen::registerSliceSubsets(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExtractSliceOp::attachInterface<SliceSubset<tensor::ExtractSliceOp>>(*context);
    tensor::InsertSliceOp::attachInterface<SliceSubset<tensor::InsertSliceOp>>(*context);
  });
}
