//===- MobileTensors.cpp - tensors of a module in the flatbuffer form -----===//

#include "MobileModule.h"

namespace jit {
namespace {

/// Fields of the tables by their numbers.
enum TensorField {
  StorageIndex = 0,
  Dtype = 1,
  Offset = 2,
  Sizes = 3,
  Strides = 4,
  RequiresGrad = 5,
  Quantized = 6
};
enum QuantizedField { Scheme = 0, Scale = 1, ZeroPoint = 2, Scales = 3, ZeroPoints = 4, Axis = 5 };

constexpr int8_t perTensor = 0, perChannel = 1;

/// By PyTorch's numbers, 12 to 14 of which are integers that stand for reals.
std::optional<ScalarType> dtypeOf(int8_t number, bool isQuantized) {
  constexpr ScalarType quantized[] = {ScalarType::Char, ScalarType::Byte, ScalarType::Int};
  if (isQuantized)
    return number >= 12 && number <= 14 ? std::optional(quantized[number - 12]) : std::nullopt;
  return scalarTypeNumbered(number) ? std::optional(ScalarType(number)) : std::nullopt;
}

} // namespace

Result<std::vector<int64_t>> MobileModule::readExtents(const FlatTable &tensor, unsigned field) {
  FlatVector numbers = tensor.vector(field, 4);
  if (numbers.count > members.limits().maxTensorRank)
    return Error{ErrorCode::LimitExceeded,
                 "expected a rank of at most " + std::to_string(members.limits().maxTensorRank) +
                     ", got " + std::to_string(numbers.count),
                 name};
  std::vector<int64_t> extents;
  for (uint32_t i = 0; i < numbers.count; ++i) {
    extents.push_back(buffer.read<int32_t>(numbers.place + 4 * uint64_t(i)));
    if (extents.back() < 0)
      return malformed("expected a tensor's sizes and strides as non-negative integers");
  }
  return extents;
}

Result<ArchiveTensor> MobileModule::readTensor(const FlatTable &table, bool isQuantized) {
  auto number = table.scalar<int8_t>(Dtype);
  std::optional<ScalarType> dtype = dtypeOf(number, isQuantized);
  if (!dtype)
    return Error{ErrorCode::Unsupported,
                 "element type number " + std::to_string(number) + " is not handled", name};
  Result<std::vector<int64_t>> sizes = readExtents(table, Sizes);
  if (!sizes)
    return sizes.takeError();
  Result<std::vector<int64_t>> strides = readExtents(table, Strides);
  if (!strides)
    return strides.takeError();
  ArchiveTensor tensor;
  tensor.dtype = *dtype;
  tensor.offset = table.scalar<int32_t>(Offset);
  if (tensor.offset < 0 || sizes->size() != strides->size())
    return malformed("expected a tensor's offset, and a stride for each size");
  tensor.sizes = std::move(*sizes);
  tensor.strides = std::move(*strides);
  tensor.requiresGrad = table.scalar<uint8_t>(RequiresGrad) != 0;
  tensor.device = "cpu";
  tensor.storageKey = "data/" + std::to_string(table.scalar<uint32_t>(StorageIndex));
  auto [record, isNew] = records.try_emplace(tensor.storageKey);
  if (isNew) {
    Result<SharedBytes> bytes = members.readAligned(tensor.storageKey);
    if (!bytes)
      return bytes.takeError();
    record->second = std::move(*bytes);
  }
  tensor.storage = record->second;
  if (Result<void> checked = checkView(tensor, members.budget(), name); !checked)
    return checked.takeError();
  return tensor;
}

Result<ArchiveQuantizedTensor> MobileModule::readQuantized(const FlatTable &table) {
  Result<ArchiveTensor> numbers = readTensor(table, /*isQuantized=*/true);
  if (!numbers)
    return numbers.takeError();
  ArchiveQuantizedTensor tensor;
  tensor.numbers = std::move(*numbers);
  FlatTable quantized = table.table(Quantized);
  auto scheme = quantized.scalar<int8_t>(Scheme);
  if (scheme == perTensor) {
    tensor.scale = quantized.scalar<double>(Scale);
    tensor.zeroPoint = quantized.scalar<int32_t>(ZeroPoint);
    return tensor;
  }
  if (scheme != perChannel)
    return Error{
        ErrorCode::Unsupported,
        "quantized tensors of scheme number " + std::to_string(scheme) + " are not handled", name};
  ArchiveQuantizedTensor::Channels channels;
  channels.axis = quantized.scalar<int32_t>(Axis);
  const std::vector<int64_t> &sizes = tensor.numbers.sizes;
  if (channels.axis < 0 || channels.axis >= int64_t(sizes.size()) || !quantized.has(Scales) ||
      !quantized.has(ZeroPoints))
    return malformed("expected scales, zero points and the axis of channels");
  for (auto [field, values, type] :
       {std::tuple(Scales, &channels.scales, ScalarType::Double),
        std::tuple(ZeroPoints, &channels.zeroPoints, ScalarType::Long)}) {
    Result<ArchiveTensor> read = readTensor(quantized.table(field), /*isQuantized=*/false);
    if (!read)
      return read.takeError();
    if (read->dtype != type || read->sizes != std::vector{sizes[channels.axis]})
      return malformed("expected a number of type " + std::string(shortName(type)) +
                       " for each channel");
    *values = std::move(*read);
  }
  tensor.channels = std::move(channels);
  return tensor;
}

Result<ArchiveValue> MobileModule::makeTensor(const FlatTable &table) {
  if (table.has(Quantized)) {
    Result<ArchiveQuantizedTensor> tensor = readQuantized(table);
    if (!tensor)
      return tensor.takeError();
    return ArchiveValue(&std::as_const(values.quantizedTensors.emplace_back(std::move(*tensor))));
  }
  Result<ArchiveTensor> tensor = readTensor(table, /*isQuantized=*/false);
  if (!tensor)
    return tensor.takeError();
  return ArchiveValue(&std::as_const(values.tensors.emplace_back(std::move(*tensor))));
}

} // namespace jit
