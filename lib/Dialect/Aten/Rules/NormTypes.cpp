//===- NormTypes.cpp - builders for the `type` rules of Norm.td -----------===//

#include "ElementTypes.h"
#include "Rules/Norm.h"

using namespace mlir;

namespace jit {

bool isHalf(Type dtype) { return isa<FloatType>(dtype) && dtype.getIntOrFloatBitWidth() < 32; }

Type normalizedOver(TypeRules &infer, TensorInfo input, ListInfo normalizedShape) {
  auto shape = normalizedShape.ints();
  if (!input.hasRank() || !shape)
    return input.tensor;
  bool fits = int64_t(shape->size()) <= input.rank();
  for (int64_t i = 1; fits && i <= int64_t(shape->size()); ++i) {
    int64_t have = input.size(-i), want = (*shape)[shape->size() - i];
    fits = have == want || have == TensorType::kDynamic || want == TensorType::kDynamic;
  }
  return fits ? Type(input.tensor)
              : infer.error("expected the last sizes of the input as normalized_shape, got others");
}

Type normalizedInGroups(TypeRules &infer, TensorInfo input, IntInfo groups) {
  if (!input.hasRank() || !groups.known)
    return input.tensor;
  if (input.rank() < 2)
    return infer.error("expected at least two dimensions, got " + Twine(input.rank()));
  int64_t channels = input.size(1);
  if (*groups.known < 1 || (channels != TensorType::kDynamic && channels % *groups.known != 0))
    return infer.error("expected groups of equally many channels, got " + Twine(*groups.known) +
                       " of " + Twine(channels));
  return input.tensor;
}

Type normStatistics(TypeRules &infer, TensorInfo input, ListInfo normalizedShape) {
  Type dtype = input.dtype();
  if (!input.hasRank() || !normalizedShape.elements)
    return infer.unranked(dtype);
  int64_t dimensions = normalizedShape.elements->size();
  if (dimensions > input.rank())
    return infer.error("expected at most " + Twine(input.rank()) + " normalized dimensions, got " +
                       Twine(dimensions));
  SmallVector<int64_t> sizes(input.sizes());
  std::fill(sizes.end() - dimensions, sizes.end(), 1);
  return infer.tensor(sizes, dtype);
}

Type channelStatistics(TypeRules &infer, TensorInfo input, TensorInfo running) {
  if (!input.dtype() || !running.hasRank())
    return infer.tensor();
  return infer.tensor(running.sizes(), isHalf(input.dtype()) ? infer.f32() : input.dtype());
}

Type comparedType(Value operand, Type common) {
  Type own = TensorInfo(operand).dtype();
  return isa_and_nonnull<FloatType>(own) ? own : common;
}

Type similarity(TypeRules &infer, ValueRange operands, IntInfo dim) {
  Type both = infer.pointwise(operands.take_front(2), {operands[0], operands[1]}, true);
  auto tensor = dyn_cast_if_present<TensorType>(both);
  if (!tensor)
    return {};
  Type dtype = tensor.getDtype();
  if (dtype)
    dtype = promotePair(comparedType(operands[0], dtype), comparedType(operands[1], dtype));
  if (!tensor.hasRank() || !dim.known)
    return infer.unranked(dtype);
  auto wrapped = infer.wrapDim(*dim.known, tensor.getRank());
  if (!wrapped)
    return {};
  SmallVector<int64_t> sizes(tensor.getSizes());
  if (!sizes.empty())
    sizes.erase(sizes.begin() + *wrapped);
  return infer.tensor(sizes, dtype);
}

Type statisticsAlong(TypeRules &infer, TensorInfo self, ListInfo dims) {
  auto along = dims.ints();
  if (!self.hasRank() || !along)
    return infer.unranked(self.dtype());
  SmallVector<int64_t> sizes(self.sizes());
  for (int64_t dim : *along) {
    auto wrapped = infer.wrapDim(dim, self.rank());
    if (!wrapped)
      return {};
    sizes[*wrapped] = 1;
  }
  return infer.tensor(sizes, self.dtype());
}

} // namespace jit
