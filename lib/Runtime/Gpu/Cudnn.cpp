//===- Cudnn.cpp - NVIDIA's library of convolutions, found at run time ----===//
#include "Cudnn.h"
#include "OpenedLibrary.h"
#include "jit/Runtime/CudaChip.h"

#include <algorithm>
#include <span>

using namespace jit;
using namespace jit::runtime;

//===----------------------------------------------------------------------===//
// Finding it
//===----------------------------------------------------------------------===//

static bool findAll(OpenedLibrary &from, Cudnn &library) {
#define JIT_FIND(name) from.find(#name, library.name)
  return JIT_FIND(cudnnCreate) && JIT_FIND(cudnnDestroy) && JIT_FIND(cudnnSetStream) &&
         JIT_FIND(cudnnCreateTensorDescriptor) && JIT_FIND(cudnnDestroyTensorDescriptor) &&
         JIT_FIND(cudnnSetTensorNdDescriptor) && JIT_FIND(cudnnCreateFilterDescriptor) &&
         JIT_FIND(cudnnDestroyFilterDescriptor) && JIT_FIND(cudnnSetFilterNdDescriptor) &&
         JIT_FIND(cudnnCreateConvolutionDescriptor) &&
         JIT_FIND(cudnnDestroyConvolutionDescriptor) && JIT_FIND(cudnnSetConvolutionNdDescriptor) &&
         JIT_FIND(cudnnSetConvolutionGroupCount) && JIT_FIND(cudnnSetConvolutionMathType) &&
         JIT_FIND(cudnnGetConvolutionForwardAlgorithm_v7) &&
         JIT_FIND(cudnnGetConvolutionForwardWorkspaceSize) && JIT_FIND(cudnnConvolutionForward);
#undef JIT_FIND
}

static Result<const Cudnn *> load() {
  OpenedLibrary found({"libcudnn.so.9", "libcudnn.so.8"});
  if (!found.isOpen())
    return Error{ErrorCode::Unsupported, "expected cuDNN (libcudnn.so.9 or .8) for "
                                         "--gpu-libraries, got none that this process finds"};
  static Cudnn library;
  if (!findAll(found, library))
    return Error{ErrorCode::Unsupported,
                 "expected cuDNN with " + found.missing() + ", got another one"};
  return &library;
}

Result<const Cudnn *> Cudnn::get() {
  static const Result<const Cudnn *> library = load();
  return library;
}

Result<void> jit::runtime::findConvolutionLibrary() {
  if (Result<const Cudnn *> library = Cudnn::get(); !library)
    return library.takeError();
  return {};
}

static Error failed(CudnnStatus status, const char *what) {
  return {ErrorCode::Internal,
          std::string("expected cuDNN ") + what + ", got its status " + std::to_string(status)};
}

//===----------------------------------------------------------------------===//
// Describing a convolution
//===----------------------------------------------------------------------===//

// Of cudnn_graph.h, cudnn_ops.h and cudnn_cnn.h, by their numbers.
static constexpr int typeOfFloats = 0, typeOfHalves = 2, typeOfBrains = 9;
static constexpr int channelsBeforeTaps = 0, crossCorrelation = 1;
static constexpr int defaultMath = 0, tensorCoreMath = 1, exactMath = 3;
static constexpr int algorithms = 8;
static constexpr CudnnStatus notSupported = 3000;

struct LibraryConvolutions::Prepared {
  explicit Prepared(const Cudnn &library) : library(library) {}
  ~Prepared() {
    for (void *tensor : {images, result})
      if (tensor)
        library.cudnnDestroyTensorDescriptor(tensor);
    if (filters)
      library.cudnnDestroyFilterDescriptor(filters);
    if (convolution)
      library.cudnnDestroyConvolutionDescriptor(convolution);
  }
  Prepared(const Prepared &) = delete;
  Prepared &operator=(const Prepared &) = delete;

  CudnnStatus describe(const PlanConvolution &given);
  CudnnStatus describeWindows(const PlanConvolution &given);
  CudnnStatus choose(void *handle);

  const Cudnn &library;
  void *images = nullptr, *filters = nullptr, *convolution = nullptr, *result = nullptr;
  int algorithm = 0;
  size_t workspaceBytes = 0;
};

/// The windows with those in front that the library wants at least: images have two dimensions.
static std::vector<PlanWindow> windowsOf(const PlanConvolution &convolution) {
  std::vector<PlanWindow> windows = convolution.windows;
  while (windows.size() < 2) {
    PlanWindow outer;
    if (!windows.empty()) {
      outer.imageStride = windows[0].image * windows[0].imageStride;
      outer.resultStride = windows[0].places * windows[0].resultStride;
    }
    windows.insert(windows.begin(), outer);
  }
  return windows;
}

static int libraryType(ScalarType type) {
  return type == ScalarType::Float  ? typeOfFloats
         : type == ScalarType::Half ? typeOfHalves
                                    : typeOfBrains;
}

/// Batches, channels, and one size for each window.
static std::vector<int> sizesOf(int64_t first, int64_t second, int64_t PlanWindow::*size,
                                const std::vector<PlanWindow> &windows) {
  std::vector<int> sizes = {int(first), int(second)};
  for (const PlanWindow &window : windows)
    sizes.push_back(int(window.*size));
  return sizes;
}

