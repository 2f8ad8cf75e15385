//===- OptimizeModuleTest.cpp - what LLVM's optimiser is kept from --------===//
#include "../../lib/Codegen/LLVM/OptimizeModule.h"
#include "../../lib/Codegen/LLVM/MachineCode.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

using namespace jit::codegen;

/// The module of `text` after the optimiser, or its passes for code whose values none may change.
static std::unique_ptr<llvm::Module> optimised(llvm::StringRef text, llvm::LLVMContext &context,
                                               bool isExact = false) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  if (!module)
    return nullptr;
  auto machine = llvm::cantFail(backendFor(hostMachine()).createTargetMachine());
  isExact ? optimizeExact(*module, *machine) : optimizeModule(*module, *machine);
  return module;
}

TEST(OptimizeModule, ExcludesCopiesOfWhatNobodyCalls) {
  llvm::LLVMContext context;
  auto module = optimised(R"(
    define void @helper(ptr %p, i64 %i) noinline {
      store volatile i64 %i, ptr %p
      ret void
    }
    define void @kernel(ptr %p) {
      call void @helper(ptr %p, i64 3)
      call void @helper(ptr %p, i64 4)
      ret void
    })",
                          context);
  ASSERT_TRUE(module);
  EXPECT_TRUE(module->getFunction("kernel")->hasFnAttribute(llvm::Attribute::NoDuplicate));
  EXPECT_FALSE(module->getFunction("helper")->hasFnAttribute(llvm::Attribute::NoDuplicate));
}

/// A loop of three trips with so many accesses.
static std::string loopOf(unsigned accesses) {
  std::string text = "define void @kernel(ptr %p) {\nentry:\n  br label %loop\nloop:\n"
                     "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n";
  for (unsigned n = 0; n < accesses; ++n)
    text += "  store volatile i64 %i, ptr %p\n";
  return text + "  %next = add i64 %i, 1\n  %more = icmp ult i64 %next, 3\n"
                "  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}\n";
}

static size_t storesIn(const llvm::Module &module) {
  size_t stores = 0;
  for (const llvm::BasicBlock &block : *module.getFunction("kernel"))
    stores += llvm::count_if(block, llvm::IsaPred<llvm::StoreInst>);
  return stores;
}

TEST(OptimizeModule, WritesOutSmallLoopsAlone) {
  llvm::LLVMContext context;
  auto small = optimised(loopOf(4), context);
  auto large = optimised(loopOf(76), context);
  ASSERT_TRUE(small && large);
  EXPECT_EQ(storesIn(*small), 12U);
  EXPECT_EQ(storesIn(*large), 76U);
  std::string text;
  llvm::raw_string_ostream(text) << *large;
  EXPECT_NE(text.find("llvm.loop.unroll.disable"), std::string::npos) << text;
}

/// `main`, which stores so many numbers, and what else is in its module.
static std::string listOf(unsigned stores, llvm::StringRef others = "") {
  std::string text = "define void @main(ptr %p) {\n";
  for (unsigned n = 0; n < stores; ++n)
    text += "  store volatile i64 0, ptr %p\n";
  return text + "  ret void\n}\n" + others.str();
}

TEST(OptimizeModule, LeavesLongListsAlone) {
  llvm::LLVMContext context;
  auto some = optimised(listOf(400), context), many = optimised(listOf(2000), context);
  auto mixed = optimised(listOf(2000, "define void @other() {\n  ret void\n}\n"), context);
  ASSERT_TRUE(some && many && mixed);
  EXPECT_FALSE(isTranslatedAsItStands(*some));
  EXPECT_TRUE(isTranslatedAsItStands(*many));
  EXPECT_FALSE(isTranslatedAsItStands(*mixed));
  auto machine = llvm::cantFail(backendFor(hostMachine()).createTargetMachine());
  llvm::SMDiagnostic error;
  auto quick = llvm::parseAssemblyString(listOf(400), error, context);
  ASSERT_TRUE(quick);
  optimizeQuickly(*quick, *machine);
  EXPECT_TRUE(isTranslatedAsItStands(*quick));
}

TEST(OptimizeModule, LeavesVeryLongFunctionsAlone) {
  llvm::LLVMContext context;
  auto large = optimised(loopOf(9000), context), larger = optimised(loopOf(10000), context);
  ASSERT_TRUE(large && larger);
  EXPECT_FALSE(isTranslatedAsItStands(*large));
  EXPECT_TRUE(isTranslatedAsItStands(*larger));
  EXPECT_TRUE(larger->getFunction("kernel")->hasOptNone());
}

//===----------------------------------------------------------------------===//
// Code whose values no pass may change
//===----------------------------------------------------------------------===//

static std::string textOf(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

TEST(OptimizeExact, WritesOutSmallLoopsAlone) {
  llvm::LLVMContext context;
  auto small = optimised(loopOf(4), context, /*isExact=*/true);
  auto large = optimised(loopOf(76), context, /*isExact=*/true);
  ASSERT_TRUE(small && large);
  EXPECT_EQ(storesIn(*small), 12U);
  EXPECT_EQ(storesIn(*large), 76U);
}

TEST(OptimizeExact, MakesScalarLoopsVectors) {
  llvm::LLVMContext context;
  auto module = optimised(R"(
    define void @kernel(ptr noalias %x, ptr noalias %y) {
    entry:
      br label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %next, %loop ]
      %from = getelementptr inbounds float, ptr %x, i64 %i
      %value = load float, ptr %from
      %twice = fadd float %value, %value
      %to = getelementptr inbounds float, ptr %y, i64 %i
      store float %twice, ptr %to
      %next = add nuw nsw i64 %i, 1
      %more = icmp ult i64 %next, 4096
      br i1 %more, label %loop, label %exit
    exit:
      ret void
    })",
                          context, /*isExact=*/true);
  ASSERT_TRUE(module);
  EXPECT_NE(textOf(*module).find("x float>"), std::string::npos) << textOf(*module);
}

TEST(OptimizeExact, NumbersOnTheStackAreRegisters) {
  llvm::LLVMContext context;
  auto module = optimised(R"(
    define void @kernel(ptr %p) {
      %slot = alloca float
      %value = load float, ptr %p
      store float %value, ptr %slot
      %again = load float, ptr %slot
      %twice = fadd float %again, %again
      store float %twice, ptr %p
      ret void
    })",
                          context, /*isExact=*/true);
  ASSERT_TRUE(module);
  EXPECT_EQ(textOf(*module).find("alloca"), std::string::npos) << textOf(*module);
}

TEST(OptimizeExact, HelpersAreInlined) {
  llvm::LLVMContext context;
  auto module = optimised(R"(
    define linkonce_odr i64 @helper(i64 %i) {
      %square = mul i64 %i, %i
      ret i64 %square
    }
    define i64 @kernel(i64 %i) {
      %made = call i64 @helper(i64 %i)
      ret i64 %made
    })",
                          context, /*isExact=*/true);
  ASSERT_TRUE(module);
  EXPECT_EQ(textOf(*module).find("call i64 @helper"), std::string::npos) << textOf(*module);
}
