//===- ModuleState.cpp - the values of a program's slots ------------------===//

#include "ModuleState.h"
#include "jit/Dialect/Aten/Layout.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Dialect/Jit/SavedMemory.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace jit {
using namespace runtime;

/// The tensors in lists that are in nothing else: no other list has them, and no other state has
/// their memory.
static std::set<std::string> ownParts(ModuleOp module) {
  std::map<std::string, std::string> holders;
  std::set<std::string> shared;
  SymbolTable symbols(module);
  for (auto slot : module.getOps<SlotOp>())
    slot.getValue().walk([&](FlatSymbolRefAttr part) {
      auto [at, isNew] = holders.emplace(part.getValue().str(), slot.getSymName().str());
      auto tensor = symbols.lookup<SlotOp>(part.getValue());
      bool isUnder = part.getValue().starts_with((slot.getSymName() + ".").str());
      if (!isNew || !isUnder || !tensor || slotInMemoryOf(tensor))
        shared.insert(at->first);
    });
  std::set<std::string> own;
  for (const auto &[part, holder] : holders)
    if (!shared.contains(part))
      own.insert(part);
  return own;
}

Result<void> markPart(Tensor &tensor, const std::vector<int64_t> &strides,
                      const ValueSpec::Part &part) {
  auto whole = Tensor::view(tensor.type(), {part.extent}, tensor.data(), nullptr);
  if (!whole)
    return whole.takeError();
  tensor.setCallerLayout({.strides = strides,
                          .origin = tensor.data(),
                          .whole = std::make_shared<const Tensor>(*whole),
                          .group = uint32_t(part.memory),
                          .offset = part.offset});
  return {};
}

/// Adds what Normalize has found to be second paths: of a slot, or of all in a submodule.
void ModuleState::findAliases(ModuleOp module) {
  auto aliases = module->getAttrOfType<DictionaryAttr>(aliasesAttr);
  if (!aliases)
    return;
  std::vector<std::pair<std::string, unsigned>> found;
  for (NamedAttribute alias : aliases) {
    StringRef target = cast<StringAttr>(alias.getValue()).getValue();
    for (auto at = numbers.lower_bound(target.str()); at != numbers.end(); ++at) {
      StringRef rest = at->first;
      if (!rest.consume_front(target))
        break;
      if (rest.empty() || rest.front() == '.')
        found.emplace_back((alias.getName().getValue() + rest).str(), at->second);
    }
  }
  for (auto &[path, slot] : found)
    if (numbers.emplace(path, slot).second)
      slots[slot].otherPaths.push_back(path);
}

/// What Normalize has found to be parts of one slot.
Result<void> ModuleState::findParts(ModuleOp module) {
  for (auto [slot, op] : llvm::zip_equal(slots, module.getOps<SlotOp>())) {
    auto name = op->getAttrOfType<StringAttr>(partOfAttr);
    if (!name)
      continue;
    auto whole = numbers.find(name.str());
    auto type =
        whole == numbers.end() ? TensorType() : dyn_cast<TensorType>(slots[whole->second].type);
    auto storage = dyn_cast<StorageAttr>(slot.initial);
    if (!storage || !type || !type.hasStaticSizes())
      return Error{ErrorCode::Malformed,
                   "expected saved tensors as slots of one memory, got '" + name.str() + "'",
                   "slot '" + slot.path + "'"};
    slot.part = {.memory = whole->second,
                 .offset = storage.getOffset(),
                 .extent = ShapedType::getNumElements(type.getSizes())};
  }
  return {};
}

Result<std::unique_ptr<ModuleState>> ModuleState::create(ModuleOp module, const ProgramFile &file) {
  auto state = std::make_unique<ModuleState>();
  state->asksStrides = module->hasAttr(asksStridesAttr);
  state->parts = ownParts(module);
  for (auto slot : module.getOps<SlotOp>()) {
    state->numbers.emplace(slot.getSymName().str(), state->slots.size());
    state->slots.push_back(
        {slot.getSymName().str(), slot.getType(), slot.getValue(), slot.getParameter()});
  }
  state->findAliases(module);
  if (auto found = state->findParts(module); !found)
    return found.takeError();
  if (auto path = module->getAttrOfType<StringAttr>(archiveAttr)) {
    bool isProgram = path.str() == file.path;
    auto archive = isProgram ? StorageRecords::openBytes(file.bytes, file.path)
                             : StorageRecords::open(path.str());
    if (!archive)
      return archive.takeError();
    state->archive.emplace(std::move(*archive));
  }
  return state;
}

Result<unsigned> ModuleState::find(const std::string &path) const {
  auto found = numbers.find(path);
  if (found == numbers.end())
    return Error{ErrorCode::NotFound, "expected a slot of the module, got '" + path + "'"};
  return found->second;
}

