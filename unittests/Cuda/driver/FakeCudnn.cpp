//===- FakeCudnn.cpp - a library of convolutions in a few lines -----------===//
//
// Keeps the library's rules as far as the runtime meets them: two or three dimensions of images,
// strides that are positive, sizes that fit together, a stream that is set, a workspace as large as
// was asked for, and a way to convolve that was offered. Its work is the stream's, so that it can
// be recorded.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <vector>

namespace {
enum Status { Success = 0, BadParameter = 2000, NotSupported = 3000 };

struct Tensor {
  int type = -1;
  std::vector<int> sizes, strides;
};

struct Filters {
  int type = -1;
  std::vector<int> sizes;
};

struct Convolution {
  std::vector<int> paddings, steps, dilations;
  int groups = 1, mathType = -1;
};

struct Choice {
  int algorithm, state;
  float time;
  size_t workspaceBytes;
  int isDeterministic, mathType;
  std::array<int, 3> reserved;
};

/// The way that the runtime has to take: those before it are not to be had or give other bits.
constexpr int goodAlgorithm = 6;
constexpr size_t workspace = 4096;

int handles = 0, objects = 0, choices = 0;
void *setStream = nullptr;
} // namespace

template <typename T> static int make(void **made) {
  ++objects;
  return *made = new T, Success;
}
template <typename T> static int destroy(void *made) {
  --objects;
  delete static_cast<T *>(made);
  return Success;
}

/// Calls `body` for each row of numbers below these sizes.
static void forEach(const std::vector<int> &sizes, std::vector<int> &at,
                    const std::function<void()> &body) {
  if (at.size() == sizes.size())
    return body();
  for (int i = 0; i < sizes[at.size()]; ++i) {
    at.push_back(i);
    forEach(sizes, at, body);
    at.pop_back();
  }
}

/// Whether the sizes fit together and the numbers are those that the runtime convolves.
static bool isValid(const Tensor &images, const Filters &filters, const Convolution &convolution,
                    const Tensor &result) {
  size_t rank = images.sizes.size();
  bool fits = rank == filters.sizes.size() && rank == result.sizes.size() &&
              rank == convolution.steps.size() + 2 && images.type == filters.type &&
              images.type == result.type && convolution.mathType == (images.type == 0 ? 3 : 1) &&
              images.sizes[0] == result.sizes[0] && filters.sizes[0] == result.sizes[1] &&
              images.sizes[1] == filters.sizes[1] * convolution.groups &&
              filters.sizes[0] % convolution.groups == 0;
  for (size_t i = 2; fits && i < rank; ++i) {
    int reach = images.sizes[i] + 2 * convolution.paddings[i - 2] -
                (filters.sizes[i] - 1) * convolution.dilations[i - 2] - 1;
    fits = reach >= 0 && result.sizes[i] == reach / convolution.steps[i - 2] + 1;
  }
  return fits;
}

namespace {
struct Work {
  Tensor images, result;
  Filters filters;
  Convolution convolution;
  const void *from, *by;
  void *to;
  float alpha, beta;

  void run();
  /// Of the filter for the place `at` of the result.
  float sumAt(const std::vector<int> &at);
};
} // namespace

float Work::sumAt(const std::vector<int> &at) {
  int group = at[1] / (filters.sizes[0] / convolution.groups);
  std::vector<int> sizes(filters.sizes.begin() + 1, filters.sizes.end()), tap;
  int64_t number = int64_t(at[1]);
  for (int size : sizes)
    number *= size;
  float sum = 0;
  forEach(sizes, tap, [&] {
    int64_t place =
        int64_t(at[0]) * images.strides[0] + int64_t(group * sizes[0] + tap[0]) * images.strides[1];
    bool isInside = true;
    for (size_t i = 2; i < at.size(); ++i) {
      int pixel = at[i] * convolution.steps[i - 2] + tap[i - 1] * convolution.dilations[i - 2] -
                  convolution.paddings[i - 2];
      isInside &= pixel >= 0 && pixel < images.sizes[i];
      place += int64_t(pixel) * images.strides[i];
    }
    if (isInside)
      sum +=
          fake::readElement(images.type, from, place) * fake::readElement(images.type, by, number);
    ++number;
  });
  return sum;
}

void Work::run() {
  std::vector<int> at;
  forEach(result.sizes, at, [&] {
    int64_t place = 0;
    for (size_t i = 0; i < at.size(); ++i)
      place += int64_t(at[i]) * result.strides[i];
    float before = beta == 0 ? 0 : beta * fake::readElement(result.type, to, place);
    fake::writeElement(result.type, to, place, alpha * sumAt(at) + before);
  });
}

