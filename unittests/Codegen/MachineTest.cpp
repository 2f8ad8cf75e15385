//===- MachineTest.cpp - code for a CPU that is only described ------------===//
//
// What is expected is written here in full: a host that had a say in it would be seen.
//
//===----------------------------------------------------------------------===//
#include "../../lib/Codegen/LLVM/MachineCode.h"

#include "jit/Codegen/Cpu.h"

#include "mlir/Parser/Parser.h"

#include "llvm/Object/ObjectFile.h"

#include <gtest/gtest.h>

using namespace jit;
using namespace jit::codegen;

/// The description of `cpu`, which has to be known.
static Machine described(llvm::StringRef cpu, llvm::StringRef features = "") {
  llvm::Expected<Machine> machine = describeMachine(cpu, features);
  if (machine)
    return *machine;
  ADD_FAILURE() << llvm::toString(machine.takeError());
  return {};
}

TEST(Machine, KnowsVectorsByName) {
  EXPECT_EQ(described("x86-64-v2").lanes, 4);
  EXPECT_EQ(described("x86-64-v3").lanes, 8);
  EXPECT_EQ(described("x86-64-v3").registers, 16);
  EXPECT_FALSE(described("x86-64-v3").scalesByPowers);
  EXPECT_EQ(described("x86-64-v4").lanes, 16);
  EXPECT_EQ(described("x86-64-v4").registers, 32);
  EXPECT_FALSE(described("x86-64-v4").multipliesBytes);
  EXPECT_TRUE(described("sapphirerapids").multipliesPairs);
  EXPECT_TRUE(described("sapphirerapids").multipliesBytes);
  EXPECT_EQ(described("neoverse-n1").lanes, 4);
}

TEST(Machine, KnowsCachesByName) {
  EXPECT_EQ(described("x86-64-v3").l1Bytes, 32 * 1024);
  EXPECT_EQ(described("x86-64-v3").l2Bytes, 512 * 1024);
  EXPECT_EQ(described("x86-64-v4").l2Bytes, 1024 * 1024);
  EXPECT_EQ(described("icelake-server").l1Bytes, 48 * 1024);
}

TEST(Machine, FeaturesAreAdded) {
  EXPECT_FALSE(described("x86-64-v2").convertsF16);
  EXPECT_TRUE(described("x86-64-v2", "+f16c").convertsF16);
  EXPECT_EQ(described("x86-64-v4", "-avx512f").lanes, 8);
}

TEST(Machine, RefusesWhatIsNoCpu) {
  for (const char *name : {"", "x86-64-v9", "i386", "sm_90"}) {
    llvm::Expected<Machine> machine = describeMachine(name);
    EXPECT_FALSE(bool(machine)) << name;
    EXPECT_EQ(llvm::toString(machine.takeError()),
              std::string("expected the name of a CPU, such as x86-64-v3, got '") + name + "'");
  }
}

TEST(Machine, TheHostIsOne) {
  EXPECT_FALSE(hostMachine().cpu.empty());
  EXPECT_GE(hostMachine().lanes, 4);
  EXPECT_EQ(hostMachine().text(), CodegenOptions().machine.text());
}

TEST(Machine, KnowsGpusByName) {
  llvm::Expected<GpuMachine> machine = describeGpu("sm_90a");
  ASSERT_TRUE(bool(machine));
  EXPECT_TRUE(machine->hasWarpgroupProducts);
  EXPECT_EQ(llvm::toString(describeGpu("sm_70").takeError()),
            "expected one of the chips sm_80, sm_86, sm_89, sm_90, sm_90a, got 'sm_70'");
}

/// The architecture and the bytes of the code of one small program.
static std::pair<llvm::Triple::ArchType, std::string> compileFor(const Machine &machine) {
  mlir::DialectRegistry registry;
  registerCodegen(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    func.func @forward(%x: tensor<64x96xf32>, %w: tensor<96x80xf32>) -> tensor<64x80xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<64x80xf32>
      %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x80xf32>) -> tensor<64x80xf32>
      %r = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x80xf32>)
          outs(%i : tensor<64x80xf32>) -> tensor<64x80xf32>
      return %r : tensor<64x80xf32>
    })",
                                                        &context);
  CodegenOptions options;
  options.machine = machine;
  mlir::PassManager pm(&context);
  cpuTarget().addLoweringPasses(pm, options);
  EXPECT_TRUE(mlir::succeeded(pm.run(*module)));
  auto objects = compileMachineCode(*module, options.machine);
  EXPECT_TRUE(bool(objects)) << llvm::toString(objects.takeError());
  auto object = llvm::object::ObjectFile::createObjectFile(objects->front()->getMemBufferRef());
  EXPECT_TRUE(bool(object));
  return {(*object)->getArch(), objects->front()->getBuffer().str()};
}

TEST(Machine, CodeIsForAnotherArchitecture) {
  EXPECT_EQ(compileFor(described("neoverse-n1")).first, llvm::Triple::aarch64);
  EXPECT_EQ(compileFor(described("x86-64-v4")).first, llvm::Triple::x86_64);
}

TEST(Machine, CodeFollowsTheDescription) {
  Machine machine = described("x86-64-v4");
  std::string code = compileFor(machine).second;
  EXPECT_EQ(compileFor(machine).second, code);
  machine.lanes = 8;
  EXPECT_NE(compileFor(machine).second, code);
}
