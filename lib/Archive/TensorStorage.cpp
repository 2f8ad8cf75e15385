//===- TensorStorage.cpp - tensors from their pickled records -------------===//

#include "TensorStorage.h"

#include <optional>

namespace jit {
namespace {

struct StorageClass {
  std::string_view global;
  ScalarType type;
};
constexpr StorageClass storageClasses[] = {
    {"torch.ByteStorage", ScalarType::Byte},
    {"torch.CharStorage", ScalarType::Char},
    {"torch.ShortStorage", ScalarType::Short},
    {"torch.IntStorage", ScalarType::Int},
    {"torch.LongStorage", ScalarType::Long},
    {"torch.HalfStorage", ScalarType::Half},
    {"torch.FloatStorage", ScalarType::Float},
    {"torch.DoubleStorage", ScalarType::Double},
    {"torch.ComplexHalfStorage", ScalarType::ComplexHalf},
    {"torch.ComplexFloatStorage", ScalarType::ComplexFloat},
    {"torch.ComplexDoubleStorage", ScalarType::ComplexDouble},
    {"torch.BoolStorage", ScalarType::Bool},
    {"torch.BFloat16Storage", ScalarType::BFloat16},
};

constexpr std::string_view rebuildTensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view rebuildParameter = "torch._utils._rebuild_parameter";

std::optional<ScalarType> scalarTypeOf(std::string_view global) {
  for (const StorageClass &candidate : storageClasses)
    if (candidate.global == global)
      return candidate.type;
  return std::nullopt;
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
  if (tensor.offset > capacity)
    return Error{ErrorCode::Malformed,
                 "tensor begins at element " + std::to_string(tensor.offset) + " of storage " +
                     place,
                 where};
  if (empty)
    return {};
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
Result<void> TensorStorage::readStorage(const PickleTree &tree, PickleRef ref,
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
  std::optional<ScalarType> type = scalarTypeOf(tree[id[1]].text);
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
  int64_t held = static_cast<int64_t>(tensor.storage.size()) / elementSize(*type);
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
  tensor.offset = tree[args->at(1)].integer;
  if (tensor.offset < 0)
    return tree.error(ErrorCode::Malformed, call,
                      "expected a non-negative offset, got " + std::to_string(tensor.offset));
  Result<std::vector<int64_t>> sizes =
      readExtents(tree, args->at(2), "size", zip.limits().maxTensorRank);
  if (!sizes)
    return sizes.takeError();
  Result<std::vector<int64_t>> strides =
      readExtents(tree, args->at(3), "stride", zip.limits().maxTensorRank);
  if (!strides)
    return strides.takeError();
  if (sizes->size() != strides->size())
    return tree.error(ErrorCode::Malformed, call,
                      "expected " + std::to_string(sizes->size()) + " strides, got " +
                          std::to_string(strides->size()));
  tensor.sizes = std::move(*sizes);
  tensor.strides = std::move(*strides);
  if (Result<void> read = readStorage(tree, args->at(0), tensor); !read)
    return read.takeError();
  if (Result<void> checked = checkView(tensor, zip.budget(), tree.place(call)); !checked)
    return checked.takeError();
  return tensor;
}

} // namespace jit
