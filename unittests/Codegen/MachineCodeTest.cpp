//===- MachineCodeTest.cpp - what the translation to LLVM IR keeps --------===//
#include "../../lib/Codegen/LLVM/MachineCode.h"
#include "../../lib/Codegen/LLVM/CodeParts.h"

#include "jit/Codegen/Cpu.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace jit;
using namespace jit::codegen;

/// A function that does nothing much, from `address` on.
static std::string functionOf(llvm::StringRef name, llvm::StringRef address) {
  std::string text = ("llvm.func @" + name + "() {\n%p = " + address + " : !llvm.ptr\n").str();
  for (unsigned n = 0; n < 400; ++n)
    text += "%" + std::to_string(n) + " = llvm.load volatile %p : !llvm.ptr -> i64\n";
  return text + "llvm.return\n}\n";
}

TEST(MachineCode, PartsHaveConstantsOfTheirOwn) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::LLVM::LLVMDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "llvm.mlir.global internal constant @some(dense<1> : tensor<4xi64>) : !llvm.array<4 x i64>\n"
      "llvm.mlir.global internal @kept(dense<1> : tensor<4xi64>) : !llvm.array<4 x i64>\n" +
          functionOf("first", "llvm.mlir.addressof @some") +
          functionOf("second", "llvm.mlir.addressof @some") +
          functionOf("third", "llvm.mlir.addressof @kept"),
      &context);
  ASSERT_TRUE(module);
  auto parts = splitCode(*module);
  ASSERT_EQ(parts.size(), 2U);
  for (auto &part : parts)
    EXPECT_TRUE(part->lookupSymbol("some"));
  EXPECT_TRUE(module->lookupSymbol<mlir::LLVM::LLVMFuncOp>("second").isExternal());
  EXPECT_FALSE(module->lookupSymbol<mlir::LLVM::LLVMFuncOp>("third").isExternal());
}

TEST(MachineCode, KeepsMarksOfLoops) {
  mlir::DialectRegistry registry;
  registerCodegen(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::LLVM::LLVMDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    #unroll = #llvm.loop_unroll<disable = true>
    llvm.func @f() {
      llvm.br ^bb1
    ^bb1:
      llvm.br ^bb1 {llvm.loop_annotation = #llvm.loop_annotation<unroll = #unroll>}
    })",
                                                        &context);
  ASSERT_TRUE(module);
  llvm::LLVMContext llvmContext;
  auto code = translate(*module, llvmContext, hostMachine());
  ASSERT_TRUE(bool(code));
  std::string text;
  llvm::raw_string_ostream(text) << **code;
  EXPECT_NE(text.find("llvm.loop.unroll.disable"), std::string::npos) << text;
}
