//===- VerifyModule.cpp - a check that is never left out ------------------===//
#include "jit/Codegen/Buffers/Passes.h"

#include "mlir/IR/Verifier.h"

namespace jit {
#define GEN_PASS_DEF_VERIFYMODULE
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit

namespace {
struct VerifyModule : jit::impl::VerifyModuleBase<VerifyModule> {
  void runOnOperation() override {
    if (failed(mlir::verify(getOperation())))
      signalPassFailure();
  }
};
} // namespace
