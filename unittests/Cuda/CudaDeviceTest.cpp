//===- CudaDeviceTest.cpp - the calls of the CUDA driver ------------------===//
//
// The driver is the one of driver/FakeCuda.cpp, so that the calls are tested where there is no GPU.
//
//===----------------------------------------------------------------------===//
#include "FakeDevices.h"
#include "jit/Runtime/CallerStream.h"
#include "jit/Runtime/CudaChip.h"

#include <gtest/gtest.h>

#include <thread>

using namespace jit;
using namespace jit::runtime;

TEST(CudaDevice, NamesTheChip) { EXPECT_EQ(cudaChip(), "sm_90a"); }

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
                                     "no kernel image\nline 1: expected '.version', got 'broken'");
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

/// A call that cannot enter the device's context would work in the caller's, or in none.
TEST(CudaDevice, WorksInItsContextAlone) {
  auto fail = reinterpret_cast<void (*)(const char *, size_t)>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fakeCudaFail"));
  ASSERT_NE(fail, nullptr);
  auto source = [](const std::string &) -> Result<Tensor> { return Error{}; };
  auto executor = Executor::create(makeArtifact("kernels", ""), "forward", source, nullptr);
  ASSERT_TRUE(executor) << executor.error().message;
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<Value> inputs = {*Tensor::from<float>(ScalarType::Float, {4}, x)};
  expectTwice((*executor)->run(inputs));
  fail("cuCtxPushCurrent_v2", 1);
  auto results = (*executor)->run(inputs);
  fail("", 0);
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().code, ErrorCode::Internal);
  EXPECT_EQ(results.error().message, "expected a context to work in, got CUDA error 999: an error");
  expectTwice((*executor)->run(inputs));
}

TEST(CudaDevice, FreesWhatItTook) {
  (void)call(makeArtifact("kernels", ""));
  EXPECT_EQ(counted("fakeCudaAllocations"), 0u);
  EXPECT_EQ(counted("fakeCudaPinned"), 0u);
}

TEST(CudaDevice, CopiesFromAndToMemoryThatStays) {
  size_t copies = counted("fakeCudaHostCopies"), pinned = counted("fakeCudaPinnedCopies");
  auto results = call(makeArtifact("kernels", ""));
  expectTwice(results);
  EXPECT_EQ(counted("fakeCudaHostCopies"), copies + 2);
  EXPECT_EQ(counted("fakeCudaPinnedCopies"), pinned + 2);
  // A result outlives what made it.
  EXPECT_EQ(counted("fakeCudaPinned"), 2u);
}

/// x as it came, which is large.
static std::shared_ptr<const Artifact> makeLargeArtifact(int64_t count) {
  auto artifact = std::make_shared<Artifact>(*makeArtifact("kernels", ""));
  ValueType vector{true, ScalarType::Float, {count}};
  Entry &entry = artifact->entries[0];
  entry.arguments = {{ArgumentKind::Input, vector, ""}};
  entry.results = {{vector, ""}};
  entry.plan.steps = {{CopyStep{{1, 0}, {0, 0}, count * 4}}};
  return artifact;
}

TEST(CudaDevice, TakesNoMoreMemoryThatStaysThanItMay) {
  constexpr int64_t count = int64_t(40) << 20;
  auto source = [](const std::string &name) -> Result<Tensor> {
    return Error{ErrorCode::NotFound, name};
  };
  auto executor = Executor::create(makeLargeArtifact(count), "forward", source, nullptr);
  ASSERT_TRUE(executor) << executor.error().message;
  std::vector<Value> inputs = {*Tensor::allocate(ScalarType::Float, {count})};
  size_t pinned = counted("fakeCudaPinnedCopies");
  // The argument is too large to be staged, the second result for what is left.
  auto first = (*executor)->run(inputs), second = (*executor)->run(inputs);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(counted("fakeCudaPinnedCopies"), pinned + 1);
}

TEST(CudaDevice, DescribesTensorsToTheDriver) {
  auto artifact = std::make_shared<Artifact>(*makeArtifact("kernels", ""));
  auto code = std::make_shared<DeviceCode>(*artifact->device);
  code->kernels = {{.name = "words", .dynamicSharedBytes = 100000}};
  artifact->device = code;
  Entry &entry = artifact->entries[0];
  entry.results = {{{true, ScalarType::Long, {16}}, ""}};
  // An address 32 bytes behind that of x.
  LaunchStep launch{0, {{1, 0}, {0, 32}}};
  launch.maps = {{1, ScalarType::BFloat16, {100, 40, 3}, {208, 8320}, {64, 128, 1}}};
  entry.plan.steps = {{launch}};
  auto results = call(artifact);
  ASSERT_TRUE(results) << results.error().message;
  auto *words = (*results)[0].getIf<Tensor>()->as<int64_t>();
  EXPECT_EQ(words[0] % 16, 0);
  EXPECT_EQ(std::vector<int64_t>(words + 1, words + 11),
            (std::vector<int64_t>{9, 100, 208, 64, 40, 8320, 128, 3, 0, 1}));
  // What the driver refuses, the call says.
  launch.arguments[1].offset = 8;
  entry.plan.steps = {{launch}};
  results = call(artifact);
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message,
            "expected a map of a kernel's argument, got CUDA error 1: an error");
}

