//===- TensorStorage.cpp - tensors from their pickled records -------------===//

#include "TensorStorage.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace jit {
namespace {

constexpr std::string_view rebuildTensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view rebuildParameter = "torch._utils._rebuild_parameter";
constexpr std::string_view rebuildQuantizedTensor = "torch._utils._rebuild_qtensor";

/// The element type of a storage's class, "torch.FloatStorage": a quantised tensor's holds
/// integers.
std::optional<ScalarType> scalarTypeOf(std::string_view global, bool isQuantized) {
  constexpr std::string_view before = "torch.", behind = "Storage";
  if (!global.starts_with(before) || !global.ends_with(behind))
    return std::nullopt;
  global.remove_prefix(before.size());
  global.remove_suffix(behind.size());
  if (!isQuantized)
    return scalarTypeNamed(global);
  return global == "QInt8"    ? std::optional(ScalarType::Char)
         : global == "QUInt8" ? std::optional(ScalarType::Byte)
         : global == "QInt32" ? std::optional(ScalarType::Int)
                              : std::nullopt;
}

/// The arguments of a call, or null if they are not at least \p count.
const std::vector<PickleRef> *argumentsOf(const PickleTree &tree, PickleRef call, size_t count) {
  const PickleNode &args = tree[tree[call].items[1]];
  return args.kind == PickleKind::Tuple && args.items.size() >= count ? &args.items : nullptr;
}

Result<std::vector<int64_t>> readExtents(const PickleTree &tree, PickleRef ref,
                                         std::string_view what, uint32_t maxRank) {
  const PickleNode &node = tree[ref];
  if (node.kind != PickleKind::Tuple)
    return tree.error(ErrorCode::Malformed, ref,
                      "expected a tensor's " + std::string(what) + " as a tuple, got a " +
                          std::string(pickleKindName(node.kind)));
  if (node.items.size() > maxRank)
    return tree.error(ErrorCode::LimitExceeded, ref,
                      "expected a rank of at most " + std::to_string(maxRank) + ", got " +
                          std::to_string(node.items.size()));
  std::vector<int64_t> extents;
  for (PickleRef item : node.items) {
    if (tree[item].kind != PickleKind::Int || tree[item].integer < 0)
      return tree.error(ErrorCode::Malformed, ref,
                        "expected a tensor's " + std::string(what) + " as non-negative integers");
    extents.push_back(tree[item].integer);
  }
  return extents;
}

} // namespace

Result<void> checkView(const ArchiveTensor &tensor, uint64_t budget, const std::string &where) {
  int64_t size = elementSize(tensor.dtype);
  int64_t capacity = static_cast<int64_t>(tensor.storage.size()) / size;
  int64_t count = 1, last = tensor.offset;
  bool overflow = false, empty = false;
  for (size_t i = 0; i < tensor.sizes.size(); ++i) {
    if (tensor.sizes[i] == 0)
      empty = true;
    int64_t step;
    overflow |= __builtin_mul_overflow(tensor.sizes[i] - 1, tensor.strides[i], &step);
    overflow |= __builtin_add_overflow(last, step, &last);
    overflow |= __builtin_mul_overflow(count, tensor.sizes[i], &count);
  }
  std::string place =
      "'" + tensor.storageKey + "', which holds " + std::to_string(capacity) + " elements";
  // A part without elements may begin anywhere: PyTorch counts on where it has no memory, too.
  if (empty)
    return {};
  if (tensor.offset > capacity)
    return Error{ErrorCode::Malformed,
                 "tensor begins at element " + std::to_string(tensor.offset) + " of storage " +
                     place,
                 where};
  if (overflow || last >= capacity)
    return Error{ErrorCode::Malformed, "tensor reaches beyond storage " + place, where};
  int64_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || static_cast<uint64_t>(bytes) > budget)
    return Error{ErrorCode::LimitExceeded,
                 "tensor of " + std::to_string(count) + " elements repeats those of storage " +
                     place,
                 where};
  return {};
}

bool TensorStorage::isRebuild(std::string_view global) {
  return global.starts_with("torch._utils._rebuild_") ||
         global.starts_with("torch._tensor._rebuild_");
}

bool TensorStorage::isQuantizedRebuild(std::string_view global) {
  return global == rebuildQuantizedTensor;
}

