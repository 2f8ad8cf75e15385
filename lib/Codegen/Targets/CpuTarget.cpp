//===- CpuTarget.cpp - artifacts of the CPU target ------------------------===//
#include "Buffers/Signature.h"
#include "Targets/Pipelines.h"
#include "jit/Codegen/Cpu.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/Dialect/Jit/Declarations.h"
#include "LLVM/LaterCode.h"

using namespace mlir;

namespace {
class CpuTarget : public jit::codegen::Target {
public:
  llvm::StringRef name() const override { return "cpu"; }
  void addLoweringPasses(OpPassManager &pm,
                         const jit::codegen::CodegenOptions &options) const override {
    jit::codegen::addCpuPipeline(pm, options);
  }
  FailureOr<std::shared_ptr<jit::runtime::Artifact>>
  emit(ModuleOp module, const jit::codegen::CodegenOptions &options) const override;
  LogicalResult lower(ModuleOp module, const jit::codegen::CodegenOptions &options) const;
  std::string machineText(const jit::codegen::CodegenOptions &options) const override {
    return options.machine.text();
  }
  llvm::Expected<std::shared_ptr<jit::runtime::Artifact>>
  load(const jit::codegen::CodeImage &image) const override;
  std::unique_ptr<jit::codegen::OptimiseLater>
  optimiseLater(jit::runtime::Artifact &artifact, jit::codegen::CodeImage image) const override;
};
} // namespace

//===----------------------------------------------------------------------===//
// Artifacts
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral arenaAttr = "jit.arena_bytes";
static constexpr llvm::StringLiteral packedAttr = "jit.packed_bytes";
/// Of an entry's `init`, on its declaration; absent where it has none.
static constexpr llvm::StringLiteral initArenaAttr = "jit.init_arena_bytes";

/// Notes on the declarations what memory entries need; `lowered` is the module after the passes.
static void noteMemory(ModuleOp declarations, ModuleOp lowered) {
  for (auto entry : declarations.getOps<func::FuncOp>()) {
    Operation *code = lowered.lookupSymbol(entry.getName());
    entry->setAttr(arenaAttr, code->getAttr(arenaAttr));
    entry->setAttr(packedAttr, code->getAttr(packedAttr));
    if (Operation *init = lowered.lookupSymbol((entry.getName() + ".init").str()))
      entry->setAttr(initArenaAttr, init->getAttr(arenaAttr));
  }
}

/// Fills in addresses and sizes.
static llvm::Error resolve(jit::runtime::Entry &entry, func::FuncOp declaration,
                           jit::codegen::LinkedCode &code) {
  auto find = [&](const std::string &name) -> llvm::Expected<jit_entry_fn> {
    auto address = code.lookup(name);
    if (!address)
      return address.takeError();
    return address->toPtr<jit_entry_fn>();
  };
  auto run = find(entry.name);
  if (!run)
    return run.takeError();
  entry.run = *run;
  entry.arenaBytes = declaration->getAttrOfType<IntegerAttr>(arenaAttr).getInt();
  auto packed = declaration->getAttrOfType<DenseI64ArrayAttr>(packedAttr).asArrayRef();
  entry.packedBytes.assign(packed.begin(), packed.end());
  auto initArena = declaration->getAttrOfType<IntegerAttr>(initArenaAttr);
  if (!initArena)
    return llvm::Error::success();
  auto init = find(entry.name + ".init");
  if (!init)
    return init.takeError();
  entry.init = *init;
  entry.initArenaBytes = initArena.getInt();
  return llvm::Error::success();
}

/// The functions of the user's own operators that the context has.
static SmallVector<jit::codegen::NamedFunction> operatorsOf(MLIRContext *context) {
  return llvm::map_to_vector(
      jit::CustomOperators::of(context).all(), [](const jit::CustomOperator &op) {
        return jit::codegen::NamedFunction(op.symbol, llvm::orc::ExecutorAddr::fromPtr(op.compute));
      });
}

