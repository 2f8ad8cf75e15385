//===- Tables.cpp - a package as constants of LLVM ------------------------===//
#include "Package/Tables.h"
#include "jit-c/Values.h"
#include "jit/Runtime/PlanCode.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

#include <bit>

using namespace jit;
using namespace jit::codegen;
using namespace jit::package;
using namespace jit::runtime;
using llvm::ArrayRef;
using llvm::Constant;
using llvm::StringRef;

namespace {
/// Field by field as jit/Runtime/Package.h declares them: LLVM lays structs out as C does.
class TableWriter {
public:
  /// `blobData` is null where blobs are in a file.
  TableWriter(llvm::Module &module, const Package &package, const Blobs &blobs, Constant *blobData)
      : module(module), package(package), blobs(blobs), blobData(blobData) {}

  Constant *write(const llvm::TargetMachine &machine);

private:
  llvm::LLVMContext &context() { return module.getContext(); }
  llvm::PointerType *pointer() { return llvm::PointerType::get(context(), 0); }
  Constant *null() { return llvm::ConstantPointerNull::get(pointer()); }
  Constant *word(int64_t value) {
    return llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(context()), value);
  }
  Constant *number(int64_t value) {
    return llvm::ConstantInt::getSigned(llvm::Type::getInt32Ty(context()), value);
  }
  Constant *record(ArrayRef<Constant *> fields) { return llvm::ConstantStruct::getAnon(fields); }

  Constant *constant(Constant *initializer);
  Constant *text(StringRef value);
  /// The address of the records, null where there are none.
  Constant *array(ArrayRef<Constant *> records);
  template <typename T, typename Fn> Constant *arrayOf(const T &values, Fn record) {
    llvm::SmallVector<Constant *> records;
    for (const auto &value : values)
      records.push_back((this->*record)(value));
    return array(records);
  }

  Constant *size(const int64_t &value) { return word(value); }
  Constant *index(const int32_t &value) { return number(value); }
  Constant *name(const std::string &value) { return text(value); }
  Constant *pattern(const ValueSpec &value);
  /// A tensor's sizes, those with a name numbered.
  Constant *sizes(const ValueSpec &value);
  /// The memory that a tensor is a part of; null for its own.
  Constant *part(const ValueSpec &value);
  Constant *location(const Site &value);
  Constant *operand(const Operand &value);
  Constant *output(const Output &value);
  Constant *copy(const Copy &value);
  Constant *test(const jit_test &value);
  Constant *slotKind(const jit_slot_kind &value);
  Constant *slotSet(const SlotSet &value);
  Constant *kernel(const DeviceKernel &value);
  Constant *plan(const DevicePlan &value, PlanTables &tables);
  /// A jit_device_code; null for code of the host.
  Constant *device(const std::shared_ptr<const Artifact> &value);
  Constant *entry(const std::string &symbol);
  Constant *variant(const Variant &value);
  Constant *slot(const Slot &value);
  Constant *cell(const Cell &value);
  Constant *blob(const Blobs::Blob &value);
  Constant *methods();
  Constant *variants();
  /// What runs variants on a device, where there are such; else it stays out of the package.
  Constant *deviceFunctions();
  std::pair<Constant *, int64_t> features(const llvm::TargetMachine &machine);

  llvm::Module &module;
  const Package &package;
  const Blobs &blobs;
  Constant *blobData;
  llvm::StringMap<Constant *> texts;
  std::vector<std::string> sizeNames; // of the variant at hand
  /// Variants of one kind of call that differ in state share their patterns, by address.
  std::vector<std::pair<ArrayRef<ValueSpec>, Constant *>> argumentLists;
};
} // namespace

Constant *TableWriter::constant(Constant *initializer) {
  auto *global =
      new llvm::GlobalVariable(module, initializer->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::PrivateLinkage, initializer, "jit.row");
  return global;
}

Constant *TableWriter::text(StringRef value) {
  Constant *&known = texts[value];
  if (!known)
    known = constant(llvm::ConstantDataArray::getString(context(), value));
  return known;
}

