//===- HostConversion.cpp - from loops to the LLVM dialect ----------------===//
#include "HostConversion.h"
#include "Bufferize.h"
#include "jit/Codegen/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"

using namespace mlir;

void jit::addHostConversion(OpPassManager &pm) {
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createLowerGuards());
  // Integer powers whose exponent is not known become functions.
  pm.addPass(createConvertMathToFuncs());
  pm.addPass(createConvertVectorToLLVMPass({.x86Vector = true}));
  pm.addPass(createConvertToLLVM());
  pm.addPass(createMaskHalves());
  addQuickCleanup(pm);
}
