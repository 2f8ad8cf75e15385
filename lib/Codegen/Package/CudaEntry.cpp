//===- CudaEntry.cpp - entries of a package that run on a GPU -------------===//
#include "jit/Codegen/Package.h"

using namespace llvm;
using namespace jit;
using namespace jit::package;

FailureOr<CompiledEntry> jit::package::compileForCuda(mlir::ModuleOp module,
                                                      const CodegenOptions &options) {
  FailureOr<std::shared_ptr<Artifact>> artifact = findTarget("cuda")->emit(module, options);
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
