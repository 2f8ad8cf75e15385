//===- PackedParams.cpp - weights of quantized layers as tuples -----------===//

#include "PackedParams.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace jit {

static constexpr llvm::StringLiteral linearClass =
                                         "__torch__.torch.classes.quantized.LinearPackedParamsBase",
                                     cellClass = "__torch__.torch.classes.rnn.CellParamsBase";

Type packedType(StringRef className, MLIRContext *context) {
  if (className == linearClass) {
    Type tensor = TensorType::get(context), optional = OptionalType::get(tensor);
    return TupleType::get(context, {tensor, optional, optional, optional});
  }
  if (className == cellClass) {
    Type linear = packedType(linearClass, context);
    return TupleType::get(context, {linear, linear, IntegerType::get(context, 1)});
  }
  return {};
}

static Error malformed(const ArchiveObject &object, const std::string &message) {
  return {ErrorCode::Malformed, message, object.className};
}

static Error unsupported(const ArchiveObject &object, const std::string &message) {
  return {ErrorCode::Unsupported, message, object.className};
}

/// False where there are too many to know.
static bool areAllZero(const ArchiveTensor &numbers) {
  const std::byte *first = numbers.constantData();
  if (!first)
    return false;
  for (int64_t i = 0; i < numbers.sizes.front(); ++i) {
    int64_t number;
    std::memcpy(&number, first + i * numbers.strides.front() * sizeof(number), sizeof(number));
    if (number != 0)
      return false;
  }
  return true;
}

/// Scales and zero points.
static std::pair<ArchiveValue, ArchiveValue> quantizerOf(const ArchiveQuantizedTensor &weight) {
  if (weight.channels)
    return {&weight.channels->scales, areAllZero(weight.channels->zeroPoints)
                                          ? ArchiveValue()
                                          : ArchiveValue(&weight.channels->zeroPoints)};
  return {weight.scale, weight.zeroPoint == 0 ? ArchiveValue() : ArchiveValue(weight.zeroPoint)};
}

/// From the state (weight, bias).
static Result<ArchiveTuple> unpackLinear(const ArchiveObject &object) {
  const ArchiveTuple *state = object.state.asTuple();
  if (!state || state->items.size() != 2)
    return malformed(object, "expected a weight and a bias as its state");
  const ArchiveQuantizedTensor *quantized = state->items[0].asQuantizedTensor();
  const ArchiveTensor *weight = quantized ? &quantized->numbers : state->items[0].asTensor();
  const ArchiveTensor *bias = state->items[1].asTensor();
  if (!weight || (!bias && !state->items[1].isNone()))
    return malformed(object, "expected tensors as weight and bias, got a " +
                                 std::string(state->items[0].kindName()) + " and a " +
                                 std::string(state->items[1].kindName()));
  if (weight->sizes.size() != 2)
    return malformed(object, "expected a weight of rank 2, got rank " +
                                 std::to_string(weight->sizes.size()));
  if (bias && (bias->sizes != std::vector{weight->sizes[0]} || bias->dtype != ScalarType::Float))
    return malformed(object, "expected a bias of " + std::to_string(weight->sizes[0]) +
                                 " elements in single precision");
  if (quantized && (weight->dtype != ScalarType::Char ||
                    (quantized->channels && quantized->channels->axis != 0)))
    return unsupported(object, "expected a weight of signed bytes, with one scale or one for each "
                               "of its rows");
  if (!quantized && weight->dtype != ScalarType::Float && weight->dtype != ScalarType::Half)
    return unsupported(object, "expected a weight of floats or of bytes, got " +
                                   std::string(shortName(weight->dtype)));
  ArchiveTuple parts{{weight, {}, {}, state->items[1]}};
  if (quantized)
    std::tie(parts.items[1], parts.items[2]) = quantizerOf(*quantized);
  return parts;
}

/// From the state (kind, tensors, floats, ints, packed parameters of input and of state).
static Result<ArchiveTuple> unpackCell(const ArchiveObject &object) {
  const ArchiveTuple *state = object.state.asTuple();
  const std::string *kind =
      state && state->items.size() == 5 ? state->items[0].asString() : nullptr;
  const ArchiveList *numbers = kind ? state->items[3].asList() : nullptr;
  const ArchiveList *packed = kind ? state->items[4].asList() : nullptr;
  auto isLinear = [](const ArchiveValue &value) {
    return value.asObject() && value.asObject()->className == linearClass;
  };
  if (!numbers || !packed)
    return malformed(object,
                     "expected a kind, tensors, numbers and packed parameters as its state");
  if (*kind != "quantized_dynamic" && *kind != "quantized_fp16")
    return unsupported(object, "expected the parameters of a dynamic cell, got those of kind '" +
                                   *kind + "'");
  if (packed->items.size() != 2 || !std::ranges::all_of(packed->items, isLinear))
    return malformed(object, "expected the packed parameters of input and of state");
  // Older ones do not tell.
  bool isReduced = false;
  if (!numbers->items.empty()) {
    const int64_t *flag = numbers->items.front().asInt();
    if (!flag)
      return malformed(object, "expected whether the range is reduced as an integer, got a " +
                                   std::string(numbers->items.front().kindName()));
    isReduced = *flag != 0;
  }
  return ArchiveTuple{{packed->items[0], packed->items[1], isReduced}};
}

Result<ArchiveTuple> unpackParams(const ArchiveObject &object) {
  return object.className == linearClass ? unpackLinear(object) : unpackCell(object);
}

} // namespace jit
