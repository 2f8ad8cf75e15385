//===- Cudnn.h - NVIDIA's library of convolutions, found at run time -*- C++ -*-===//
//
// The few functions that we need, with the types that they have in C. No header of the library's is
// needed, and none of it is linked.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_RUNTIME_GPU_CUDNN_H
#define JIT_LIB_RUNTIME_GPU_CUDNN_H

#include "CudaDriver.h"
#include "jit/Runtime/DevicePlan.h"

#include <array>
#include <map>
#include <memory>

namespace jit::runtime {

/// cudnnStatus_t; 0 is success.
using CudnnStatus = int;

/// cudnnConvolutionFwdAlgoPerf_t: a way to convolve, and what is said of it.
struct CudnnChoice {
  int algorithm = 0;
  CudnnStatus state = 0;
  float time = 0;
  size_t workspaceBytes = 0;
  int isDeterministic = 0;
  int mathType = 0;
  std::array<int, 3> reserved = {};
};

// NOLINTBEGIN(readability-identifier-naming): the library's names
struct Cudnn {
  CudnnStatus (*cudnnCreate)(void **handle);
  CudnnStatus (*cudnnDestroy)(void *handle);
  CudnnStatus (*cudnnSetStream)(void *handle, jit_cuda_stream stream);
  CudnnStatus (*cudnnCreateTensorDescriptor)(void **made);
  CudnnStatus (*cudnnDestroyTensorDescriptor)(void *made);
  CudnnStatus (*cudnnSetTensorNdDescriptor)(void *tensor, int type, int rank, const int *sizes,
                                            const int *strides);
  CudnnStatus (*cudnnCreateFilterDescriptor)(void **made);
  CudnnStatus (*cudnnDestroyFilterDescriptor)(void *made);
  CudnnStatus (*cudnnSetFilterNdDescriptor)(void *filters, int type, int format, int rank,
                                            const int *sizes);
  CudnnStatus (*cudnnCreateConvolutionDescriptor)(void **made);
  CudnnStatus (*cudnnDestroyConvolutionDescriptor)(void *made);
  CudnnStatus (*cudnnSetConvolutionNdDescriptor)(void *convolution, int dimensions,
                                                 const int *paddings, const int *steps,
                                                 const int *dilations, int mode, int computeType);
  CudnnStatus (*cudnnSetConvolutionGroupCount)(void *convolution, int groups);
  CudnnStatus (*cudnnSetConvolutionMathType)(void *convolution, int mathType);
  CudnnStatus (*cudnnGetConvolutionForwardAlgorithm_v7)(void *handle, void *images, void *filters,
                                                        void *convolution, void *result, int wanted,
                                                        int *found, CudnnChoice *choices);
  CudnnStatus (*cudnnGetConvolutionForwardWorkspaceSize)(void *handle, void *images, void *filters,
                                                         void *convolution, void *result,
                                                         int algorithm, size_t *bytes);
  CudnnStatus (*cudnnConvolutionForward)(void *handle, const void *alpha, void *imagesTensor,
                                         const void *images, void *filtersTensor,
                                         const void *filters, void *convolution, int algorithm,
                                         void *workspace, size_t workspaceBytes, const void *beta,
                                         void *resultTensor, void *result);

  /// Of this machine, loaded when first asked for; Unsupported where there is none.
  static Result<const Cudnn *> get();
};
// NOLINTEND(readability-identifier-naming)

/// Convolutions of one stream. The context of the calling thread has to be that of the stream.
class LibraryConvolutions {
public:
  static Result<std::unique_ptr<LibraryConvolutions>> create(jit_cuda_stream stream);
  ~LibraryConvolutions();

  /// How much memory the library needs while it convolves.
  Result<size_t> workspaceBytes(const PlanConvolution &convolution);
  /// `workspace` are so many bytes, aligned to 256.
  Result<void> convolve(const PlanConvolution &convolution, uint64_t images, uint64_t filters,
                        uint64_t result, uint64_t workspace);

private:
  /// What the library wants to know of a convolution, and how it will do it.
  struct Prepared;

  LibraryConvolutions(const Cudnn &library, void *handle);
  Result<const Prepared *> prepare(const PlanConvolution &convolution);

  const Cudnn &library;
  void *handle;
  std::map<PlanConvolution, std::unique_ptr<Prepared>> known;
};

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_CUDNN_H