Constant *TableWriter::array(ArrayRef<Constant *> records) {
  if (records.empty())
    return null();
  // Records of one type of C are one type here: null pointers are pointers too.
  auto *type = llvm::ArrayType::get(records[0]->getType(), records.size());
  return constant(llvm::ConstantArray::get(type, records));
}

static_assert(ValueSpec::openSize == JIT_OPEN_SIZE && ValueSpec::unknownStride == JIT_OPEN_STRIDE);

Constant *TableWriter::sizes(const ValueSpec &value) {
  std::vector<int64_t> numbered = value.sizes;
  for (size_t i = 0; i < value.sizeNames.size(); ++i) {
    if (numbered[i] >= 0)
      continue;
    auto known = llvm::find(sizeNames, value.sizeNames[i]);
    numbered[i] = JIT_OPEN_SIZE - 1 - (known - sizeNames.begin());
    if (known == sizeNames.end())
      sizeNames.push_back(value.sizeNames[i]);
  }
  return arrayOf(numbered, &TableWriter::size);
}

jit_kind jit::package::kindOf(const ValueSpec &spec) {
  switch (spec.kind) {
  case ValueSpec::Kind::Tensor:
    return JIT_KIND_TENSOR;
  case ValueSpec::Kind::Int:
    return JIT_KIND_INT;
  case ValueSpec::Kind::Float:
    return JIT_KIND_FLOAT;
  case ValueSpec::Kind::Bool:
    return JIT_KIND_BOOL;
  case ValueSpec::Kind::Str:
    return JIT_KIND_STRING;
  case ValueSpec::Kind::Tuple:
    return JIT_KIND_TUPLE;
  case ValueSpec::Kind::List:
    return JIT_KIND_LIST;
  case ValueSpec::Kind::Default:
  case ValueSpec::Kind::None:
  case ValueSpec::Kind::Undefined:
  case ValueSpec::Kind::File:
    break;
  }
  return JIT_KIND_NONE;
}

/// What a number has to be.
static int64_t wordOf(const ValueSpec &spec) {
  using Kind = ValueSpec::Kind;
  return spec.kind == Kind::Float  ? std::bit_cast<int64_t>(spec.floatValue)
         : spec.kind == Kind::Bool ? int64_t(spec.boolValue)
                                   : spec.intValue;
}

Constant *TableWriter::pattern(const ValueSpec &value) {
  jit_kind kind = kindOf(value);
  size_t count = kind == JIT_KIND_TENSOR ? value.sizes.size() : value.elements.size();
  return record({number(kind), number(int(value.dtype)), number(value.isOpen),
                 number(int64_t(count)), word(wordOf(value)), sizes(value),
                 arrayOf(value.sizeNames, &TableWriter::name),
                 arrayOf(value.strides, &TableWriter::size), part(value),
                 kind == JIT_KIND_STRING ? text(value.text) : null(),
                 arrayOf(value.elements, &TableWriter::pattern)});
}

Constant *TableWriter::part(const ValueSpec &value) {
  if (!value.part)
    return null();
  return constant(
      record({word(value.part->memory), word(value.part->offset), word(value.part->extent)}));
}

Constant *TableWriter::location(const Site &value) {
  return record({number(value.place), number(value.index), number(int64_t(value.path.size())),
                 arrayOf(value.path, &TableWriter::index)});
}

Constant *TableWriter::operand(const Operand &value) {
  return record(
      {location(value.from), word(value.bytes), word(value.scratch), number(value.number)});
}

Constant *TableWriter::output(const Output &value) {
  return record({pattern(value.type), word(value.bytes), location(value.to), word(value.scratch),
                 number(value.inPlace)});
}

Constant *TableWriter::copy(const Copy &value) {
  return record({number(value.output), number(int64_t(value.tests.size())), location(value.to),
                 arrayOf(value.tests, &TableWriter::test),
                 value.becomes ? constant(pattern(*value.becomes)) : null()});
}

