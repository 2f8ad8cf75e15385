//===- Passes.cpp - the passes that jit-opt offers ------------------------===//

#include "mlir/Transforms/Passes.h"
#include "jit/Lower/Passes.h"
#include "jit/Pipeline/Registration.h"

namespace jit {

void registerPasses() {
  mlir::registerTransformsPasses();
  registerJitLowerPasses();
}

} // namespace jit
