//===- TypeRulesTest.cpp - what records ask of their operands -------------===//
#include "jit/Dialect/Aten/TypeRules.h"

#include "mlir/IR/Block.h"

#include <gtest/gtest.h>

using namespace jit;

TEST(TypeRules, ADimensionThatATensorDoesNotHaveIsOfNoKnownSize) {
  mlir::MLIRContext context;
  context.loadDialect<JitDialect>();
  auto type =
      TensorType::get(&context, llvm::ArrayRef<int64_t>{2, 3}, mlir::Float32Type::get(&context));
  mlir::Block block;
  TensorInfo tensor(block.addArgument(type, mlir::UnknownLoc::get(&context)));
  EXPECT_EQ(tensor.size(1), 3);
  EXPECT_EQ(tensor.size(-2), 2);
  EXPECT_EQ(tensor.size(2), TensorType::kDynamic);
  EXPECT_EQ(tensor.size(-3), TensorType::kDynamic);
}
