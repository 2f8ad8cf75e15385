//===- FakeDevices.h - calls of artifacts on the stand-in driver --*- C++ -*-===//
#ifndef JIT_UNITTESTS_CUDA_FAKEDEVICES_H
#define JIT_UNITTESTS_CUDA_FAKEDEVICES_H

#include "jit/Runtime/Executor.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <numeric>

namespace jit::runtime {

/// A function of the fake driver's own.
template <typename Function> Function *fake(const char *name) {
  return reinterpret_cast<Function *>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), name));
}

/// What the fake driver has counted.
inline size_t counted(const char *name) {
  auto count = reinterpret_cast<size_t (*)()>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), name));
  EXPECT_NE(count, nullptr) << name;
  return count ? count() : 0;
}

/// A device's context for the calls that a test makes itself.
struct Inside {
  explicit Inside(int device = 0) {
    void *context = nullptr;
    EXPECT_EQ(fake<int(void **, int)>("cuDevicePrimaryCtxRetain")(&context, device), 0);
    push(context);
  }
  explicit Inside(void *context) { push(context); }
  ~Inside() {
    void *popped = nullptr;
    EXPECT_EQ(fake<int(void **)>("cuCtxPopCurrent_v2")(&popped), 0);
  }
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;

  static void push(void *context) {
    EXPECT_EQ(fake<int(void *)>("cuCtxPushCurrent_v2")(context), 0);
  }
  static void *current() {
    void *at = nullptr;
    EXPECT_EQ(fake<int(void **)>("cuCtxGetCurrent")(&at), 0);
    return at;
  }
};

/// Memory of the driver's that a test takes itself.
struct DeviceMemory {
  explicit DeviceMemory(size_t bytes, int device = 0) : inside(device) {
    EXPECT_EQ(fake<int(uint64_t *, size_t)>("cuMemAlloc_v2")(&address, bytes), 0);
  }
  ~DeviceMemory() { EXPECT_EQ(fake<int(uint64_t)>("cuMemFree_v2")(address), 0); }
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  Inside inside;
  uint64_t address = 0;
};

inline Result<Tensor> noWeights(const std::string &name) {
  return Error{ErrorCode::NotFound, name};
}

/// y = 2 * w, by a kernel that gets the number of elements too.
inline std::shared_ptr<const Artifact> makeArtifact(std::string ptx, std::string cubin,
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

inline Result<std::vector<Value>> call(std::shared_ptr<const Artifact> artifact, int device = 0) {
  auto executor = Executor::create(std::move(artifact), "forward", noWeights, nullptr, device);
  if (!executor)
    return executor.takeError();
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<Value> inputs = {*Tensor::from<float>(ScalarType::Float, {4}, x)};
  return (*executor)->run(inputs);
}

inline void expectTwice(const Result<std::vector<Value>> &results) {
  ASSERT_TRUE(results) << results.error().message;
  auto *y = (*results)[0].getIf<Tensor>();
  EXPECT_EQ(std::vector<float>(y->as<float>(), y->as<float>() + 4),
            (std::vector<float>{2, 4, 6, 4}));
}

} // namespace jit::runtime

#endif // JIT_UNITTESTS_CUDA_FAKEDEVICES_H
