//===- MachineCodeTest.cpp - what the translation to LLVM IR keeps --------===//
#include "../../lib/Codegen/LLVM/MachineCode.h"

#include "jit/Codegen/Cpu.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace jit;
using namespace jit::codegen;

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