// NOLINTBEGIN(readability-identifier-naming): names of the library
extern "C" {
/// Handles and descriptions that are there still, and how often a way was chosen, for the test.
int fakeCudnnObjects() { return handles + objects; }
int fakeCudnnChoices() { return choices; }

int cudnnCreate(void **handle) {
  ++handles;
  return *handle = &handles, Success;
}
int cudnnDestroy(void *handle) {
  --handles;
  setStream = nullptr;
  return handle == &handles ? Success : BadParameter;
}
int cudnnSetStream(void *, void *stream) { return setStream = stream, Success; }
int cudnnCreateTensorDescriptor(void **made) { return make<Tensor>(made); }
int cudnnDestroyTensorDescriptor(void *made) { return destroy<Tensor>(made); }
int cudnnSetTensorNdDescriptor(void *tensor, int type, int rank, const int *sizes,
                               const int *strides) {
  for (int i = 0; i < rank; ++i)
    if (sizes[i] < 1 || strides[i] < 1)
      return BadParameter;
  *static_cast<Tensor *>(tensor) = {type, {sizes, sizes + rank}, {strides, strides + rank}};
  return (type == 0 || type == 2 || type == 9) && (rank == 4 || rank == 5) ? Success : NotSupported;
}
int cudnnCreateFilterDescriptor(void **made) { return make<Filters>(made); }
int cudnnDestroyFilterDescriptor(void *made) { return destroy<Filters>(made); }
int cudnnSetFilterNdDescriptor(void *filters, int type, int format, int rank, const int *sizes) {
  *static_cast<Filters *>(filters) = {type, {sizes, sizes + rank}};
  return format == 0 ? Success : NotSupported;
}
int cudnnCreateConvolutionDescriptor(void **made) { return make<Convolution>(made); }
int cudnnDestroyConvolutionDescriptor(void *made) { return destroy<Convolution>(made); }
int cudnnSetConvolutionNdDescriptor(void *convolution, int dimensions, const int *paddings,
                                    const int *steps, const int *dilations, int mode,
                                    int computeType) {
  auto &to = *static_cast<Convolution *>(convolution);
  to.paddings.assign(paddings, paddings + dimensions);
  to.steps.assign(steps, steps + dimensions);
  to.dilations.assign(dilations, dilations + dimensions);
  return mode == 1 && computeType == 0 ? Success : NotSupported;
}
int cudnnSetConvolutionGroupCount(void *convolution, int groups) {
  return static_cast<Convolution *>(convolution)->groups = groups, Success;
}
int cudnnSetConvolutionMathType(void *convolution, int mathType) {
  return static_cast<Convolution *>(convolution)->mathType = mathType, Success;
}
/// One way that fails, one that gives other bits each time, one that needs too much memory, and one
/// that is good. None for 13 channels, for the test.
int cudnnGetConvolutionForwardAlgorithm_v7(void *, void *images, void *filters, void *convolution,
                                           void *result, int wanted, int *found, Choice *offered) {
  auto &read = *static_cast<Tensor *>(images);
  if (wanted < 4 ||
      !isValid(read, *static_cast<Filters *>(filters), *static_cast<Convolution *>(convolution),
               *static_cast<Tensor *>(result)))
    return BadParameter;
  ++choices;
  offered[0] = {1, NotSupported, 0, 0, 1, 0, {}};
  offered[1] = {2, Success, 0, 0, 0, 0, {}};
  offered[2] = {4, Success, 0, 0, 1, 0, {}};
  offered[3] = {goodAlgorithm, Success, 0, 0, 1, 0, {}};
  *found = read.sizes[1] == 13 ? 3 : 4;
  return Success;
}
int cudnnGetConvolutionForwardWorkspaceSize(void *, void *, void *, void *, void *, int algorithm,
                                            size_t *bytes) {
  *bytes = algorithm == goodAlgorithm ? workspace : size_t(1) << 40;
  return Success;
}
int cudnnConvolutionForward(void *handle, const void *alpha, void *imagesTensor, const void *images,
                            void *filtersTensor, const void *filters, void *convolution,
                            int algorithm, void *space, size_t bytes, const void *beta,
                            void *resultTensor, void *result) {
  static auto enqueue = reinterpret_cast<void (*)(void *, void (*)(void *), void *)>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fakeCudaEnqueue"));
  if (handle != &handles || !setStream || !space || bytes != workspace ||
      algorithm != goodAlgorithm)
    return BadParameter;
  std::memset(space, -1, bytes);
  // Kept, for what is recorded may be done often.
  static std::vector<std::unique_ptr<Work>> works;
  works.push_back(std::make_unique<Work>(Work{
      *static_cast<Tensor *>(imagesTensor), *static_cast<Tensor *>(resultTensor),
      *static_cast<Filters *>(filtersTensor), *static_cast<Convolution *>(convolution), images,
      filters, result, *static_cast<const float *>(alpha), *static_cast<const float *>(beta)}));
  enqueue(setStream, [](void *work) { static_cast<Work *>(work)->run(); }, works.back().get());
  return Success;
}
}
// NOLINTEND(readability-identifier-naming)
