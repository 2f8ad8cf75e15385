//===- TensorTest.cpp - buffers and shapes --------------------------------===//
#include "jit/Runtime/Value.h"

#include <gtest/gtest.h>

using namespace jit;
using namespace jit::runtime;

TEST(Tensor, OwnsAlignedElements) {
  std::vector<float> values = {1, 2, 3, 4, 5, 6};
  auto tensor = Tensor::from<float>(ScalarType::Float, {2, 3}, values);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor->data()) % bufferAlignment, 0u);
  EXPECT_EQ(tensor->numElements(), 6);
  EXPECT_EQ(tensor->as<float>()[5], 6.0f);
  EXPECT_EQ(tensor->typeString(), "f32[2,3]");
}

TEST(Tensor, ViewKeepsItsOwnerAlive) {
  auto owner = std::make_shared<std::vector<int64_t>>(4, 7);
  auto tensor = Tensor::view(ScalarType::Long, {4}, owner->data(), owner);
  ASSERT_TRUE(tensor);
  owner.reset();
  EXPECT_EQ(tensor->as<int64_t>()[3], 7);
}

TEST(Tensor, RefusesImpossibleShapes) {
  auto huge = Tensor::allocate(ScalarType::Float, {int64_t(1) << 40, int64_t(1) << 40});
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().code, ErrorCode::LimitExceeded);
  auto negative = Tensor::allocate(ScalarType::Float, {2, -1});
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().code, ErrorCode::Malformed);
  auto wrongCount = Tensor::from<float>(ScalarType::Float, {3}, std::vector<float>{1, 2});
  EXPECT_FALSE(wrongCount);
}

TEST(Tensor, EmptyShapesHaveMemory) {
  auto tensor = Tensor::allocate(ScalarType::Float, {int64_t(1) << 62, 0, int64_t(1) << 62});
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->numElements(), 0);
  EXPECT_NE(tensor->data(), nullptr);
}

TEST(Tensor, MarksBelongToTheHandle) {
  EXPECT_FALSE(Tensor().defined());
  auto tensor = Tensor::allocate(ScalarType::Float, {2});
  ASSERT_TRUE(tensor);
  EXPECT_TRUE(tensor->defined());
  Tensor before = *tensor;
  tensor->setRequiresGrad(true);
  Tensor after = *tensor;
  EXPECT_FALSE(before.requiresGrad());
  EXPECT_TRUE(after.requiresGrad());
  EXPECT_FALSE(after.clone()->requiresGrad());
}

TEST(Value, NamesItsKind) {
  EXPECT_EQ(Value(Tensor()).kindString(), "undefined tensor");
  EXPECT_EQ(Value().kindString(), "none");
  EXPECT_EQ(Value("text").kindString(), "str");
  EXPECT_EQ(Value(true).kindString(), "bool");
  EXPECT_EQ(Value(Tuple{{Value(1.5), Value(int64_t(2))}}).kindString(), "tuple");
  EXPECT_EQ(Value(*Tensor::allocate(ScalarType::Long, {2})).kindString(), "i64[2]");
}
