//===- ExactCodeTest.cpp - which code's values no optimiser decides -------===//
#include "../../lib/Codegen/LLVM/ExactCode.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace jit::codegen;

/// A function of three floats with this body after makeExact; "choices" where that gives false.
static std::string exact(const std::string &body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::string text = "declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)\n"
                     "declare float @llvm.exp.f32(float)\ndeclare float @expf(float)\n"
                     "declare float @llvm.sqrt.f32(float)\ndeclare void @notify(ptr)\n"
                     "define float @f(float %x, float %y, float %z, <4 x float> %v, ptr %p) {\n" +
                     body + "\n  ret float %r\n}\n";
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  if (!module)
    return error.getMessage().str();
  bool isExact = makeExact(*module);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  std::string printed;
  llvm::raw_string_ostream(printed) << *module->getFunction("f");
  return isExact ? printed : "choices";
}

static bool has(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

TEST(ExactCode, ContractsAProductIntoItsSum) {
  std::string sum = exact("%m = fmul contract float %x, %y\n%r = fadd contract float %z, %m");
  EXPECT_TRUE(has(sum, "@llvm.fmuladd.f32(float %x, float %y, float %z)")) << sum;
  EXPECT_FALSE(has(sum, "contract")) << sum;
  EXPECT_FALSE(has(sum, "fmul ")) << sum;
}

TEST(ExactCode, ContractsDifferences) {
  std::string first = exact("%m = fmul contract float %x, %y\n%r = fsub contract float %m, %z");
  EXPECT_TRUE(has(first, "= fneg float %z")) << first;
  EXPECT_TRUE(has(first, "@llvm.fmuladd.f32(float %x, float %y, float %1)")) << first;
  std::string second = exact("%m = fmul contract float %x, %y\n%r = fsub contract float %z, %m");
  EXPECT_TRUE(has(second, "= fneg float %x")) << second;
  EXPECT_TRUE(has(second, "@llvm.fmuladd.f32(float %1, float %y, float %z)")) << second;
}

TEST(ExactCode, KeepsWhatMayNotBeContracted) {
  std::string strict = exact("%m = fmul float %x, %y\n%r = fadd contract float %z, %m");
  EXPECT_TRUE(has(strict, "fmul float") && has(strict, "fadd float %z, %m")) << strict;
  std::string twice = exact("%m = fmul contract float %x, %y\n%a = fadd contract float %z, %m\n"
                            "%r = fadd contract float %a, %m");
  EXPECT_TRUE(has(twice, "fmul float") && !has(twice, "fmuladd")) << twice;
}

TEST(ExactCode, LeavesASquareInASum) {
  // Both operands of the sum are the product.
  std::string sum = exact("%m = fmul contract float %x, %y\n%r = fadd contract float %m, %m");
  EXPECT_TRUE(has(sum, "fadd float %m, %m")) << sum;
}

TEST(ExactCode, ContractsOneOfTwoProducts) {
  std::string sum = exact("%m = fmul contract float %x, %y\n%n = fmul contract float %z, %y\n"
                          "%r = fadd contract float %m, %n");
  EXPECT_TRUE(has(sum, "fmul float %z, %y") &&
              has(sum, "fmuladd.f32(float %x, float %y, float %n)"))
      << sum;
}

TEST(ExactCode, SeesChoices) {
  EXPECT_EQ(exact("%r = fadd reassoc contract float %x, %y"), "choices");
  EXPECT_EQ(exact("%r = call nsz float @llvm.sqrt.f32(float %x)"), "choices");
  EXPECT_EQ(
      exact("%r = call reassoc float @llvm.vector.reduce.fadd.v4f32(float %x, <4 x float> %v)"),
      "choices");
  EXPECT_EQ(exact("%r = call float @llvm.exp.f32(float %x)"), "choices");
  EXPECT_EQ(exact("%r = call float @expf(float %x)"), "choices");
}

TEST(ExactCode, TakesCallsThatComputeNoFloat) {
  EXPECT_NE(exact("call void @notify(ptr %p)\n%r = call float @llvm.sqrt.f32(float %x)"),
            "choices");
}
