//===- BundleTest.cpp - what a stage that crashes leaves behind -----------===//
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "jit/Pipeline/Pipeline.h"
#include "jit/Pipeline/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <unistd.h>

using namespace mlir;

static constexpr const char *program = R"(
func.func @forward(%x: !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32> {
  %y = aten.relu %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  return %y : !jit.tensor<[2],f32>
})";

namespace {

/// Ends the process.
struct CrashPass : PassWrapper<CrashPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CrashPass)

  StringRef getArgument() const override { return "test-crash"; }
  void runOnOperation() override { std::abort(); }
};

} // namespace

static void buildCrash(OpPassManager &pm, const jit::PipelineOptions &) {
  pm.addPass(std::make_unique<CrashPass>());
}

TEST(Bundle, ACrashInAStageIsAFailureAndABundle) {
  DialectRegistry registry;
  jit::registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto module = parseSourceString<ModuleOp>(program, &context);
  ASSERT_TRUE(module);
  std::string path = testing::TempDir() + "jit-bundle-" + std::to_string(getpid()) + ".mlir";
  jit::Stage stage{"crash", buildCrash, [](ModuleOp) { return success(); }};
  jit::CapturedErrors errors(&context);
  EXPECT_TRUE(failed(jit::runStage(stage, *module, {}, /*verify=*/false, nullptr, path)));
  auto bundle = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(bundle));
  llvm::StringRef text = (*bundle)->getBuffer();
  EXPECT_TRUE(text.contains("aten.relu %arg0"));
  EXPECT_TRUE(text.contains("test-crash"));
  EXPECT_TRUE(text.contains("mlir_reproducer"));
  unlink(path.c_str());
}