std::vector<std::string> ModuleState::parameters() const {
  std::vector<std::string> paths;
  for (const Slot &slot : slots)
    if (slot.isParameter)
      paths.push_back(slot.path);
  return paths;
}

StateLock ModuleState::lock(StateAccess access) {
  StateLock lock;
  if (access == StateAccess::Read)
    lock.reading = std::shared_lock(mutex);
  if (access == StateAccess::Write)
    lock.writing = std::unique_lock(mutex);
  return lock;
}

Result<Value> ModuleState::get(unsigned slot) {
  const Slot &entry = slots[slot];
  return entry.present ? Result<Value>(*entry.present) : read(entry, entry.initial, entry.type);
}

bool ModuleState::isSoleOwner(unsigned slot) const {
  const auto *tensor = slots[slot].present ? slots[slot].present->getIf<Tensor>() : nullptr;
  if (!tensor || !tensor->isSoleOwner())
    return false;
  // What others read before they let go of it comes before what is written now: the count alone
  // orders nothing, to let go of a copy does.
  [[maybe_unused]] Tensor copy = *tensor;
  return true;
}

Result<bool> ModuleState::changesKind(unsigned slot, const Value &value) {
  auto old = get(slot);
  if (!old)
    return old.takeError();
  CallKey oldKind, newKind;
  for (auto [of, kind] : {std::pair(&std::as_const(*old), &oldKind), std::pair(&value, &newKind)})
    if (auto done = appendRecord(*of, keyPolicy, *kind); !done)
      return done.takeError();
  return !std::ranges::equal(oldKind.words(), newKind.words());
}

void ModuleState::set(unsigned slot, Value value, bool changesKind) noexcept {
  kindsVersion += changesKind ? 1 : 0;
  slots[slot].present = std::move(value);
}

void ModuleState::reset() {
  ++kindsVersion;
  for (Slot &slot : slots)
    slot.present.reset();
}

Result<Tensor> ModuleState::weight(const std::string &path) {
  std::lock_guard<std::mutex> lock(weightsMutex);
  if (auto found = weights.find(path); found != weights.end())
    return found->second;
  auto slot = numbers.find(path);
  if (slot == numbers.end() || !isa<StorageAttr>(slots[slot->second].initial))
    return Error{ErrorCode::NotFound, "expected a tensor of the module, got '" + path + "'"};
  auto tensor = readTensor(slots[slot->second]);
  if (tensor)
    weights.emplace(path, *tensor);
  return tensor;
}

/// One number throughout: what an optimizer's state is at first, the scale of a quantized weight.
static Result<Value> filledTensor(SplatElementsAttr number) {
  ShapedType type = number.getType();
  auto tensor = Tensor::allocate(*typeToDtype(type.getElementType()), type.getShape().vec());
  if (!tensor)
    return tensor.takeError();
  ArrayRef<char> element = number.getRawData();
  auto *bytes = static_cast<char *>(tensor->mutableData());
  for (size_t at = 0; at < tensor->byteSize(); at += element.size())
    llvm::copy(element, bytes + at);
  return Value(std::move(*tensor));
}

Result<Value> ModuleState::read(const Slot &slot, Attribute value, Type type) {
  if (auto optional = dyn_cast<OptionalType>(type))
    type = optional.getElementType();
  if (isa<UnitAttr>(value))
    return Value();
  if (isa<StorageAttr>(value)) {
    auto tensor = weight(slot.path);
    return tensor ? Result<Value>(Value(*tensor)) : Result<Value>(tensor.takeError());
  }
  if (auto part = dyn_cast<FlatSymbolRefAttr>(value)) {
    if (!parts.contains(part.getValue().str()))
      return Error{ErrorCode::Unsupported,
                   "expected a list of tensors that nothing else has in slot '" + slot.path + "'"};
    auto tensor = weight(part.getValue().str());
    return tensor ? Result<Value>(Value(*tensor)) : Result<Value>(tensor.takeError());
  }
  if (auto number = dyn_cast<SplatElementsAttr>(value))
    return filledTensor(number);
  if (auto text = dyn_cast<StringAttr>(value))
    return Value(text.str());
  if (auto number = dyn_cast<FloatAttr>(value))
    return Value(number.getValueAsDouble());
  if (auto number = dyn_cast<IntegerAttr>(value))
    return number.getType().isInteger(1) ? Value(!number.getValue().isZero())
                                         : Value(int64_t(number.getInt()));
  auto elements = dyn_cast<ArrayAttr>(value);
  if (!elements)
    return Error{ErrorCode::Unsupported,
                 "expected a value that calls can carry in slot '" + slot.path + "'"};
  std::vector<Value> items;
  auto tuple = dyn_cast<TupleType>(type);
  auto list = dyn_cast<ListType>(type);
  auto dict = dyn_cast<DictType>(type);
  Type pair =
      dict ? Type(TupleType::get(dict.getContext(), {dict.getKeyType(), dict.getValueType()}))
           : Type();
  for (auto [i, element] : llvm::enumerate(elements)) {
    Type elementType = tuple && i < tuple.getTypes().size() ? tuple.getTypes()[i]
                       : list                               ? list.getElementType()
                       : dict                               ? pair
                                                            : type;
    auto item = read(slot, element, elementType);
    if (!item)
      return item;
    items.push_back(*item);
  }
  if (tuple)
    return Value(Tuple{std::move(items)});
  Value given(List{std::move(items)});
  return dict ? std::move(given).as(Value::Meaning::Dict) : given;
}