Constant *TableWriter::test(const jit_test &value) {
  return record({number(value.output), number(value.is)});
}

Constant *TableWriter::slotKind(const jit_slot_kind &value) {
  return record({number(value.slot), number(value.kind)});
}

Constant *TableWriter::slotSet(const SlotSet &value) {
  return record({number(value.slot), number(value.kind), number(int64_t(value.tests.size())),
                 arrayOf(value.tests, &TableWriter::test)});
}

Constant *TableWriter::kernel(const DeviceKernel &value) {
  const auto &[x, y, z] = value.grid;
  const auto &[bx, by, bz] = value.block;
  return record({text(value.name), number(x), number(y), number(z), number(bx), number(by),
                 number(bz), number(value.dynamicSharedBytes), number(value.isCooperative)});
}

Constant *TableWriter::plan(const DevicePlan &value, PlanTables &tables) {
  std::vector<int64_t> code = encodePlan(value.steps, tables);
  assert(!value.hasOpenBuffers() && tables.libraryCalls.empty() &&
         "a plan with open sizes or a library's work was refused before");
  return record({arrayOf(code, &TableWriter::size), word(int64_t(code.size())), word(value.words)});
}

/// "sm_90a" is 90, and of that capability alone.
static std::pair<int64_t, bool> capabilityOf(StringRef chip) {
  int64_t capability = 0;
  chip.consume_front("sm_");
  bool isOfItAlone = chip.consume_back("a");
  [[maybe_unused]] bool failed = chip.getAsInteger(10, capability);
  assert(!failed && "a chip that code was made for has a name");
  return {capability, isOfItAlone};
}

Constant *TableWriter::device(const std::shared_ptr<const Artifact> &value) {
  const Entry &entry = value->entries.front();
  const DeviceCode &code = *value->device;
  PlanTables tables;
  Constant *run = plan(entry.plan, tables);
  Constant *init = plan(entry.initPlan.value_or(DevicePlan()), tables);
  auto [capability, isOfItAlone] = capabilityOf(code.chip);
  return record(
      {number(capability), number(isOfItAlone), text(code.ptx),
       code.cubin.empty() ? null() : text(code.cubin), arrayOf(code.kernels, &TableWriter::kernel),
       arrayOf(tables.texts, &TableWriter::name), arrayOf(entry.packedBytes, &TableWriter::size),
       run, init, word(entry.arenaBytes), word(entry.initArenaBytes),
       number(int64_t(code.kernels.size())), number(int64_t(entry.packedBytes.size()))});
}

/// How many sizes a call tells.
static int64_t openSizes(ArrayRef<ValueSpec> specs) {
  int64_t count = 0;
  for (const ValueSpec &spec : specs)
    count += llvm::count(spec.sizes, ValueSpec::openSize) + openSizes(spec.elements);
  return count;
}

std::string jit::package::entryName(StringRef package, StringRef symbol) {
  return (package + "." + symbol).str();
}

/// What another object defines.
Constant *TableWriter::entry(const std::string &symbol) {
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context()), /*isVarArg=*/false);
  auto entry = module.getOrInsertFunction(entryName(package.name, symbol), type);
  auto *function = llvm::cast<llvm::Function>(entry.getCallee());
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return function;
}

