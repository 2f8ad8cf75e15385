//===- CudaDeviceTest.cpp - the calls of the CUDA driver ------------------===//
//
// The driver is the one of driver/FakeCuda.cpp, so that the calls are tested where there is no GPU.
//
//===----------------------------------------------------------------------===//
#include "jit/Runtime/CudaChip.h"
#include "jit/Runtime/Executor.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <thread>

using namespace jit;

/// y = 2 * w, by a kernel that gets the number of elements too.
static std::shared_ptr<const Artifact> makeArtifact(std::string ptx, std::string cubin,
                                                    std::string kernel = "twice",
                                                    int64_t arenaBytes = 64) {
  auto code = std::make_shared<DeviceCode>();
  code->ptx = std::move(ptx);
  code->cubin = std::move(cubin);
  code->kernels = {{.name = std::move(kernel), .block = {4, 1, 1}}};
  ValueType vector{true, ScalarType::Float, {4}};
  Entry entry{.name = "forward"};
  entry.arguments = {{ArgumentKind::Input, vector, ""}};
  entry.results = {{vector, ""}};
  entry.arenaBytes = arenaBytes;
  // Words: x, y, arena. By way of the arena, so that all copies are made.
  entry.plan.words = 3;
  entry.plan.steps = {{LaunchStep{0, {{2, 0}, {0, 0}, {PlanOperand::none, 3}}}},
                      {CopyStep{{1, 0}, {2, 0}, 12}},
                      {CopyStep{{1, 12}, {0, 12}, 4}}};
  auto artifact = std::make_shared<Artifact>();
  artifact->entries.push_back(entry);
  artifact->device = code;
  return artifact;
}

static Result<std::vector<Value>> call(std::shared_ptr<const Artifact> artifact) {
  auto source = [](const std::string &name) -> Result<Tensor> {
    return Error{ErrorCode::NotFound, name};
  };
  auto executor = Executor::create(std::move(artifact), "forward", source, nullptr);
  if (!executor)
    return executor.takeError();
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<Value> inputs = {*Tensor::from<float>(ScalarType::Float, {4}, x)};
  return (*executor)->run(inputs);
}

static void expectTwice(const Result<std::vector<Value>> &results) {
  ASSERT_TRUE(results) << results.error().message;
  auto *y = (*results)[0].getIf<Tensor>();
  EXPECT_EQ(std::vector<float>(y->as<float>(), y->as<float>() + 4),
            (std::vector<float>{2, 4, 6, 4}));
}

TEST(CudaDevice, NamesTheChip) { EXPECT_EQ(cudaChip(), "sm_90"); }

TEST(CudaDevice, LaunchesAndCopies) { expectTwice(call(makeArtifact("kernels", ""))); }

TEST(CudaDevice, PrefersTheCubin) { expectTwice(call(makeArtifact("broken", "kernels"))); }

TEST(CudaDevice, FallsBackToPtx) { expectTwice(call(makeArtifact("kernels", "another chip's"))); }

TEST(CudaDevice, ServesOtherThreads) {
  auto artifact = makeArtifact("kernels", "");
  std::thread other([&] { expectTwice(call(artifact)); });
  other.join();
}

TEST(CudaDevice, SaysWhatTheDriverSaid) {
  auto results = call(makeArtifact("broken", ""));
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(results.error().message, "expected kernels that the driver takes, got CUDA error 209: "
                                     "no kernel image\nline 1: not PTX");
  results = call(makeArtifact("kernels", "", "missing"));
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message,
            "expected a kernel called missing, got CUDA error 500: an error");
  results = call(makeArtifact("kernels", "", "twice", int64_t(1) << 40));
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(results.error().message,
            "expected memory of 1099511628288 bytes on the device, got CUDA "
            "error 2: out of memory");
}

TEST(CudaDevice, FreesWhatItTook) {
  (void)call(makeArtifact("kernels", ""));
  auto count = reinterpret_cast<size_t (*)()>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fakeCudaAllocations"));
  ASSERT_NE(count, nullptr);
  EXPECT_EQ(count(), 0u);
}