/// Copies a strided tensor into row-major order. Bounds were checked when the archive was read.
static void gather(const std::byte *from, std::byte *to, ArrayRef<int64_t> sizes,
                   ArrayRef<int64_t> strides, int64_t elementBytes) {
  SmallVector<int64_t> index(sizes.size(), 0);
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  for (int64_t i = 0; i < count; ++i, to += elementBytes) {
    int64_t offset = 0;
    for (auto [at, stride] : llvm::zip(index, strides))
      offset += at * stride;
    std::memcpy(to, from + offset * elementBytes, elementBytes);
    for (int64_t dim = int64_t(sizes.size()) - 1; dim >= 0 && ++index[dim] == sizes[dim]; --dim)
      index[dim] = 0;
  }
}

static bool isRowMajor(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  int64_t expected = 1;
  for (int64_t dim = int64_t(sizes.size()) - 1; dim >= 0; --dim) {
    if (sizes[dim] != 1 && strides[dim] != expected)
      return false;
    expected *= sizes[dim];
  }
  return true;
}

/// Bytes from the first to behind the last element that the strides reach; nullopt on overflow.
static std::optional<int64_t> extent(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                                     int64_t offset, int64_t elementBytes) {
  int64_t last = offset;
  if (offset < 0)
    return std::nullopt;
  for (auto [size, stride] : llvm::zip(sizes, strides)) {
    if (size == 0)
      return 0;
    int64_t reach;
    if (stride < 0 || __builtin_mul_overflow(size - 1, stride, &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return std::nullopt;
  }
  if (__builtin_add_overflow(last, 1, &last) || __builtin_mul_overflow(last, elementBytes, &last))
    return std::nullopt;
  return last;
}

Result<Tensor> ModuleState::readTensor(const Slot &slot) {
  auto storage = cast<StorageAttr>(slot.initial);
  Type type = slot.type;
  if (auto optional = dyn_cast<OptionalType>(type))
    type = optional.getElementType();
  auto tensorType = dyn_cast<TensorType>(type);
  auto malformed = [&](const std::string &what) {
    return Error{ErrorCode::Malformed, what, "slot '" + slot.path + "'"};
  };
  if (!archive || !tensorType || !tensorType.isStatic() ||
      storage.getStrides().size() != tensorType.getSizes().size())
    return malformed("expected a tensor of known sizes in an archive");
  ScalarType dtype = *typeToDtype(tensorType.getDtype());
  ArrayRef<int64_t> sizes = tensorType.getSizes(), strides = storage.getStrides();
  auto bytes = archive->read(storage.getMember().str());
  if (!bytes)
    return bytes.takeError();
  auto needed = extent(sizes, strides, storage.getOffset(), elementSize(dtype));
  if (!needed || *needed > int64_t(bytes->size()))
    return malformed("expected a storage that holds all elements of the tensor, got " +
                     std::to_string(bytes->size()) + " bytes");
  const std::byte *data = bytes->data() + (*needed ? storage.getOffset() * elementSize(dtype) : 0);
  bool aligned = reinterpret_cast<uintptr_t>(data) % bufferAlignment == 0;
  bool isShared = isRowMajor(sizes, strides) && aligned;
  auto tensor = isShared
                    ? Tensor::view(dtype, sizes.vec(), data, std::make_shared<SharedBytes>(*bytes))
                    : Tensor::allocate(dtype, sizes.vec());
  if (!tensor)
    return tensor;
  if (!isShared)
    gather(data, static_cast<std::byte *>(tensor->mutableData()), sizes, strides,
           elementSize(dtype));
  if (slot.part)
    if (auto marked = markPart(*tensor, strides.vec(), *slot.part); !marked)
      return marked.takeError();
  // Along a dimension of size 1 rows may have any stride.
  if (asksStrides && !slot.part &&
      Layout::rowMajor().strides(sizes) != SmallVector<int64_t>(strides))
    tensor->setCallerLayout({.strides = strides.vec(), .origin = tensor->data()});
  return tensor;
}

} // namespace jit
