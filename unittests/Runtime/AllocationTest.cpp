//===- AllocationTest.cpp - calls where memory is exhausted ---------------===//
#include "FailingAllocation.h"
#include "jit/Runtime/Executor.h"
#include "jit/Runtime/Npy.h"
#include "jit/Runtime/VariantCache.h"

#include <cstdio>
#include <unistd.h>

using namespace jit;
using namespace jit::runtime;
using namespace jit::test;

namespace {
/// args: x, n, weight, y = f32[n], m, packed, arena. y is x[0], by way of scratch of n floats.
int32_t entryPoint(jit_call *call, void *const *args) {
  int64_t n = *static_cast<int64_t *>(args[1]);
  auto *y = static_cast<float *>(jit_rt_result(call, 0, &n));
  auto *scratch = static_cast<float *>(jit_rt_scratch(call, 1, n * 4));
  if (!y || !scratch) {
    jit_rt_fail(call, "builtins.MemoryError", "out of memory", "", 0, nullptr);
    return 1;
  }
  std::fill_n(scratch, n, *static_cast<float *>(args[0]));
  std::copy_n(scratch, n, y);
  *static_cast<int64_t *>(args[3]) = n;
  return 0;
}

std::shared_ptr<const Artifact> hostArtifact() {
  ValueType vector{true, ScalarType::Float, {4}}, integer{false, ScalarType::Long, {}};
  Entry entry{.name = "forward", .run = entryPoint};
  entry.arguments = {{ArgumentKind::Input, vector, ""},
                     {ArgumentKind::Input, integer, ""},
                     {ArgumentKind::Weight, vector, "a weight of a long name"}};
  entry.results = {{{true, ScalarType::Float, {ValueType::openSize}}, ""}, {integer, ""}};
  entry.packedBytes = {16};
  entry.arenaBytes = 16;
  auto artifact = std::make_shared<Artifact>();
  artifact->entries.push_back(entry);
  return artifact;
}

/// y = x on the emulated device.
std::shared_ptr<const Artifact> deviceArtifact() {
  ValueType vector{true, ScalarType::Float, {4}};
  Entry entry{.name = "forward"};
  entry.arguments = {{ArgumentKind::Input, vector, ""}};
  entry.results = {{vector, ""}};
  entry.arenaBytes = 64;
  entry.plan.words = 3;
  entry.plan.steps = {{CopyStep{{2, 0}, {0, 0}, 16}}, {CopyStep{{1, 0}, {2, 0}, 16}}};
  auto code = std::make_shared<DeviceCode>();
  code->isEmulated = true;
  auto artifact = std::make_shared<Artifact>();
  artifact->entries.push_back(entry);
  artifact->device = code;
  return artifact;
}

Result<Tensor> ones(const std::string &) {
  return Tensor::from<float>(ScalarType::Float, {4}, std::vector<float>(4, 1.0f));
}

/// Runs `make`, which gives a Result, with each of its allocations failing in turn.
template <typename Make> void expectOutOfMemory(const Make &make) {
  ErrorCode code = ErrorCode::Internal;
  auto attempt = [&] {
    auto result = make();
    code = result ? ErrorCode::Internal : result.error().code;
    return bool(result);
  };
  failEachAllocation(
      attempt, [&] { return code == ErrorCode::LimitExceeded; }, [&] { return attempt(); });
}
} // namespace

TEST(RuntimeAllocation, Executors) {
  for (const auto &artifact : {hostArtifact(), deviceArtifact()})
    expectOutOfMemory([&] { return Executor::create(artifact, "forward", ones, nullptr); });
}

TEST(RuntimeAllocation, Calls) {
  auto host = Executor::create(hostArtifact(), "forward", ones, nullptr);
  ASSERT_TRUE(host) << host.error().str();
  std::vector<Value> inputs = {*ones(""), int64_t(3)};
  expectOutOfMemory([&] { return (*host)->run(inputs); });
  // Each time more memory than before.
  inputs[1] = int64_t(10);
  expectOutOfMemory([&] {
    inputs[1] = *inputs[1].getIf<int64_t>() * 2 % 100000;
    return (*host)->run(inputs);
  });
  auto device = Executor::create(deviceArtifact(), "forward", ones, nullptr);
  ASSERT_TRUE(device) << device.error().str();
  inputs.pop_back();
  expectOutOfMemory([&] { return (*device)->run(inputs); });
}

TEST(RuntimeAllocation, Variants) {
  auto encoder = CallKeyEncoder::create({"forward", {{ArgumentType::Kind::Tensor}}});
  ASSERT_TRUE(encoder) << encoder.error().str();
  VariantCache<int> cache({.maxVariants = 2});
  std::vector<Value> arguments = {*ones("")};
  int64_t size = 1;
  expectOutOfMemory([&]() -> Result<void> {
    return orOutOfMemory([&]() -> Result<void> {
      auto tensor = Tensor::allocate(ScalarType::Float, {++size % 5});
      if (!tensor)
        return tensor.takeError();
      arguments[0] = *tensor;
      CallKey key;
      if (auto done = encoder->encode(arguments, {}, key); !done)
        return done;
      auto made = cache.get(
          key.ref(), []() -> Result<std::shared_ptr<int>> { return std::make_shared<int>(3); });
      return made ? Result<void>() : Result<void>(made.takeError());
    });
  });
}

TEST(RuntimeAllocation, Npy) {
  std::string path = testing::TempDir() + "/allocation-" + std::to_string(getpid()) + ".npy";
  Tensor tensor = *ones("");
  expectOutOfMemory([&] { return writeNpy(path, tensor); });
  expectOutOfMemory([&] { return readNpy(path); });
  std::remove(path.c_str());
}