Constant *TableWriter::variant(const Variant &value) {
  sizeNames.clear();
  bool hasCode = value.devices.empty() && value.refusal.empty();
  Constant *arguments = arrayOf(value.arguments, &TableWriter::pattern);
  // Equal patterns get equal addresses, by which the runtime tells kinds of calls apart.
  auto *global = llvm::dyn_cast<llvm::GlobalVariable>(arguments);
  for (auto &[known, list] : argumentLists)
    if (known == ArrayRef(value.arguments)) {
      if (global && list != arguments)
        global->eraseFromParent();
      arguments = list;
      global = nullptr;
    }
  if (global)
    argumentLists.emplace_back(value.arguments, arguments);
  auto count = [&](const auto &list) { return number(int64_t(list.size())); };
  return record({hasCode ? entry(value.symbol) : null(),
                 arrayOf(value.devices, &TableWriter::device),
                 text(value.structure),
                 count(value.devices),
                 count(value.arguments),
                 count(value.operands),
                 count(value.outputs),
                 count(value.packed),
                 count(value.copies),
                 count(value.needs),
                 count(value.sets),
                 number(value.resultCount),
                 number(openSizes(value.arguments)),
                 arguments,
                 arrayOf(value.operands, &TableWriter::operand),
                 arrayOf(value.outputs, &TableWriter::output),
                 arrayOf(value.packed, &TableWriter::index),
                 arrayOf(value.copies, &TableWriter::copy),
                 arrayOf(value.needs, &TableWriter::slotKind),
                 arrayOf(value.sets, &TableWriter::slotSet),
                 value.refusal.empty() ? null() : text(value.refusal)});
}

Constant *TableWriter::slot(const Slot &value) {
  return record({text(value.path), arrayOf(value.otherPaths, &TableWriter::name),
                 number(int64_t(value.otherPaths.size())), number(value.firstCell),
                 number(int64_t(value.kinds.size())), arrayOf(value.kinds, &TableWriter::pattern)});
}

Constant *TableWriter::cell(const Cell &value) {
  return record({word(value.bytes), number(value.initial)});
}

Constant *TableWriter::blob(const Blobs::Blob &value) {
  Constant *data = null();
  if (blobData)
    data = llvm::ConstantExpr::getGetElementPtr(llvm::Type::getInt8Ty(context()), blobData,
                                                word(value.offset));
  return record({data, word(value.offset), word(int64_t(value.bytes.size()))});
}

Constant *TableWriter::methods() {
  llvm::SmallVector<Constant *> records;
  int64_t first = 0;
  for (const Method &method : package.methods) {
    records.push_back(record({text(method.name), arrayOf(method.argumentNames, &TableWriter::name),
                              number(int64_t(method.argumentNames.size())), number(first),
                              number(int64_t(method.variants.size())), number(method.readsState),
                              number(method.writesState), number(method.dependsOnStrides),
                              number(method.showsGaps)}));
    first += int64_t(method.variants.size());
  }
  return array(records);
}

Constant *TableWriter::variants() {
  llvm::SmallVector<Constant *> records;
  for (const Method &method : package.methods)
    for (const Variant &value : method.variants)
      records.push_back(variant(value));
  return array(records);
}

Constant *TableWriter::deviceFunctions() {
  for (const Method &method : package.methods)
    for (const Variant &value : method.variants)
      if (!value.devices.empty())
        return module.getOrInsertGlobal("jit_cuda_functions", pointer());
  return null();
}

/// Where CPUID tells of LLVM's features. What is not here comes with something that is.
static constexpr struct {
  const char *name;
  uint32_t leaf, subleaf, reg, bit;
} cpuidBits[] = {
    {"sse3", 1, 0, 2, 0},
    {"ssse3", 1, 0, 2, 9},
    {"sse4.1", 1, 0, 2, 19},
    {"sse4.2", 1, 0, 2, 20},
    {"popcnt", 1, 0, 2, 23},
    {"avx", 1, 0, 2, 28},
    {"fma", 1, 0, 2, 12},
    {"f16c", 1, 0, 2, 29},
    {"bmi", 7, 0, 1, 3},
    {"avx2", 7, 0, 1, 5},
    {"bmi2", 7, 0, 1, 8},
    {"avx512f", 7, 0, 1, 16},
    {"avx512dq", 7, 0, 1, 17},
    {"avx512ifma", 7, 0, 1, 21},
    {"avx512cd", 7, 0, 1, 28},
    {"avx512bw", 7, 0, 1, 30},
    {"avx512vl", 7, 0, 1, 31},
    {"avx512vbmi", 7, 0, 2, 1},
    {"avx512vbmi2", 7, 0, 2, 6},
    {"gfni", 7, 0, 2, 8},
    {"avx512vnni", 7, 0, 2, 11},
    {"avx512bitalg", 7, 0, 2, 12},
    {"avx512vpopcntdq", 7, 0, 2, 14},
    {"avx512fp16", 7, 0, 3, 23},
    {"avxvnni", 7, 1, 0, 4},
    {"avx512bf16", 7, 1, 0, 5},
    {"lzcnt", 0x80000001u, 0, 2, 5},
    {"movbe", 1, 0, 2, 22},
};

