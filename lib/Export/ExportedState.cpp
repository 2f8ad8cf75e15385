//===- ExportedState.cpp - slots as parameters and buffers ----------------===//

#include "Exporter.h"
#include "jit/Dialect/Jit/EntryAttributes.h"

using namespace mlir;

namespace jit {

/// The bytes that a tensor reaches to; nothing where they are more than can be counted.
static std::optional<int64_t> reachOf(const exported::TensorMeta &meta) {
  int64_t last = meta.offset.value;
  for (auto [size, stride] : llvm::zip(meta.sizes, meta.strides)) {
    int64_t reach;
    if (size.value == 0)
      return 0;
    if (__builtin_mul_overflow(size.value - 1, stride.value, &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return std::nullopt;
  }
  int64_t bytes;
  if (last < 0 || __builtin_add_overflow(last, 1, &last) ||
      __builtin_mul_overflow(last, elementSize(meta.dtype), &bytes))
    return std::nullopt;
  return bytes;
}

/// A number throughout, where no archive holds the tensor.
static SharedBytes filled(SplatElementsAttr number) {
  std::byte *fill = nullptr;
  ArrayRef<char> element = number.getRawData();
  SharedBytes bytes = SharedBytes::allocate(size_t(number.getNumElements()) * element.size(), fill);
  for (size_t at = 0; fill && at < bytes.size(); ++at)
    fill[at] = std::byte(element[at % element.size()]);
  return bytes;
}

bool Exporter::storeTensor(SlotOp slot, TensorType type, exported::StoredTensor &tensor) {
  tensor.name = slot.getSymName().str();
  tensor.isParameter = slot.getParameter();
  tensor.meta = {.dtype = *typeToDtype(type.getDtype()), .device = "cpu"};
  tensor.meta.requiresGrad = tensor.isParameter && isa<FloatType>(type.getDtype());
  for (int64_t size : type.getSizes())
    tensor.meta.sizes.push_back({.value = size});
  if (auto number = dyn_cast<SplatElementsAttr>(slot.getValue())) {
    int64_t stride = 1;
    for (int64_t size : llvm::reverse(type.getSizes())) {
      tensor.meta.strides.insert(tensor.meta.strides.begin(), {.value = stride});
      stride *= size;
    }
    tensor.storageName = "slot " + tensor.name;
    tensor.storage = filled(number);
    return number.getNumElements() == 0 || tensor.storage.size() > 0 ||
           fail(slot, "expected memory for the tensor '" + tensor.name + "', got none");
  }
  auto storage = cast<StorageAttr>(slot.getValue());
  for (int64_t stride : storage.getStrides())
    tensor.meta.strides.push_back({.value = stride});
  tensor.meta.offset.value = storage.getOffset();
  tensor.storageName = storage.getMember().str();
  auto bytes = records ? records->read(tensor.storageName)
                       : Result<SharedBytes>(Error{ErrorCode::NotFound, "expected an archive"});
  if (!bytes)
    return fail(slot, bytes.error().str());
  std::optional<int64_t> needed = reachOf(tensor.meta);
  if (tensor.meta.strides.size() != tensor.meta.sizes.size() || !needed ||
      *needed > int64_t(bytes->size()))
    return fail(slot, "expected a storage that holds all elements of the tensor");
  tensor.storage = *bytes;
  return true;
}

bool Exporter::addSlot(SlotOp slot, StringRef name) {
  Type type = slot.getType();
  if (auto optional = dyn_cast<OptionalType>(type))
    type = optional.getElementType();
  auto tensorType = dyn_cast<TensorType>(type);
  if (!tensorType || !isa<StorageAttr, SplatElementsAttr>(slot.getValue()))
    return true;
  if (!tensorType.isStatic())
    return fail(slot, "expected a tensor of known sizes in the module's state");
  exported::StoredTensor tensor;
  if (!storeTensor(slot, tensorType, tensor))
    return false;
  tensor.name = name.str();
  bool isParameter = tensor.isParameter;
  // What a trace has written down is no state: nobody loads or saves it.
  tensor.isConstant = StringRef(tensor.name).starts_with("CONSTANTS.");
  Argument named{.kind = Kind::Tensor, .text = unique((isParameter ? "p_" : "b_") + tensor.name)};
  graph->tensors[named.text] = tensor.meta;
  graph->tensors[named.text].offset = {};
  graph->inputs.push_back(named);
  using Spec = exported::InputSpec;
  program.inputs.push_back({isParameter         ? Spec::Kind::Parameter
                            : tensor.isConstant ? Spec::Kind::TensorConstant
                                                : Spec::Kind::Buffer,
                            named, tensor.name});
  slots[tensor.name] = named;
  state.push_back(std::move(tensor));
  return true;
}

std::vector<std::pair<std::string, std::string>> aliasesOf(ModuleOp module) {
  std::vector<std::pair<std::string, std::string>> aliases;
  for (AliasOp alias : module.getOps<AliasOp>())
    aliases.push_back({alias.getSymName().str(), alias.getTarget().str()});
  return aliases;
}

/// Parameters first, as PyTorch has them.
bool Exporter::addState() {
  auto module = function->getParentOfType<ModuleOp>();
  if (auto path = module->getAttrOfType<StringAttr>(archiveAttr)) {
    auto opened = StorageRecords::open(path.str());
    if (!opened) {
      function.emitError() << opened.error().str();
      return false;
    }
    records.emplace(std::move(*opened));
  }
  for (bool parameters : {true, false})
    for (SlotOp slot : module.getOps<SlotOp>())
      if (slot.getParameter() == parameters && !addSlot(slot, slot.getSymName()))
        return false;
  // Other names are inputs of their own that nothing uses: what is saved has all of them.
  for (const auto &[name, target] : call.aliases)
    for (SlotOp slot : module.getOps<SlotOp>()) {
      StringRef rest = slot.getSymName();
      bool isPart = rest.consume_front(target) && (rest.empty() || rest.front() == '.');
      if (isPart && !addSlot(slot, (name + rest).str()))
        return false;
    }
  bool known = true;
  function.walk([&](SlotGetOp get) {
    auto slot = slots.find(get.getSlot());
    if (slot != slots.end())
      values[get.getResult()] = slot->second;
    else
      known = known &&
              fail(get, "expected a tensor of the module's state, got '" + get.getSlot() + "'");
  });
  return known;
}

} // namespace jit
