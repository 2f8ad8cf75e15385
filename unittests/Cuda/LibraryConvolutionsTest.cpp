//===- LibraryConvolutionsTest.cpp - convolutions by cuDNN ----------------===//
//
// The library is the one of driver/FakeCudnn.cpp. Results are compared with those of the emulated
// device, which has no library.
//
//===----------------------------------------------------------------------===//
#include "WholeNumbers.h"
#include "jit/Runtime/CudaChip.h"
#include "jit/Runtime/Executor.h"

#include <gtest/gtest.h>

#include <dlfcn.h>

using namespace jit;
using namespace jit::runtime;

/// How many elements the buffers of images, filters and the result have.
struct Sizes {
  int64_t images, filters, result;
};

/// result += or = images convolved with filters, as often as `times` says: adding changes it.
static std::shared_ptr<const Artifact>
makeArtifact(const PlanConvolution &convolution, const Sizes &sizes, int times, bool isEmulated) {
  auto code = std::make_shared<DeviceCode>();
  code->ptx = "kernels";
  code->isEmulated = isEmulated;
  auto vector = [&](int64_t size) { return ValueType{true, convolution.type, {size}}; };
  Entry entry{.name = "forward"};
  entry.arguments = {{ArgumentKind::Input, vector(sizes.images), ""},
                     {ArgumentKind::Input, vector(sizes.filters), ""},
                     {ArgumentKind::Input, vector(sizes.result), ""}};
  entry.results = {{vector(sizes.result), ""}};
  entry.arenaBytes = 64;
  entry.plan.words = 5;
  int64_t bytes = sizes.result * elementSize(convolution.type);
  entry.plan.steps = {{CopyStep{{3, 0}, {2, 0}, bytes}}};
  for (int i = 0; i < times; ++i)
    entry.plan.steps.push_back({ConvolutionStep{convolution, {0, 0}, {1, 0}, {3, 0}}});
  auto artifact = std::make_shared<Artifact>();
  artifact->entries.push_back(entry);
  artifact->device = code;
  return artifact;
}

/// Numbers whose sums of products bf16 has exactly.
static Tensor numbers(ScalarType type, int64_t count, int seed) {
  return wholeNumbers(type, count, seed, /*most=*/2);
}

/// The bytes of the result of the last of some calls.
static Result<std::string> convolve(const PlanConvolution &convolution, const Sizes &sizes,
                                    bool isEmulated, int times = 1, int calls = 2) {
  auto source = [](const std::string &name) -> Result<Tensor> {
    return Error{ErrorCode::NotFound, name};
  };
  auto executor = Executor::create(makeArtifact(convolution, sizes, times, isEmulated), "forward",
                                   source, nullptr);
  if (!executor)
    return executor.takeError();
  std::vector<Value> inputs = {numbers(convolution.type, sizes.images, 1),
                               numbers(convolution.type, sizes.filters, 4),
                               numbers(convolution.type, sizes.result, 2)};
  std::string bytes;
  for (int i = 0; i < calls; ++i) {
    auto results = (*executor)->run(inputs);
    if (!results)
      return results.takeError();
    auto *tensor = (*results)[0].getIf<Tensor>();
    bytes.assign(static_cast<const char *>(tensor->data()), size_t(tensor->byteSize()));
  }
  return bytes;
}

static void expectSame(const PlanConvolution &convolution, const Sizes &sizes, int times = 1,
                       int calls = 2) {
  auto expected = convolve(convolution, sizes, /*isEmulated=*/true, times, 1);
  auto got = convolve(convolution, sizes, /*isEmulated=*/false, times, calls);
  ASSERT_TRUE(expected) << expected.error().message;
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(*got, *expected);
}

template <typename Number = int> static Number counted(const char *library, const char *name) {
  auto *opened = dlopen(library, RTLD_NOW);
  auto count = opened ? reinterpret_cast<Number (*)()>(dlsym(opened, name)) : nullptr;
  EXPECT_NE(count, nullptr) << name;
  return count ? count() : Number(-1);
}