llvm::Expected<std::shared_ptr<jit::runtime::Artifact>>
CpuTarget::load(const jit::codegen::CodeImage &image) const {
  ModuleOp declarations = *image.entries;
  FailureOr<std::vector<jit::runtime::Entry>> entries = jit::codegen::describeEntries(declarations);
  if (failed(entries))
    return llvm::createStringError("expected entries on tensors and numbers");
  auto code = jit::codegen::linkMachineCode(image.objects, operatorsOf(declarations.getContext()));
  if (!code)
    return code.takeError();
  auto artifact = std::make_shared<jit::runtime::Artifact>();
  for (jit::runtime::Entry &entry : *entries) {
    auto declaration = declarations.lookupSymbol<func::FuncOp>(entry.name);
    if (llvm::Error error = resolve(entry, declaration, **code))
      return error;
  }
  artifact->entries = std::move(*entries);
  artifact->code = std::move(*code);
  return artifact;
}

std::unique_ptr<jit::codegen::OptimiseLater>
CpuTarget::optimiseLater(jit::runtime::Artifact &artifact, jit::codegen::CodeImage image) const {
  if (image.baseline.empty())
    return nullptr;
  auto operators = operatorsOf(image.entries->getContext());
  return jit::codegen::optimiseLater(artifact, std::move(image), operators);
}

/// Operations on tensors and scalars of a program that is worth threads. They take memory that a
/// process may lack, and on them that would be its end.
static constexpr int64_t manyOps = 400;

static bool isLarge(ModuleOp module) {
  int64_t count = 0;
  module.walk([&](Operation *) { ++count; });
  return count > manyOps;
}

namespace {
/// While it lives, passes on functions run on several at a time: those that were outlined, and what
/// runs once beside what runs in each call. At other times MLIR's tables need no locks.
class SideBySide {
public:
  explicit SideBySide(MLIRContext *context)
      : context(context), was(context->isMultithreadingEnabled()) {
    context->enableMultithreading();
  }
  ~SideBySide() { context->enableMultithreading(was); }

private:
  MLIRContext *context;
  bool was;
};
} // namespace

LogicalResult CpuTarget::lower(ModuleOp module, const jit::codegen::CodegenOptions &options) const {
  PassManager pm(module.getContext());
  if (!options.bundle.empty())
    pm.enableCrashReproducerGeneration(options.bundle);
  if (options.timing)
    pm.enableTiming(*options.timing);
  pm.enableVerifier(options.verify);
  addLoweringPasses(pm, options);
  return pm.run(module);
}

/// A crash on another thread than this one would leave no bundle.
static LogicalResult compile(ModuleOp module, const jit::codegen::CodegenOptions &options,
                             jit::codegen::CodeImage &image) {
  PassManager pm(module.getContext());
  bool isBundled = !options.bundle.empty();
  if (isBundled)
    pm.enableCrashReproducerGeneration(options.bundle);
  pm.enableVerifier(options.verify);
  pm.addPass(jit::codegen::createEmitMachineCode(options.machine, /*threads=*/isBundled ? 1 : 0,
                                                 options.tier, options.timing, image.objects,
                                                 options.image ? &image.baseline : nullptr));
  return pm.run(module);
}

FailureOr<std::shared_ptr<jit::runtime::Artifact>>
CpuTarget::emit(ModuleOp module, const jit::codegen::CodegenOptions &options) const {
  if (failed(jit::codegen::markInPlaceResults(module)) ||
      failed(jit::codegen::describeEntries(module)))
    return failure();
  jit::codegen::CodeImage image{jit::declarationsOf(module), {}, {}};
  std::optional<SideBySide> sideBySide;
  // A crash on another thread than this one would leave no bundle.
  if (options.bundle.empty() && isLarge(module))
    sideBySide.emplace(module.getContext());
  if (failed(lower(module, options)))
    return failure();
  noteMemory(*image.entries, module);
  if (failed(compile(module, options, image)))
    return failure();
  auto artifact = load(image);
  if (!artifact)
    return module.emitError() << "code generation failed: " << llvm::toString(artifact.takeError());
  if (options.image)
    *options.image = std::move(image);
  return std::move(*artifact);
}

const jit::codegen::Target &jit::codegen::cpuTarget() {
  static const CpuTarget target;
  return target;
}
