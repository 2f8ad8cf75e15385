//===- VerifyModule.cpp - a check that is never left out ------------------===//
#include "jit/Codegen/Buffers/Passes.h"

#include "mlir/IR/Verifier.h"

namespace jit::codegen {
#define GEN_PASS_DEF_VERIFYMODULE
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

namespace {
struct VerifyModule : jit::codegen::impl::VerifyModuleBase<VerifyModule> {
  void runOnOperation() override {
    if (failed(mlir::verify(getOperation())))
      signalPassFailure();
  }
};
} // namespace