/// Two images of 4 channels of 6 by 5, 3 by 2 taps of 6 filters in two groups, in steps of 2 and 1.
static PlanConvolution makeConvolution() {
  PlanConvolution made{.batches = 2, .channels = 4, .filters = 6, .groups = 2};
  made.images = {.batchStride = 120, .channelStride = 30};
  made.result = {.batchStride = 6 * 3 * 4, .channelStride = 3 * 4};
  made.windows = {{.image = 6,
                   .taps = 3,
                   .places = 3,
                   .step = 2,
                   .padding = 1,
                   .imageStride = 5,
                   .resultStride = 4},
                  {.image = 5, .taps = 2, .places = 4, .imageStride = 1, .resultStride = 1}};
  return made;
}
static constexpr Sizes sizes = {240, 6 * 2 * 6, 2 * 6 * 12};

TEST(LibraryConvolutions, AreFound) { EXPECT_TRUE(findConvolutionLibrary()); }

TEST(LibraryConvolutions, OfGroupsInSteps) { expectSame(makeConvolution(), sizes); }

TEST(LibraryConvolutions, OfHalves) {
  PlanConvolution convolution = makeConvolution();
  convolution.type = ScalarType::BFloat16;
  expectSame(convolution, sizes);
}

TEST(LibraryConvolutions, AddToWhatIsThere) {
  PlanConvolution convolution = makeConvolution();
  convolution.adds = true;
  expectSame(convolution, sizes);
}

TEST(LibraryConvolutions, OfOneDimensionWithTapsApart) {
  PlanConvolution convolution{.batches = 2, .channels = 3, .filters = 2};
  convolution.images = {.batchStride = 30, .channelStride = 10};
  convolution.result = {.batchStride = 12, .channelStride = 6};
  convolution.windows = {{.image = 9, .taps = 3, .places = 5, .dilation = 2}};
  expectSame(convolution, {60, 18, 24});
}

TEST(LibraryConvolutions, OfThreeDimensionsChannelsSideBySide) {
  PlanConvolution convolution{.batches = 1, .channels = 2, .filters = 3};
  convolution.images = {.batchStride = 0, .channelStride = 1};
  convolution.result = {.batchStride = 0, .channelStride = 1};
  for (int64_t stride : {9, 3, 1})
    convolution.windows.push_back({.image = 3,
                                   .taps = 2,
                                   .places = 4,
                                   .padding = 1,
                                   .imageStride = 2 * stride,
                                   .resultStride = 3 * (stride == 9   ? 16
                                                        : stride == 3 ? 4
                                                                      : 1)});
  expectSame(convolution, {54, 48, 192});
}

TEST(LibraryConvolutions, ArePreparedOnceAndGivenBack) {
  int before = counted("libcudnn.so.9", "fakeCudnnChoices");
  expectSame(makeConvolution(), sizes, /*times=*/2);
  EXPECT_EQ(counted("libcudnn.so.9", "fakeCudnnChoices"), before + 1);
  EXPECT_EQ(counted("libcudnn.so.9", "fakeCudnnObjects"), 0);
}

TEST(LibraryConvolutions, AreRecorded) {
  size_t before = counted<size_t>("libcuda.so.1", "fakeCudaGraphLaunches");
  PlanConvolution convolution = makeConvolution();
  convolution.adds = true;
  expectSame(convolution, sizes, /*times=*/4, /*calls=*/3);
  EXPECT_EQ(counted<size_t>("libcuda.so.1", "fakeCudaGraphLaunches"), before + 2);
}

TEST(LibraryConvolutions, SayThatThereIsNoWay) {
  PlanConvolution convolution{.batches = 1, .channels = 13, .filters = 1};
  convolution.images = {.batchStride = 130, .channelStride = 10};
  convolution.result = {.batchStride = 8, .channelStride = 8};
  convolution.windows = {{.image = 10, .taps = 3, .places = 8}};
  auto got = convolve(convolution, {130, 39, 8}, /*isEmulated=*/false);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message, "expected cuDNN to have a way to convolve, got its status 3000");
}