Result<SharedBytes> TensorStorage::record(const PickleTree &tree, PickleRef id,
                                          const std::string &key) {
  auto found = records.find(key);
  if (found != records.end())
    return found->second;
  Result<SharedBytes> bytes = zip.readAligned(key);
  if (!bytes && bytes.error().code == ErrorCode::NotFound)
    return tree.error(ErrorCode::NotFound, id, "archive has no storage '" + key + "'");
  if (bytes)
    records.emplace(key, *bytes);
  return bytes;
}

/// From the id ('storage', class, key, device, element count).
Result<void> TensorStorage::readStorage(const PickleTree &tree, PickleRef ref, bool isQuantized,
                                        ArchiveTensor &tensor) {
  auto malformed = [&] {
    return tree.error(ErrorCode::Malformed, ref,
                      "expected a storage ('storage', class, key, device, element count)");
  };
  if (tree[ref].kind != PickleKind::PersistentId ||
      tree[tree[ref].items[0]].kind != PickleKind::Tuple)
    return malformed();
  const std::vector<PickleRef> &id = tree[tree[ref].items[0]].items;
  if (id.size() < 5 || tree[id[0]].text != "storage" || tree[id[1]].kind != PickleKind::Global ||
      tree[id[2]].kind != PickleKind::String || tree[id[3]].kind != PickleKind::String ||
      tree[id[4]].kind != PickleKind::Int)
    return malformed();
  std::optional<ScalarType> type = scalarTypeOf(tree[id[1]].text, isQuantized);
  if (!type)
    return tree.error(ErrorCode::Unsupported, ref,
                      "element type of " + std::string(tree[id[1]].text) + " is not handled");
  tensor.dtype = *type;
  tensor.device = tree[id[3]].text;
  tensor.storageKey = folder + "/" + std::string(tree[id[2]].text);
  Result<SharedBytes> bytes = record(tree, ref, tensor.storageKey);
  if (!bytes)
    return bytes.takeError();
  tensor.storage = std::move(*bytes);
  int64_t count = tree[id[4]].integer;
  int64_t held =
      static_cast<int64_t>(tensor.storage.size()) / std::max<int64_t>(elementSize(*type), 1);
  if (count < 0 || count > held)
    return tree.error(ErrorCode::Malformed, ref,
                      "storage claims " + std::to_string(count) + " elements, and '" +
                          tensor.storageKey + "' holds " + std::to_string(held));
  return {};
}

Result<ArchiveTensor> TensorStorage::rebuild(const PickleTree &tree, PickleRef ref) {
  ArchiveTensor tensor;
  PickleRef call = ref;
  const std::vector<PickleRef> *args = nullptr;
  std::optional<bool> requiresGrad;
  if (tree[tree[call].items[0]].text == rebuildParameter) {
    args = argumentsOf(tree, call, 2);
    if (!args || tree[args->at(0)].kind != PickleKind::Reduce ||
        tree[args->at(1)].kind != PickleKind::Bool)
      return tree.error(ErrorCode::Malformed, ref,
                        "expected a parameter's tensor and requires_grad");
    tensor.isParameter = true;
    requiresGrad = tree[args->at(1)].boolean;
    call = args->at(0);
  }
  std::string_view callable = tree[tree[call].items[0]].text;
  if (callable != rebuildTensor)
    return tree.error(ErrorCode::Unsupported, call,
                      "tensors made by " + std::string(callable) + " are not handled");
  args = argumentsOf(tree, call, 5);
  if (!args || tree[args->at(1)].kind != PickleKind::Int ||
      tree[args->at(4)].kind != PickleKind::Bool)
    return tree.error(ErrorCode::Malformed, call,
                      "expected a tensor's storage, offset, size, stride and requires_grad");
  tensor.requiresGrad = requiresGrad.value_or(tree[args->at(4)].boolean);
  if (Result<void> read = readView(tree, call, *args, /*isQuantized=*/false, tensor); !read)
    return read.takeError();
  return tensor;
}

