//===- CudaDriver.h - the CUDA driver, found at run time ---------*- C++ -*-===//
//
// The few functions that are needed, declared here: building needs no CUDA, and a machine without
// it gets an error in words instead of a program that does not start.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_RUNTIME_CUDADRIVER_H
#define JIT_LIB_RUNTIME_CUDADRIVER_H

#include "jit/Result.h"

#include <cstddef>
#include <cstdint>

namespace jit::runtime {

using CudaResult = int;
using CudaDeviceNumber = int;
using CudaContext = struct CudaContextTag *;
using CudaModule = struct CudaModuleTag *;
using CudaFunction = struct CudaFunctionTag *;
using CudaStream = struct CudaStreamTag *;
using CudaGraph = struct CudaGraphTag *;
/// What the device reads of a map: opaque, made by the driver.
struct alignas(64) CudaTensorMap {
  uint64_t words[16];
};
using CudaGraphExec = struct CudaGraphExecTag *;

/// The driver's entry points, by the names of its documentation.
struct CudaDriver {
  CudaResult (*cuInit)(unsigned flags);
  CudaResult (*cuGetErrorString)(CudaResult error, const char **text);
  CudaResult (*cuDeviceGet)(CudaDeviceNumber *device, int ordinal);
  CudaResult (*cuDeviceGetCount)(int *count);
  CudaResult (*cuDeviceGetAttribute)(int *value, int attribute, CudaDeviceNumber device);
  CudaResult (*cuDevicePrimaryCtxRetain)(CudaContext *context, CudaDeviceNumber device);
  CudaResult (*cuDevicePrimaryCtxRelease)(CudaDeviceNumber device);
  CudaResult (*cuCtxPushCurrent)(CudaContext context);
  CudaResult (*cuCtxPopCurrent)(CudaContext *context);
  CudaResult (*cuCtxSynchronize)();
  CudaResult (*cuModuleLoadDataEx)(CudaModule *module, const void *image, unsigned optionCount,
                                   int *options, void **values);
  CudaResult (*cuModuleUnload)(CudaModule module);
  CudaResult (*cuModuleGetFunction)(CudaFunction *function, CudaModule module, const char *name);
  CudaResult (*cuFuncSetAttribute)(CudaFunction function, int attribute, int value);
  CudaResult (*cuMemAlloc)(uint64_t *address, size_t bytes);
  CudaResult (*cuMemFree)(uint64_t address);
  CudaResult (*cuMemHostAlloc)(void **address, size_t bytes, unsigned flags);
  CudaResult (*cuMemFreeHost)(void *address);
  CudaResult (*cuPointerGetAttribute)(void *value, int attribute, uint64_t address);
  CudaResult (*cuMemcpyHtoDAsync)(uint64_t to, const void *from, size_t bytes, CudaStream stream);
  CudaResult (*cuMemcpyDtoHAsync)(void *to, uint64_t from, size_t bytes, CudaStream stream);
  CudaResult (*cuMemcpyDtoDAsync)(uint64_t to, uint64_t from, size_t bytes, CudaStream stream);
  CudaResult (*cuStreamCreate)(CudaStream *stream, unsigned flags);
  CudaResult (*cuStreamDestroy)(CudaStream stream);
  CudaResult (*cuStreamSynchronize)(CudaStream stream);
  CudaResult (*cuStreamBeginCapture)(CudaStream stream, int mode);
  CudaResult (*cuStreamEndCapture)(CudaStream stream, CudaGraph *graph);
  CudaResult (*cuGraphInstantiateWithFlags)(CudaGraphExec *exec, CudaGraph graph, uint64_t flags);
  CudaResult (*cuGraphLaunch)(CudaGraphExec exec, CudaStream stream);
  CudaResult (*cuGraphExecDestroy)(CudaGraphExec exec);
  CudaResult (*cuGraphDestroy)(CudaGraph graph);
  CudaResult (*cuLaunchKernel)(CudaFunction function, unsigned gridX, unsigned gridY,
                               unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                               unsigned sharedBytes, CudaStream stream, void **arguments,
                               void **extra);
  /// Null where the driver is older than devices that have maps.
  CudaResult (*cuTensorMapEncodeTiled)(CudaTensorMap *map, int type, uint32_t rank, void *address,
                                       const uint64_t *sizes, const uint64_t *strides,
                                       const uint32_t *box, const uint32_t *steps, int interleave,
                                       int swizzle, int promotion, int fill);

  /// The driver of this machine, initialised once. Unsupported where there is none, or no device.
  static Result<const CudaDriver *> get();

  /// What the driver says about a result that is not 0; `what` is what was tried. Memory that is
  /// exhausted is LimitExceeded.
  Error error(CudaResult result, const std::string &what,
              ErrorCode code = ErrorCode::Unsupported) const;
};

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_CUDADRIVER_H