CudnnStatus LibraryConvolutions::Prepared::describe(const PlanConvolution &given) {
  std::vector<PlanWindow> windows = windowsOf(given);
  int type = libraryType(given.type), rank = int(windows.size()) + 2;
  auto describeTensor = [&](void *&tensor, int64_t channels, const PlanImages &memory,
                            int64_t PlanWindow::*size, int64_t PlanWindow::*stride) {
    CudnnStatus status = library.cudnnCreateTensorDescriptor(&tensor);
    std::vector<int> sizes = sizesOf(given.batches, channels, size, windows);
    std::vector<int> strides = sizesOf(memory.batchStride, memory.channelStride, stride, windows);
    // Those that step over nothing may be 0.
    for (int &number : strides)
      number = std::max(number, 1);
    return status ? status
                  : library.cudnnSetTensorNdDescriptor(tensor, type, rank, sizes.data(),
                                                       strides.data());
  };
  CudnnStatus status = describeTensor(images, given.channels, given.images, &PlanWindow::image,
                                      &PlanWindow::imageStride);
  if (!status)
    status = describeTensor(result, given.filters, given.result, &PlanWindow::places,
                            &PlanWindow::resultStride);
  if (!status)
    status = library.cudnnCreateFilterDescriptor(&filters);
  std::vector<int> sizes =
      sizesOf(given.filters, given.channels / given.groups, &PlanWindow::taps, windows);
  if (!status)
    status =
        library.cudnnSetFilterNdDescriptor(filters, type, channelsBeforeTaps, rank, sizes.data());
  return status ? status : describeWindows(given);
}

CudnnStatus LibraryConvolutions::Prepared::describeWindows(const PlanConvolution &given) {
  std::vector<int> paddings, steps, dilations;
  for (const PlanWindow &window : windowsOf(given)) {
    paddings.push_back(int(window.padding));
    steps.push_back(int(window.step));
    dilations.push_back(int(window.dilation));
  }
  CudnnStatus status = library.cudnnCreateConvolutionDescriptor(&convolution);
  if (!status)
    status = library.cudnnSetConvolutionNdDescriptor(
        convolution, int(paddings.size()), paddings.data(), steps.data(), dilations.data(),
        crossCorrelation, typeOfFloats);
  if (!status)
    status = library.cudnnSetConvolutionGroupCount(convolution, int(given.groups));
  // By default the library rounds f32 to tf32.
  int math = given.type != ScalarType::Float ? tensorCoreMath
             : given.allowsTf32              ? defaultMath
                                             : exactMath;
  return status ? status : library.cudnnSetConvolutionMathType(convolution, math);
}

/// The first of the ways that the library thinks best which gives the same bits each time.
CudnnStatus LibraryConvolutions::Prepared::choose(void *handle) {
  constexpr size_t mostWorkspace = size_t(256) << 20;
  std::array<CudnnChoice, algorithms> choices;
  int found = 0;
  CudnnStatus status = library.cudnnGetConvolutionForwardAlgorithm_v7(
      handle, images, filters, convolution, result, algorithms, &found, choices.data());
  if (status)
    return status;
  for (const CudnnChoice &choice : std::span(choices).first(size_t(found))) {
    if (choice.state || !choice.isDeterministic)
      continue;
    algorithm = choice.algorithm;
    // Of the numbers that were asked for; the choice may be about other ones.
    if (!library.cudnnGetConvolutionForwardWorkspaceSize(handle, images, filters, convolution,
                                                         result, algorithm, &workspaceBytes) &&
        workspaceBytes <= mostWorkspace)
      return 0;
  }
  return notSupported;
}

Result<const LibraryConvolutions::Prepared *>
LibraryConvolutions::prepare(const PlanConvolution &convolution) {
  if (auto found = known.find(convolution); found != known.end())
    return found->second.get();
  auto made = std::make_unique<Prepared>(library);
  CudnnStatus status = made->describe(convolution);
  if (!status)
    status = made->choose(handle);
  if (status)
    return failed(status, "to have a way to convolve");
  return (known[convolution] = std::move(made)).get();
}

//===----------------------------------------------------------------------===//
// Convolving
//===----------------------------------------------------------------------===//

LibraryConvolutions::LibraryConvolutions(const Cudnn &library, void *handle)
    : library(library), handle(handle) {}

LibraryConvolutions::~LibraryConvolutions() {
  known.clear();
  library.cudnnDestroy(handle);
}

Result<std::unique_ptr<LibraryConvolutions>> LibraryConvolutions::create(jit_cuda_stream stream) {
  Result<const Cudnn *> library = Cudnn::get();
  if (!library)
    return library.takeError();
  void *handle = nullptr;
  if (CudnnStatus status = (*library)->cudnnCreate(&handle))
    return failed(status, "to start");
  std::unique_ptr<LibraryConvolutions> made(new LibraryConvolutions(**library, handle));
  if (CudnnStatus status = (*library)->cudnnSetStream(handle, stream))
    return failed(status, "to work in a stream");
  return made;
}

Result<size_t> LibraryConvolutions::workspaceBytes(const PlanConvolution &convolution) {
  Result<const Prepared *> prepared = prepare(convolution);
  if (!prepared)
    return prepared.takeError();
  return (*prepared)->workspaceBytes;
}

Result<void> LibraryConvolutions::convolve(const PlanConvolution &convolution, uint64_t images,
                                           uint64_t filters, uint64_t result, uint64_t workspace) {
  Result<const Prepared *> prepared = prepare(convolution);
  if (!prepared)
    return prepared.takeError();
  const Prepared &way = **prepared;
  float one = 1, before = convolution.adds ? 1 : 0;
  CudnnStatus status = library.cudnnConvolutionForward(
      handle, &one, way.images, reinterpret_cast<const void *>(images), way.filters,
      reinterpret_cast<const void *>(filters), way.convolution, way.algorithm,
      reinterpret_cast<void *>(workspace), way.workspaceBytes, &before, way.result,
      reinterpret_cast<void *>(result));
  if (status)
    return failed(status, "to convolve");
  return {};
}
