//===- Package.h - several compiled calls in one file ------------*- C++ -*-===//
//
// What an artifact of jit-compile says of itself, before it is written down. The structs are those
// of jit/Runtime/Package.h, which says what they mean, with containers in place of pointers.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_CODEGEN_PACKAGE_H
#define JIT_CODEGEN_PACKAGE_H

#include "jit-c/Values.h"
#include "jit/CallSpec/CallSpec.h"
#include "jit/Codegen/Target.h"
#include "jit/Runtime/Package.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace llvm {
class raw_pwrite_stream;
} // namespace llvm

namespace jit::package {

struct Site {
  jit_place place = JIT_PLACE_SCRATCH;
  int32_t index = 0;
  std::vector<int32_t> path = {};
};

struct Operand {
  Site from;
  int64_t bytes = 0, scratch = 0; // bytes JIT_OPEN_SIZE: a call tells
  int32_t number = 0;             ///< a jit_kind; 0: a tensor
};

struct Output {
  ValueSpec type; ///< a tensor, or a number that is open
  int64_t bytes = 0;
  Site to;
  int64_t scratch = 0;
  int32_t inPlace = -1; ///< the operand in whose memory it is computed, or -1
};

struct Copy {
  int32_t output = 0;
  Site to;
  std::vector<jit_test> tests = {};
  std::optional<ValueSpec> becomes = {};
};

struct SlotSet {
  int32_t slot = 0, kind = 0;
  std::vector<jit_test> tests = {};
};

struct Variant {
  std::string symbol; ///< of the entry
  /// The entry on a device, whose code it is then, for each kind of GPU; none for code of the host.
  std::vector<std::shared_ptr<const runtime::Artifact>> devices;
  std::string structure;
  std::vector<ValueSpec> arguments; ///< what those of a call have to be
  std::vector<Operand> operands;
  std::vector<Output> outputs;
  std::vector<int32_t> packed;
  std::vector<Copy> copies;
  std::vector<jit_slot_kind> needs;
  std::vector<SlotSet> sets;
  int32_t resultCount = 0;
  std::string refusal = {}; ///< why there is no code; empty: there is
};

struct Method {
  std::string name;
  std::vector<std::string> argumentNames;
  std::vector<Variant> variants;
  bool readsState = false, writesState = false, dependsOnStrides = false;
  /// It takes views by places in memory, also between the elements of an argument.
  bool showsGaps = false;
};

struct Slot {
  std::string path;
  std::vector<std::string> otherPaths;
  int32_t firstCell = 0;
  std::vector<ValueSpec> kinds;
};

struct Cell {
  int64_t bytes = 0;
  int32_t initial = -1; ///< a blob
};

/// How a value of this kind crosses C. A tensor that is not there does so as None.
jit_kind kindOf(const ValueSpec &spec);

/// Constant bytes by number. Equal ones are kept once.
class Blobs {
public:
  /// Copies nothing: `bytes` must live until the package is written.
  int32_t add(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

  struct Blob {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
    int64_t offset; ///< in the weights' file
  };
  const std::vector<Blob> &all() const { return blobs; }
  /// Of the weights' file, its head included.
  int64_t fileBytes() const { return end; }
  /// A number for all of the bytes.
  uint64_t id() const;
  /// Writes what is in the weights' file.
  void write(llvm::raw_ostream &os) const;

private:
  std::vector<Blob> blobs;
  std::multimap<uint64_t, int32_t> byHash;
  int64_t end = 64;
};

/// The program compiled for one CPU.
struct Package {
  codegen::Machine machine = codegen::hostMachine();
  std::string name;        ///< an identifier of C, which all its symbols begin with
  std::string description; ///< for people
  std::vector<Method> methods;
  std::vector<Slot> slots;
  std::vector<Cell> cells;
  Blobs blobs;
  int64_t arenaBytes = 0;
  /// Empty: the blobs are inside. Else where their file is looked for.
  std::string weightsPath = {};
};

/// A compiled entry and the constants that it reads.
struct CompiledEntry {
  runtime::Entry entry; ///< without addresses
  /// Of each argument, whether the code reads it after `init` has run.
  std::vector<bool> reads;
  /// The packed buffers as `init` has filled them.
  std::vector<std::shared_ptr<std::byte>> packed;
  /// What a device does, for each kind of GPU; none for code of the host.
  std::vector<std::shared_ptr<const runtime::Artifact>> devices = {};
};

/// Whether there is a runtime of packages for `machine`: it is compiled with this library, for one
/// architecture.
bool hasRuntimeFor(const codegen::Machine &machine);

/// The machine code of a package in the making.
class Code {
public:
  using WeightFn = llvm::function_ref<llvm::Expected<const void *>(const std::string &)>;

  /// `name` is what symbols between the objects begin with.
  explicit Code(std::string name);
  ~Code();

  /// Lowers and compiles a module with one entry, which becomes `symbol`, and runs its `init` on
  /// this machine. Diagnostics say why not.
  llvm::FailureOr<CompiledEntry> add(mlir::ModuleOp module, const std::string &symbol,
                                     const codegen::CodegenOptions &options, WeightFn weight);

  /// Writes object files into `folder` and gives their paths: one with a package's tables for each
  /// CPU, the runtime, which takes the one that asks most of the CPU that it finds, then those of
  /// entries and kernels, last the blobs unless these have a file. Blobs are those of the last
  /// package, names the first's. The runtime exports the functions of jit_artifact_table,
  /// `jit_artifact_` replaced by the package's name, and `jit_artifact`; what the others define is
  /// hidden.
  llvm::Expected<std::vector<std::string>> writeObjects(llvm::ArrayRef<Package> packages,
                                                        llvm::StringRef folder);

private:
  llvm::Error addCode(mlir::ModuleOp lowered, const std::string &entry, const std::string &symbol,
                      const codegen::CodegenOptions &options);

  std::string name;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects; // of entries and kernels
};

/// What packages can be for, and what a caller chooses about that.
struct PackageTarget {
  llvm::StringRef name;
  /// Whether there is code for each CPU of a list; else what the host does is the same on all.
  bool choosesCpus;
  bool choosesChip;
  bool hasOpenSizes;
  /// Compiles a module with one entry, which becomes `symbol`. Diagnostics say why not.
  llvm::FailureOr<CompiledEntry> (*compile)(Code &code, mlir::ModuleOp module,
                                            const std::string &symbol,
                                            const codegen::CodegenOptions &options,
                                            Code::WeightFn weight);
};

/// The one called `name`, or null.
const PackageTarget *findPackageTarget(llvm::StringRef name);

/// Makes or replaces the file. An error says that it could not be written, a full disk too.
llvm::Error writeFile(llvm::StringRef path,
                      llvm::function_ref<void(llvm::raw_pwrite_stream &)> write);
/// Links objects of writeObjects to a shared object that needs libc and libm alone, and those of
/// `libraries` whose functions it calls: it looks for these in its own folder.
llvm::Error linkSharedObject(llvm::ArrayRef<std::string> objects, llvm::StringRef path,
                             llvm::StringRef soname, llvm::ArrayRef<std::string> libraries);
/// Makes one object of them.
llvm::Error joinObjects(llvm::ArrayRef<std::string> objects, llvm::StringRef path);
/// Makes a static library of them.
llvm::Error writeArchive(llvm::ArrayRef<std::string> objects, llvm::StringRef path);

/// The texts of jit-c/Values.h and jit-c/Artifact.h, for headers that stand alone.
llvm::StringRef valuesHeader();
llvm::StringRef artifactHeader();

} // namespace jit::package

#endif // JIT_CODEGEN_PACKAGE_H
