//===- Target.h - what a machine to generate code for has to do --*- C++ -*-===//
#ifndef JIT_CODEGEN_TARGET_H
#define JIT_CODEGEN_TARGET_H

#include "jit/Codegen/Machine.h"
#include "jit/Codegen/Products/TileTable.h"
#include "jit/GpuLibraries.h"
#include "jit/Numerics.h"
#include "jit/Runtime/Artifact.h"
#include "jit/Tier.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace jit::codegen {

/// Code of which an object is a baseline's, as it was before: LLVM's bitcode, exact (makeExact) and
/// not optimised.
struct BaselinePart {
  size_t object; ///< its place among the objects
  std::unique_ptr<llvm::MemoryBuffer> bitcode;
};

/// What a target makes an artifact of, in the process that compiled it or in a later one.
struct CodeImage {
  /// The entries without their bodies: types as Lower leaves them, sizes of memory as attributes.
  mlir::OwningOpRef<mlir::ModuleOp> entries;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects;
  std::vector<BaselinePart> baseline; ///< empty where all is optimised
};

/// Optimises code of which a baseline's runs already. With LLVM alone, on any thread.
class OptimiseLater {
public:
  virtual ~OptimiseLater() = default;
  /// Does a part of it; false once calls run the optimised code, or an error: they never will.
  /// Where `isStopped`, asked now and then, says so, that part is given up, and no other is begun.
  virtual llvm::Expected<bool> step(llvm::function_ref<bool()> isStopped) = 0;
  /// After that: the image of the optimised code.
  virtual CodeImage takeImage() = 0;
};

/// What a user can choose about generated code.
struct CodegenOptions {
  /// The CPU to generate code for.
  Machine machine = hostMachine();
  /// Scalar operations below which a parallel loop stays on one thread; negative: all stay.
  int64_t parallelThreshold = 65536;
  /// Whether loops that differ in sizes alone are one function: less to compile, and about a tenth
  /// slower where layers have many sizes.
  bool sharesLoopSizes = true;
  /// Whether code may round worse where it is faster for it.
  Numerics numerics = Numerics::Fast;
  /// How much is done for code of a CPU.
  Tier tier = Tier::Optimised;
  /// NVIDIA's name of the GPU; where empty this machine's, or sm_80, whose PTX all later ones take.
  std::string chip = {};
  /// Which loads of GPU kernels go through the read-only cache: of operands that are "broadcast",
  /// "all" or "none".
  std::string gpuNcLoads = "broadcast";
  /// Whether products of f32 go to tensor cores, which round their factors to 10 bits (tf32).
  bool gpuTf32 = false;
  /// Whose products plain ones are.
  GpuLibraries gpuLibraries = GpuLibraries::Off;
  /// What is known of products by measuring them; a table for another CPU is not looked at.
  ProductTuning tuning = {};
  /// Checks the IR after every pass.
  bool verify = false;
  /// Gets what `jit-opt --run-reproducer` fails with as the passes did; a path, empty: nothing.
  std::string bundle = {};
  /// Gets the times of passes and of LLVM's work; null where nobody asks.
  mlir::TimingScope *timing = nullptr;
  /// Gets what Target::load makes the same artifact of; null where nobody keeps it.
  CodeImage *image = nullptr;
};

/// One kind of machine. A target says what to do; nobody asks which one it is.
class Target {
public:
  virtual ~Target() = default;

  /// What `--target=` selects it by.
  virtual llvm::StringRef name() const = 0;

  /// Appends the passes from entries on tensors (as Lower leaves them) to the LLVM dialect.
  virtual void addLoweringPasses(mlir::OpPassManager &pm, const CodegenOptions &options) const = 0;

  /// Lowers `module` and makes it callable in this process. Diagnostics say why not.
  virtual llvm::FailureOr<std::shared_ptr<runtime::Artifact>>
  emit(mlir::ModuleOp module, const CodegenOptions &options) const = 0;

  /// What emit() generates code for, as text. Empty for a target that gives no images.
  virtual std::string machineText(const CodegenOptions &options) const { return {}; }

  /// The artifact that emit() gave an image of, where machineText() is the same.
  virtual llvm::Expected<std::shared_ptr<runtime::Artifact>> load(const CodeImage &image) const {
    return llvm::createStringError("expected a target that gives images of its code");
  }

  /// Has calls of `artifact`, which is that of `image`, go through pointers, and gives what
  /// optimises the image's baseline and sets them. Before the first call. Null where calls stay
  /// with what they have.
  virtual std::unique_ptr<OptimiseLater> optimiseLater(runtime::Artifact &artifact,
                                                       CodeImage image) const {
    return nullptr;
  }
};

/// All targets; the first is the default.
llvm::ArrayRef<const Target *> targets();

/// The target called `name`, or null.
const Target *findTarget(llvm::StringRef name);

/// Registers dialects, interfaces and translations that the targets' passes rely on. Call it
/// before the context is made.
void registerCodegen(mlir::DialectRegistry &registry);

/// Registers the passes of Codegen and the pipelines `jit-to-cpu` and `jit-to-nvptx`.
void registerCodegenPasses();

} // namespace jit::codegen

#endif // JIT_CODEGEN_TARGET_H
