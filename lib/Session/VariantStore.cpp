//===- VariantStore.cpp - compilations that later processes find ----------===//

#include "VariantStore.h"
#include "jit/Archive/StorageRecords.h"
#include "jit/Session/BuildId.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <bit>

using namespace mlir;

namespace jit {
using namespace codegen;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static void addOptimizer(CacheKeyBuilder &key, const std::optional<OptimizerOptions> &optimizer) {
  key.add(uint64_t(optimizer.has_value()));
  if (!optimizer)
    return;
  const OptimizerOptions &o = *optimizer;
  key.add(o.name).add(o.method).add(uint64_t(o.nesterov));
  for (double number : {o.lr, o.weightDecay, o.momentum, o.dampening, o.beta1, o.beta2, o.eps})
    key.add(std::bit_cast<uint64_t>(number));
}

/// LLVM may be a library of its own, which somebody has replaced since we were built.
static uint64_t versionOfLLVM() {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  return (uint64_t(major) << 32) + (uint64_t(minor) << 16) + patch;
}

/// Nothing for an archive that cannot be read: its importer says why.
static std::optional<CacheKey> keyOf(const ProgramFile &file, const SessionOptions &options,
                                     StringRef operators) {
  CacheKeyBuilder key;
  key.add("program").add(buildId).add(versionOfLLVM()).add(operators);
  addOptimizer(key, options.optimizer);
  if (!file.isArchive())
    return key.add(file.path).add(file.bytes.text()).key(); // places in it name the path
  auto archive = StorageRecords::openBytes(file.bytes, file.path);
  auto parts = archive ? archive->programParts() : archive.takeError();
  if (!parts)
    return std::nullopt;
  for (const SharedBytes &part : *parts)
    key.add(part.text());
  return key.key();
}

CacheKey VariantStore::keyOf(const PipelineOptions &what, const CodegenOptions &codegen) const {
  CacheKeyBuilder key;
  key.add("variant").add(llvm::toStringRef(programKey));
  key.add(what.entry).add(what.args);
  key.add(uint64_t(what.raises)).add(uint64_t(what.differentiate)).add(uint64_t(what.split));
  key.add(uint64_t(what.absent.size()));
  for (int64_t result : what.absent)
    key.add(uint64_t(result));
  addOptimizer(key, what.optimizer);
  key.add(target.name()).add(target.machineText(codegen));
  key.add(uint64_t(codegen.parallelThreshold)).add(uint64_t(codegen.numerics));
  key.add(codegen.tuning.table ? codegen.tuning.table->text() : "");
  return key.key();
}

std::unique_ptr<VariantStore> VariantStore::open(const SessionOptions &options, StringRef operators,
                                                 const ProgramFile &file) {
  // Who looks at compilations wants one.
  bool isWatched =
      !options.dumpDir.empty() || options.verifyStages || options.tunes || !options.bundle.empty();
  if (isWatched || findTarget(options.target)->machineText({}).empty())
    return nullptr;
  auto cache = DiskCache::open(options.cache);
  return cache ? make(options, operators, file, std::move(cache)) : nullptr;
}

Result<std::unique_ptr<VariantStore>> VariantStore::makeTemporary(const SessionOptions &options,
                                                                  StringRef operators,
                                                                  const ProgramFile &file) {
  auto cache = DiskCache::makeTemporary();
  if (!cache)
    return cache.takeError();
  return make(options, operators, file, std::move(*cache));
}

std::unique_ptr<VariantStore> VariantStore::make(const SessionOptions &options, StringRef operators,
                                                 const ProgramFile &file,
                                                 std::unique_ptr<DiskCache> cache) {
  auto key = jit::keyOf(file, options, operators);
  if (!key)
    return nullptr;
  std::string name = llvm::sys::path::filename(file.path).str();
  return std::unique_ptr<VariantStore>(
      new VariantStore(std::move(cache), *findTarget(options.target), std::move(name), *key));
}

//===----------------------------------------------------------------------===//
// Modules and lines as bytes
//===----------------------------------------------------------------------===//

static std::string bytesOf(ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (failed(writeBytecodeToFile(module, stream)))
    return {};
  return bytes;
}

static OwningOpRef<ModuleOp> moduleFrom(StringRef bytes, MLIRContext &context) {
  // A text would have to end with a zero, which is not here.
  if (!isBytecode(llvm::MemoryBufferRef(bytes, "kept module")))
    return {};
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  // Declarations of public functions are what the verifier would not have.
  return parseSourceString<ModuleOp>(bytes, ParserConfig(&context, /*verifyAfterParse=*/false));
}

static ExplainedLines linesFrom(StringRef text) {
  ExplainedLines lines;
  for (; !text.empty(); text = text.split('\0').second)
    lines.push_back(text.split('\0').first.str());
  return lines;
}

static std::string textOf(const ExplainedLines &lines) {
  std::string text;
  for (const std::string &line : lines)
    text.append(line).push_back('\0');
  return text;
}

/// Which objects are a baseline's, in decimal.
static std::optional<SmallVector<size_t>> placesFrom(StringRef text) {
  SmallVector<size_t> places;
  while (!text.empty())
    if (text.consumeInteger(10, places.emplace_back()) || !text.consume_front(","))
      return std::nullopt;
  return places;
}

static std::string textOf(ArrayRef<BaselinePart> parts) {
  std::string text;
  for (const BaselinePart &part : parts)
    text += std::to_string(part.object) + ",";
  return text;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

std::optional<KeptProgram> VariantStore::findProgram(MLIRContext &context) const {
  auto record = cache->find(programKey);
  if (!record || record->parts.size() != 2)
    return std::nullopt;
  KeptProgram kept{moduleFrom(record->parts[0], context), linesFrom(record->parts[1])};
  return kept.declarations ? std::optional(std::move(kept)) : std::nullopt;
}

void VariantStore::keepProgram(ModuleOp declarations, const ExplainedLines &explained) {
  std::string module = bytesOf(declarations), lines = textOf(explained);
  if (!module.empty())
    cache->store(programKey, name, {module, lines});
}

std::optional<KeptVariant> VariantStore::findVariant(const PipelineOptions &what,
                                                     const CodegenOptions &codegen,
                                                     MLIRContext &context) const {
  auto record = cache->find(keyOf(what, codegen));
  if (!record || record->parts.size() < 4)
    return std::nullopt;
  ArrayRef<StringRef> parts = record->parts;
  KeptVariant kept{
      moduleFrom(parts[0], context), {moduleFrom(parts[1], context), {}, {}}, linesFrom(parts[2])};
  auto places = placesFrom(parts[3]);
  parts = parts.drop_front(4);
  if (!kept.signatures || !kept.image.entries || !places || places->size() > parts.size())
    return std::nullopt;
  for (StringRef object : parts.drop_back(places->size()))
    kept.image.objects.push_back(llvm::MemoryBuffer::getMemBufferCopy(object));
  for (auto [place, code] : llvm::zip_equal(*places, parts.take_back(places->size()))) {
    if (place >= kept.image.objects.size())
      return std::nullopt;
    kept.image.baseline.push_back({place, llvm::MemoryBuffer::getMemBufferCopy(code)});
  }
  return kept;
}

void VariantStore::keepVariant(const PipelineOptions &what, const CodegenOptions &codegen,
                               const KeptVariant &variant) {
  std::string signatures = bytesOf(*variant.signatures), entries = bytesOf(*variant.image.entries),
              lines = textOf(variant.explained), places = textOf(variant.image.baseline);
  if (signatures.empty() || entries.empty())
    return;
  SmallVector<StringRef> parts = {signatures, entries, lines, places};
  for (const std::unique_ptr<llvm::MemoryBuffer> &object : variant.image.objects)
    parts.push_back(object->getBuffer());
  for (const BaselinePart &part : variant.image.baseline)
    parts.push_back(part.bitcode->getBuffer());
  std::string gradients = what.split ? ".forward" : what.differentiate ? ".grad" : "";
  cache->store(keyOf(what, codegen), name + ": " + what.entry + gradients + "(" + what.args + ")",
               parts);
}

} // namespace jit