TEST(CudaDevice, LaunchesAsManyBlocksSideBySideAsHaveRoom) {
  auto artifact = std::make_shared<Artifact>(*makeArtifact("kernels", ""));
  auto code = std::make_shared<DeviceCode>(*artifact->device);
  code->kernels[0].grid = {5000, 1, 1};
  code->kernels[0].isCooperative = true;
  artifact->device = code;
  Entry &entry = artifact->entries[0];
  // Of no elements, and a copy.
  entry.plan.steps = {{LaunchStep{0, {{2, 0}, {0, 0}, {PlanOperand::none, 0}}}},
                      {CopyStep{{1, 0}, {0, 0}, 16}}};
  auto results = call(artifact);
  ASSERT_TRUE(results) << results.error().message;
  EXPECT_EQ((*results)[0].getIf<Tensor>()->as<float>()[3], 4);
}

/// y = 2 * x by as many launches as the second argument says, x for none.
static std::shared_ptr<const Artifact> makeLoopArtifact() {
  auto artifact = std::make_shared<Artifact>(*makeArtifact("kernels", ""));
  Entry &entry = artifact->entries[0];
  entry.arguments.push_back({ArgumentKind::Input, {false, ScalarType::Long, {}}, ""});
  // Words: x, trips, y, arena, the loop's number.
  entry.plan.words = 5;
  PlanOperand none = {PlanOperand::none, 0}, one = {PlanOperand::none, 1};
  LoopStep loop{4, none, {1, 0}, one, {{LaunchStep{0, {{2, 0}, {0, 0}, {PlanOperand::none, 4}}}}}};
  entry.plan.steps = {{CopyStep{{2, 0}, {0, 0}, 16}}, {loop}};
  return artifact;
}

TEST(CudaDevice, RecordsWhatComesAgain) {
  auto source = [](const std::string &name) -> Result<Tensor> {
    return Error{ErrorCode::NotFound, name};
  };
  auto executor = Executor::create(makeLoopArtifact(), "forward", source, nullptr);
  ASSERT_TRUE(executor) << executor.error().message;
  size_t before = counted("fakeCudaGraphLaunches");
  auto run = [&](float first, int64_t trips) {
    std::vector<float> x = {first, 2, 3, 4};
    std::vector<Value> inputs = {*Tensor::from<float>(ScalarType::Float, {4}, x), trips};
    Result<std::vector<Value>> results = (*executor)->run(inputs);
    EXPECT_TRUE(results) << results.error().message;
    return results ? (*results)[0].getIf<Tensor>()->as<float>()[0] : 0;
  };
  // The first call does what the plan says, the second records it, the third starts the record.
  EXPECT_EQ(run(1, 3), 2);
  EXPECT_EQ(counted("fakeCudaGraphLaunches"), before);
  EXPECT_EQ(run(5, 3), 10);
  EXPECT_EQ(run(6, 3), 12);
  EXPECT_EQ(counted("fakeCudaGraphLaunches"), before + 2);
  EXPECT_EQ(counted("fakeCudaGraphs"), 1u);
  // What would be very long is not recorded.
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run(2, 20000), 4);
  EXPECT_EQ(counted("fakeCudaGraphLaunches"), before + 2);
  // Another number is other work.
  EXPECT_EQ(run(7, 0), 7);
  EXPECT_EQ(counted("fakeCudaGraphLaunches"), before + 2);
  EXPECT_EQ(counted("fakeCudaGraphs"), 0u);
}

TEST(CudaDevice, LeavesTheCallersContextAlone) {
  int other = 0;
  Inside inside(&other);
  expectTwice(call(makeArtifact("kernels", "")));
  EXPECT_EQ(Inside::current(), &other);
  EXPECT_FALSE(call(makeArtifact("broken", "")));
  EXPECT_FALSE(call(makeArtifact("kernels", "", "twice", int64_t(1) << 40)));
  EXPECT_EQ(Inside::current(), &other);
  std::thread fresh([] {
    expectTwice(call(makeArtifact("kernels", "")));
    EXPECT_EQ(Inside::current(), nullptr);
  });
  fresh.join();
}