std::pair<Constant *, int64_t> TableWriter::features(const llvm::TargetMachine &machine) {
  llvm::SmallVector<Constant *> records;
  for (const auto &bit : cpuidBits)
    if (machine.getTargetTriple().isX86() &&
        machine.getMCSubtargetInfo()->checkFeatures(std::string("+") + bit.name))
      records.push_back(record({text(bit.name), number(int32_t(bit.leaf)), number(bit.subleaf),
                                number(bit.reg), number(bit.bit)}));
  return {array(records), int64_t(records.size())};
}

Constant *TableWriter::write(const llvm::TargetMachine &machine) {
  auto [featureList, featureCount] = features(machine);
  int64_t variantCount = 0;
  for (const Method &method : package.methods)
    variantCount += int64_t(method.variants.size());
  auto count = [&](const auto &list) { return number(int64_t(list.size())); };
  return record({text(package.name),
                 text(machine.getTargetCPU()),
                 deviceFunctions(),
                 text(package.description),
                 arrayOf(blobs.all(), &TableWriter::blob),
                 methods(),
                 variants(),
                 arrayOf(package.slots, &TableWriter::slot),
                 arrayOf(package.cells, &TableWriter::cell),
                 featureList,
                 count(blobs.all()),
                 count(package.methods),
                 number(variantCount),
                 count(package.slots),
                 count(package.cells),
                 number(featureCount),
                 word(package.arenaBytes),
                 package.weightsPath.empty() ? null() : text(package.weightsPath),
                 word(blobs.fileBytes()),
                 word(int64_t(blobs.id()))});
}

/// Gives what the runtime declares its value.
static void define(llvm::Module &module, StringRef name, Constant *value) {
  new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage, value, name);
} // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): it is the module's

static size_t featureCount(const llvm::TargetMachine &machine) {
  return llvm::count_if(cpuidBits, [&](const auto &bit) {
    return machine.getMCSubtargetInfo()->checkFeatures(std::string("+") + bit.name);
  });
}

/// Declares what another object of the package defines.
static Constant *declareBlobs(llvm::Module &module, StringRef name) {
  auto *byte = llvm::Type::getInt8Ty(module.getContext());
  auto *blobs = llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal(name, byte));
  blobs->setConstant(true);
  blobs->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return blobs;
}

void jit::package::addTables(llvm::Module &module, ArrayRef<PackageFor> packages,
                             StringRef blobSymbol) {
  llvm::SmallVector<const PackageFor *> ordered;
  for (const PackageFor &each : packages)
    ordered.push_back(&each);
  llvm::stable_sort(ordered, [](const PackageFor *a, const PackageFor *b) {
    return featureCount(*a->backend) > featureCount(*b->backend);
  });
  const Blobs &blobs = packages.back().package->blobs;
  Constant *blobData = blobSymbol.empty() ? nullptr : declareBlobs(module, blobSymbol);
  llvm::SmallVector<Constant *> tables;
  for (const PackageFor *each : ordered)
    tables.push_back(TableWriter(module, *each->package, blobs, blobData).write(*each->backend));
  auto *type = llvm::ArrayType::get(tables[0]->getType(), tables.size());
  define(module, "jit_packages", llvm::ConstantArray::get(type, tables));
  auto *number = llvm::Type::getInt32Ty(module.getContext());
  define(module, "jit_package_count", llvm::ConstantInt::getSigned(number, int64_t(tables.size())));
}