Result<void> TensorStorage::readView(const PickleTree &tree, PickleRef call,
                                     const std::vector<PickleRef> &args, bool isQuantized,
                                     ArchiveTensor &tensor) {
  tensor.offset = tree[args[1]].integer;
  if (tensor.offset < 0)
    return tree.error(ErrorCode::Malformed, call,
                      "expected a non-negative offset, got " + std::to_string(tensor.offset));
  Result<std::vector<int64_t>> sizes =
      readExtents(tree, args[2], "size", zip.limits().maxTensorRank);
  if (!sizes)
    return sizes.takeError();
  Result<std::vector<int64_t>> strides =
      readExtents(tree, args[3], "stride", zip.limits().maxTensorRank);
  if (!strides)
    return strides.takeError();
  if (sizes->size() != strides->size())
    return tree.error(ErrorCode::Malformed, call,
                      "expected " + std::to_string(sizes->size()) + " strides, got " +
                          std::to_string(strides->size()));
  tensor.sizes = std::move(*sizes);
  tensor.strides = std::move(*strides);
  if (Result<void> read = readStorage(tree, args[0], isQuantized, tensor); !read)
    return read;
  return checkView(tensor, zip.budget(), tree.place(call));
}

/// From (scheme, scales, zero points, axis).
Result<ArchiveQuantizedTensor::Channels>
TensorStorage::readChannels(const PickleTree &tree, PickleRef quantizer,
                            const std::vector<int64_t> &sizes) {
  const std::vector<PickleRef> &parts = tree[quantizer].items;
  if (parts.size() != 4 || tree[parts[1]].kind != PickleKind::Reduce ||
      tree[parts[2]].kind != PickleKind::Reduce || tree[parts[3]].kind != PickleKind::Int)
    return tree.error(ErrorCode::Malformed, quantizer,
                      "expected scales, zero points and the axis of channels");
  ArchiveQuantizedTensor::Channels channels;
  channels.axis = tree[parts[3]].integer;
  if (channels.axis < 0 || channels.axis >= static_cast<int64_t>(sizes.size()))
    return tree.error(ErrorCode::Malformed, quantizer,
                      "expected an axis below " + std::to_string(sizes.size()) + ", got " +
                          std::to_string(channels.axis));
  for (auto [part, values, type] : {std::tuple(parts[1], &channels.scales, ScalarType::Double),
                                    std::tuple(parts[2], &channels.zeroPoints, ScalarType::Long)}) {
    Result<ArchiveTensor> tensor = rebuild(tree, part);
    if (!tensor)
      return tensor.takeError();
    if (tensor->dtype != type || tensor->sizes != std::vector{sizes[channels.axis]})
      return tree.error(ErrorCode::Malformed, part,
                        "expected " + std::to_string(sizes[channels.axis]) + " numbers of type " +
                            std::string(shortName(type)) + ", one for each channel");
    *values = std::move(*tensor);
  }
  return channels;
}

Result<ArchiveQuantizedTensor> TensorStorage::rebuildQuantized(const PickleTree &tree,
                                                               PickleRef ref) {
  const std::vector<PickleRef> *args = argumentsOf(tree, ref, 5);
  if (!args || tree[args->at(1)].kind != PickleKind::Int ||
      tree[args->at(4)].kind != PickleKind::Tuple || tree[args->at(4)].items.empty())
    return tree.error(ErrorCode::Malformed, ref,
                      "expected a quantized tensor's storage, offset, size, stride and quantizer");
  ArchiveQuantizedTensor tensor;
  if (Result<void> read = readView(tree, ref, *args, /*isQuantized=*/true, tensor.numbers); !read)
    return read.takeError();
  PickleRef quantizer = args->at(4);
  const std::vector<PickleRef> &parts = tree[quantizer].items;
  std::string_view scheme = tree[parts[0]].text;
  if (scheme == "torch.per_channel_affine") {
    auto channels = readChannels(tree, quantizer, tensor.numbers.sizes);
    if (!channels)
      return channels.takeError();
    tensor.channels = std::move(*channels);
    return tensor;
  }
  if (scheme != "torch.per_tensor_affine")
    return tree.error(ErrorCode::Unsupported, quantizer,
                      "quantized tensors of scheme '" + std::string(scheme) + "' are not handled");
  if (parts.size() != 3 || tree[parts[1]].kind != PickleKind::Double ||
      tree[parts[2]].kind != PickleKind::Int)
    return tree.error(ErrorCode::Malformed, quantizer, "expected a scale and a zero point");
  tensor.scale = tree[parts[1]].number;
  tensor.zeroPoint = tree[parts[2]].integer;
  return tensor;
}

} // namespace jit
