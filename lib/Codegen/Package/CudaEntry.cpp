//===- CudaEntry.cpp - entries of a package that run on a GPU -------------===//
#include "jit/Codegen/Package.h"
#include "jit/Runtime/CudaChip.h"

using namespace llvm;
using namespace jit;
using namespace jit::package;

/// A package's plan has no maps of tensors, which only kernels for sm_90a take: code for sm_90 runs
/// on the same GPUs.
static CodegenOptions withoutMaps(CodegenOptions options) {
  if (options.chip.empty())
    options.chip = cudaChip();
  if (options.chip == "sm_90a")
    options.chip = "sm_90";
  return options;
}

FailureOr<CompiledEntry> jit::package::compileForCuda(mlir::ModuleOp module,
                                                      const CodegenOptions &options) {
  FailureOr<std::shared_ptr<Artifact>> artifact =
      findTarget("cuda")->emit(module, withoutMaps(options));
  if (failed(artifact))
    return failure();
  if ((*artifact)->entries.size() != 1)
    return module.emitError("expected a module with one entry, got ")
           << (*artifact)->entries.size();
  CompiledEntry compiled{(*artifact)->entries.front(), {}, {}, *artifact};
  for (const ResultInfo &result : compiled.entry.results)
    if (result.type.isOpen())
      return module.emitError("expected results of known sizes on a GPU, got ")
             << result.type.str();
  // Weights are read by `init` at the first call; what it packs and the arena are on the device.
  compiled.reads.assign(compiled.entry.arguments.size(), true);
  compiled.entry.packedBytes.clear();
  compiled.entry.arenaBytes = 0;
  return compiled;
}
