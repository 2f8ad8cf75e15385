//===- SeveralDevicesTest.cpp - calls on one of two CUDA devices ----------===//
#include "FakeDevices.h"
#include "jit/Runtime/CallerStream.h"
#include "jit/Runtime/CudaChip.h"

using namespace jit;
using namespace jit::runtime;

static size_t allocationsOf(int device) {
  return fake<size_t(int)>("fakeCudaAllocationsOf")(device);
}

TEST(SeveralDevices, HaveChipsOfTheirOwn) {
  EXPECT_EQ(cudaChip(0), "sm_90a");
  EXPECT_EQ(cudaChip(1), "sm_80");
  EXPECT_EQ(cudaChip(2), "");
}

TEST(SeveralDevices, TakeWhatTheirCallsNeed) {
  size_t first = allocationsOf(0), second = allocationsOf(1);
  auto executor = Executor::create(makeArtifact("kernels", ""), "forward", noWeights, nullptr, 1);
  ASSERT_TRUE(executor) << executor.error().message;
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<Value> inputs = {*Tensor::from<float>(ScalarType::Float, {4}, x)};
  expectTwice((*executor)->run(inputs));
  EXPECT_EQ(allocationsOf(0), first);
  EXPECT_GT(allocationsOf(1), second);
  executor->reset();
  EXPECT_EQ(allocationsOf(1), second);
}

TEST(SeveralDevices, WorkBesideEachOther) {
  auto first = Executor::create(makeArtifact("kernels", ""), "forward", noWeights, nullptr, 0);
  auto second = Executor::create(makeArtifact("kernels", ""), "forward", noWeights, nullptr, 1);
  ASSERT_TRUE(first && second);
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<Value> inputs = {*Tensor::from<float>(ScalarType::Float, {4}, x)};
  for (int i = 0; i < 3; ++i) {
    expectTwice((*first)->run(inputs));
    expectTwice((*second)->run(inputs));
  }
}

TEST(SeveralDevices, ThatAreNotThereAreRefused) {
  auto refused = call(makeArtifact("kernels", ""), 2);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(refused.error().message,
            "expected a CUDA device of number 2, got CUDA error 101: an error");
}

static void fill(DeviceMemory &memory, std::vector<Value> &inputs) {
  auto *x = reinterpret_cast<float *>(memory.address);
  std::iota(x, x + 4, 1.0f);
  inputs = {*Tensor::view(ScalarType::Float, {4}, x, nullptr)};
}

TEST(SeveralDevices, ReadTheirOwnMemoryAlone) {
  std::vector<Value> inputs;
  for (int device : {0, 1}) {
    auto executor =
        Executor::create(makeArtifact("kernels", ""), "forward", noWeights, nullptr, device);
    ASSERT_TRUE(executor) << executor.error().message;
    DeviceMemory own(16, device), other(16, 1 - device);
    fill(own, inputs);
    expectTwice((*executor)->run(inputs));
    EXPECT_EQ(cudaDeviceOf(inputs[0].getIf<Tensor>()->data()), device);
    fill(other, inputs);
    EXPECT_EQ(cudaDeviceOf(inputs[0].getIf<Tensor>()->data()), std::nullopt);
    auto refused = (*executor)->run(inputs);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(refused.error().message, "expected memory of the host or of CUDA device " +
                                           std::to_string(device) + ", got memory of device " +
                                           std::to_string(1 - device));
  }
}

TEST(SeveralDevices, WorkInTheirOwnStreamsAlone) {
  auto streamOf = fake<void *(int)>("fakeCudaCallersStreamOf");
  auto executor = Executor::create(makeArtifact("kernels", ""), "forward", noWeights, nullptr, 1);
  ASSERT_TRUE(executor) << executor.error().message;
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<Value> inputs = {*Tensor::from<float>(ScalarType::Float, {4}, x)};
  {
    CallerStream scope(streamOf(0));
    auto refused = (*executor)->run(inputs);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(refused.error().message,
              "expected a stream of CUDA device 1, got one of another device or context");
  }
  CallerStream scope(streamOf(1));
  auto results = (*executor)->run(inputs);
  ASSERT_TRUE(results) << results.error().message;
  EXPECT_EQ(cudaDeviceOf((*results)[0].getIf<Tensor>()->data()), 1);
  fake<void()>("fakeCudaFinish")();
  expectTwice(results);
}
