//===- Code.cpp - the machine code of a package ---------------------------===//
#include "Buffers/Signature.h"
#include "Package/BlobObject.h"
#include "Package/RuntimeObject.h"
#include "Package/Tables.h"
#include "LLVM/CodeParts.h"
#include "LLVM/LinkedCode.h"

#include "jit/Runtime/Tensor.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <cstring>

using namespace llvm;
using namespace jit;
using namespace jit::codegen;
using namespace jit::package;
using namespace jit::runtime;

// NOLINTBEGIN(readability-identifier-naming): names of the assembler
extern "C" const char jit_values_header[], jit_values_header_end[], jit_artifact_header[],
    jit_artifact_header_end[];
// NOLINTEND(readability-identifier-naming)

StringRef jit::package::valuesHeader() {
  return {jit_values_header, size_t(jit_values_header_end - jit_values_header)};
}

StringRef jit::package::artifactHeader() {
  return {jit_artifact_header, size_t(jit_artifact_header_end - jit_artifact_header)};
}

Code::Code(std::string name) : name(std::move(name)) {}

Code::~Code() = default;

bool jit::package::hasRuntimeFor(const Machine &machine) {
  return Triple(machine.triple).getArch() == Triple(hostMachine().triple).getArch();
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static int64_t arenaBytes(mlir::Operation *func) {
  return func->getAttrOfType<mlir::IntegerAttr>("jit.arena_bytes").getInt();
}

/// What the passes have found out about the entry.
static void readAttributes(mlir::Operation *func, CompiledEntry &compiled) {
  Entry &entry = compiled.entry;
  entry.arenaBytes = arenaBytes(func);
  auto packed = func->getAttrOfType<mlir::DenseI64ArrayAttr>("jit.packed_bytes").asArrayRef();
  entry.packedBytes.assign(packed.begin(), packed.end());
  compiled.reads.assign(entry.arguments.size(), false);
  auto places = func->getAttrOfType<mlir::DenseI64ArrayAttr>("jit.read_places").asArrayRef();
  for (int64_t place : places)
    if (place < int64_t(compiled.reads.size()))
      compiled.reads[place] = true;
}

/// A module of the function `name` and of what it needs.
static mlir::OwningOpRef<mlir::ModuleOp> extract(mlir::ModuleOp lowered, StringRef name) {
  mlir::OwningOpRef<mlir::ModuleOp> module = lowered.clone();
  mlir::SymbolTable symbols(*module);
  SetVector<mlir::Operation *> needed;
  needed.insert(symbols.lookup(name));
  for (size_t i = 0; i < needed.size(); ++i)
    if (auto uses = mlir::SymbolTable::getSymbolUses(needed[i]))
      for (const mlir::SymbolTable::SymbolUse &use : *uses)
        if (mlir::Operation *used = symbols.lookup(use.getSymbolRef().getRootReference()))
          needed.insert(used);
  for (mlir::Operation &op : make_early_inc_range(*module->getBody()))
    if (!needed.contains(&op))
      op.erase();
  return module;
}

/// Runs `NAME.init`, compiled for this machine whatever the package is for.
static llvm::Error fillPacked(mlir::ModuleOp lowered, CompiledEntry &compiled,
                              Code::WeightFn weight) {
  const Entry &entry = compiled.entry;
  std::string name = entry.name + ".init";
  auto loaded = loadMachineCode(*extract(lowered, name), {});
  if (!loaded)
    return loaded.takeError();
  auto address = (*loaded)->lookup(name);
  if (!address)
    return address.takeError();
  std::vector<void *> pointers;
  for (const ArgumentInfo &info : entry.arguments) {
    if (info.kind != ArgumentKind::Weight)
      continue;
    auto bytes = weight(info.name);
    if (!bytes)
      return bytes.takeError();
    pointers.push_back(const_cast<void *>(*bytes));
  }
  for (const std::shared_ptr<std::byte> &buffer : compiled.packed)
    pointers.push_back(buffer.get());
  std::shared_ptr<std::byte> arena = allocateBuffer(size_t(entry.initArenaBytes));
  if (!arena)
    return createStringError("out of memory for the scratch of initialisation");
  pointers.push_back(arena.get());
  jit_call call = {};
  if (address->toPtr<jit_entry_fn>()(&call, pointers.data()) != 0)
    return createStringError("%s", call.message);
  return llvm::Error::success();
}

static llvm::Error fillPackedBuffers(mlir::ModuleOp lowered, CompiledEntry &compiled,
                                     Code::WeightFn weight) {
  for (int64_t bytes : compiled.entry.packedBytes) {
    compiled.packed.push_back(allocateBuffer(size_t(bytes)));
    if (!compiled.packed.back())
      return createStringError("out of memory for packed weights");
    std::memset(compiled.packed.back().get(), 0, size_t(bytes));
  }
  mlir::Operation *init = lowered.lookupSymbol(compiled.entry.name + ".init");
  if (!init)
    return llvm::Error::success();
  compiled.entry.initArenaBytes = arenaBytes(init);
  return fillPacked(lowered, compiled, weight);
}

/// Names of the functions that `parts` define.
static StringSet<> functionsOf(ArrayRef<mlir::OwningOpRef<mlir::ModuleOp>> parts) {
  StringSet<> names;
  for (const mlir::OwningOpRef<mlir::ModuleOp> &part : parts)
    for (auto function : part.get().getOps<mlir::LLVM::LLVMFuncOp>())
      names.insert(function.getName());
  return names;
}

/// Gives the functions `names` names that no other entry has, which only the linker sees.
static void hide(Module &module, const StringSet<> &names, const std::string &prefix) {
  for (Function &function : module) {
    if (!names.contains(function.getName()))
      continue;
    function.setName(prefix + "." + function.getName());
    function.setVisibility(GlobalValue::HiddenVisibility);
  }
}

/// Has the tables and the linker alone see `entry`, by a name that no other package has.
static void nameEntry(Function &entry, StringRef package, const std::string &symbol) {
  nameRuntimeSymbols(*entry.getParent(), package);
  entry.setName(entryName(package, symbol));
  entry.setLinkage(GlobalValue::ExternalLinkage);
  entry.setVisibility(GlobalValue::HiddenVisibility);
}

llvm::Error Code::addCode(mlir::ModuleOp lowered, const std::string &entry,
                          const std::string &symbol, const CodegenOptions &options) {
  mlir::TimingScope timing =
      options.timing ? options.timing->nest("machine code") : mlir::TimingScope();
  mlir::OwningOpRef<mlir::ModuleOp> own = extract(lowered, entry);
  SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> parts = splitCode(*own);
  StringSet<> names = functionsOf(parts);
  std::string prefix = entryName(name, symbol);
  SmallVector<mlir::ModuleOp> modules = {*own};
  for (mlir::OwningOpRef<mlir::ModuleOp> &part : parts)
    modules.push_back(*part);
  auto made = compileObjects(modules, options.machine, /*threads=*/0, Tier::Optimised, timing,
                             [&](Module &part) {
                               hide(part, names, prefix);
                               Function *function = part.getFunction(entry);
                               if (function && !function->isDeclaration())
                                 nameEntry(*function, name, symbol);
                             });
  if (!made)
    return made.takeError();
  std::move(made->begin(), made->end(), std::back_inserter(objects));
  return llvm::Error::success();
}

FailureOr<CompiledEntry> Code::add(mlir::ModuleOp program, const std::string &symbol,
                                   const CodegenOptions &options, WeightFn weight) {
  if (failed(markInPlaceResults(program)))
    return failure();
  FailureOr<std::vector<Entry>> entries = describeEntries(program);
  if (failed(entries))
    return failure();
  if (entries->size() != 1)
    return program.emitError("expected a module with one entry, got ") << entries->size();
  CompiledEntry compiled{entries->front(), {}, {}, {}};
  mlir::PassManager pm(program.getContext());
  if (options.timing)
    pm.enableTiming(*options.timing);
  pm.enableVerifier(options.verify);
  findTarget("cpu")->addLoweringPasses(pm, options);
  if (failed(pm.run(program)))
    return failure();
  readAttributes(program.lookupSymbol(compiled.entry.name), compiled);
  llvm::Error error = fillPackedBuffers(program, compiled, weight);
  if (!error)
    error = addCode(program, compiled.entry.name, symbol, options);
  if (error)
    return program.emitError("code generation failed: ") << toString(std::move(error));
  return compiled;
}

//===----------------------------------------------------------------------===//
// The object
//===----------------------------------------------------------------------===//

static llvm::Error writeCode(Module &module, TargetMachine &machine, StringRef path) {
  bool isKnown = true;
  llvm::Error error = writeFile(path, [&](raw_pwrite_stream &file) {
    legacy::PassManager pm;
    isKnown = !machine.addPassesToEmitFile(pm, file, nullptr, CodeGenFileType::ObjectFile);
    if (isKnown)
      pm.run(module);
  });
  if (!error && !isKnown)
    error = createStringError("expected a target that writes object files");
  return error;
}

static Expected<std::vector<PackageFor>> findBackends(ArrayRef<Package> packages) {
  std::vector<PackageFor> found;
  for (const Package &package : packages) {
    auto backend = backendFor(package.machine).createTargetMachine();
    if (!backend)
      return backend.takeError();
    found.push_back({&package, std::move(*backend)});
  }
  return found;
}

/// Writes those of entries and kernels beside the first.
static llvm::Error writeOthers(ArrayRef<std::unique_ptr<MemoryBuffer>> objects, StringRef folder,
                               std::vector<std::string> &paths) {
  for (const std::unique_ptr<MemoryBuffer> &object : objects) {
    paths.push_back((folder + "/" + Twine(paths.size()) + ".o").str());
    auto write = [&](raw_ostream &file) { file << object->getBuffer(); };
    if (llvm::Error error = writeFile(paths.back(), write))
      return error;
  }
  return llvm::Error::success();
}

Expected<std::vector<std::string>> Code::writeObjects(ArrayRef<Package> packages,
                                                      StringRef folder) {
  auto backends = findBackends(packages);
  if (!backends)
    return backends.takeError();
  std::string blobs = packages.front().weightsPath.empty() ? name + ".blobs" : "";
  LLVMContext context;
  Module tables("jit", context);
  TargetMachine &machine = *backends->back().backend;
  tables.setDataLayout(machine.createDataLayout());
  tables.setTargetTriple(machine.getTargetTriple());
  addTables(tables, *backends, blobs);
  nameRuntimeSymbols(tables, name);
  std::vector<std::string> paths = {(folder + "/0.o").str(), (folder + "/runtime.o").str()};
  if (llvm::Error error = writeCode(tables, machine, paths[0]))
    return error;
  if (llvm::Error error = writeRuntime(packages.front().name, paths[1]))
    return error;
  if (llvm::Error error = writeOthers(objects, folder, paths))
    return error;
  if (blobs.empty())
    return paths;
  paths.push_back((folder + "/blobs.o").str());
  if (llvm::Error error = writeBlobObject(packages.back().blobs, blobs, paths[0], paths.back()))
    return error;
  return paths;
}