TEST(CudaDevice, AnExecutorWaitsForWhatUsesItsMemory) {
  auto executor = Executor::create(makeArtifact("kernels", ""), "forward", noWeights, nullptr);
  ASSERT_TRUE(executor) << executor.error().message;
  CallerStream scope(fake<void *()>("fakeCudaCallersStream")());
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<Value> inputs = {*Tensor::from<float>(ScalarType::Float, {4}, x)};
  auto results = (*executor)->run(inputs);
  ASSERT_TRUE(results) << results.error().message;
  size_t waits = counted("fakeCudaWaits");
  executor->reset();
  EXPECT_GT(counted("fakeCudaWaits"), waits);
  expectTwice(results);
  // What is given back now may still be read by the caller's stream too.
  waits = counted("fakeCudaWaits");
  *results = {};
  EXPECT_GT(counted("fakeCudaWaits"), waits);
}

TEST(CudaDevice, CallsInTheCallersStreamNeitherWaitNorCopy) {
  auto source = [](const std::string &name) -> Result<Tensor> {
    return Error{ErrorCode::NotFound, name};
  };
  auto executor = Executor::create(makeArtifact("kernels", ""), "forward", source, nullptr);
  ASSERT_TRUE(executor) << executor.error().message;
  CallerStream scope(fake<void *()>("fakeCudaCallersStream")());
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<Value> inputs = {*Tensor::from<float>(ScalarType::Float, {4}, x)};
  // From the host to the device, and on from there.
  auto first = (*executor)->run(inputs);
  ASSERT_TRUE(first) << first.error().message;
  size_t waits = counted("fakeCudaWaits"), copies = counted("fakeCudaHostCopies");
  auto second = (*executor)->run(*first);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(counted("fakeCudaWaits"), waits);
  EXPECT_EQ(counted("fakeCudaHostCopies"), copies);
  fake<void()>("fakeCudaFinish")();
  // The fake device's memory is the host's. Results that are held have memory of their own.
  auto *twice = (*first)[0].getIf<Tensor>()->as<float>();
  auto *again = (*second)[0].getIf<Tensor>()->as<float>();
  EXPECT_EQ(std::vector<float>(twice, twice + 4), (std::vector<float>{2, 4, 6, 4}));
  EXPECT_EQ(std::vector<float>(again, again + 4), (std::vector<float>{4, 8, 12, 4}));
  // What was given back serves again.
  second = std::vector<Value>();
  second = (*executor)->run(inputs);
  ASSERT_TRUE(second);
  EXPECT_EQ((*second)[0].getIf<Tensor>()->as<float>(), again);
}

TEST(CudaDevice, ReadsWhatIsOnTheDeviceInCallsOfItsOwn) {
  auto source = [](const std::string &name) -> Result<Tensor> {
    return Error{ErrorCode::NotFound, name};
  };
  auto executor = Executor::create(makeArtifact("kernels", ""), "forward", source, nullptr);
  ASSERT_TRUE(executor) << executor.error().message;
  DeviceMemory memory(32);
  // Once where kernels can read it, once not aligned for that.
  for (uint64_t offset : {0, 4}) {
    auto *x = reinterpret_cast<float *>(memory.address + offset);
    std::iota(x, x + 4, 1.0f);
    std::vector<Value> inputs = {*Tensor::view(ScalarType::Float, {4}, x, nullptr)};
    size_t copies = counted("fakeCudaHostCopies");
    expectTwice((*executor)->run(inputs));
    EXPECT_EQ(counted("fakeCudaHostCopies"), copies + 1);
  }
}

TEST(CudaDevice, RecordsNothingThatIsReadOnTheWay) {
  auto artifact = std::make_shared<Artifact>(*makeLoopArtifact());
  artifact->entries[0].plan.steps.push_back({ReadStep{4, {2, 0}, ScalarType::Float}});
  auto source = [](const std::string &name) -> Result<Tensor> {
    return Error{ErrorCode::NotFound, name};
  };
  auto executor = Executor::create(artifact, "forward", source, nullptr);
  ASSERT_TRUE(executor) << executor.error().message;
  size_t before = counted("fakeCudaGraphLaunches");
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<Value> inputs = {*Tensor::from<float>(ScalarType::Float, {4}, x), int64_t(2)};
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE((*executor)->run(inputs));
  EXPECT_EQ(counted("fakeCudaGraphLaunches"), before);
}
