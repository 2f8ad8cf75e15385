//===- PackageTargets.cpp - what packages can be for ----------------------===//
#include "jit/Codegen/Package.h"

using namespace llvm;
using namespace jit;
using namespace jit::codegen;
using namespace jit::package;
using namespace jit::runtime;

static FailureOr<CompiledEntry> compileForCpu(Code &code, mlir::ModuleOp module,
                                              const std::string &symbol,
                                              const CodegenOptions &options,
                                              Code::WeightFn weight) {
  return code.add(module, symbol, options, weight);
}

static FailureOr<CompiledEntry> compileForCuda(Code &, mlir::ModuleOp module, const std::string &,
                                               const CodegenOptions &options, Code::WeightFn) {
  FailureOr<std::shared_ptr<Artifact>> artifact = findTarget("cuda")->emit(module, options);
  if (failed(artifact))
    return failure();
  if ((*artifact)->entries.size() != 1)
    return module.emitError("expected a module with one entry, got ")
           << (*artifact)->entries.size();
  CompiledEntry compiled{(*artifact)->entries.front(), {}, {}, {*artifact}};
  for (const ResultInfo &result : compiled.entry.results)
    if (result.type.isOpen())
      return module.emitError("expected results of known sizes on a GPU, got ")
             << result.type.str();
  if (compiled.entry.plan.hasOpenBuffers())
    return module.emitError("expected buffers of known sizes in a package for a GPU");
  if (compiled.entry.plan.hasLibraryProducts() || compiled.entry.plan.hasLibraryConvolutions())
    return module.emitError("expected kernels of our own in a package for a GPU, got a library's");
  // Weights are read by `init` at the first call; what it packs and the arena are on the device.
  compiled.reads.assign(compiled.entry.arguments.size(), true);
  compiled.entry.packedBytes.clear();
  compiled.entry.arenaBytes = 0;
  return compiled;
}

static constexpr PackageTarget packageTargets[] = {{.name = "cpu",
                                                    .choosesCpus = true,
                                                    .choosesChip = false,
                                                    .hasOpenSizes = true,
                                                    .compile = compileForCpu},
                                                   {.name = "cuda",
                                                    .choosesCpus = false,
                                                    .choosesChip = true,
                                                    .hasOpenSizes = false,
                                                    .compile = compileForCuda}};

const PackageTarget *jit::package::findPackageTarget(StringRef name) {
  const auto *found = llvm::find_if(
      packageTargets, [&](const PackageTarget &target) { return target.name == name; });
  return found == std::end(packageTargets) ? nullptr : found;
}
