//===- CudaDriver.cpp - the CUDA driver, found at run time ----------------===//
#include "CudaDriver.h"
#include "OpenedLibrary.h"

using namespace jit;
using namespace jit::runtime;

/// The driver's own number for memory that is exhausted.
static constexpr CudaResult outOfMemory = 2;

/// The names with a number are the present forms of functions whose types once changed.
static bool findAll(OpenedLibrary &library, CudaDriver &driver) {
  return library.find("cuInit", driver.cuInit) &&
         library.find("cuGetErrorString", driver.cuGetErrorString) &&
         library.find("cuDeviceGet", driver.cuDeviceGet) &&
         library.find("cuDeviceGetCount", driver.cuDeviceGetCount) &&
         library.find("cuDeviceGetAttribute", driver.cuDeviceGetAttribute) &&
         library.find("cuDevicePrimaryCtxRetain", driver.cuDevicePrimaryCtxRetain) &&
         library.find("cuDevicePrimaryCtxRelease_v2", driver.cuDevicePrimaryCtxRelease) &&
         library.find("cuCtxPushCurrent_v2", driver.cuCtxPushCurrent) &&
         library.find("cuCtxPopCurrent_v2", driver.cuCtxPopCurrent) &&
         library.find("cuCtxSynchronize", driver.cuCtxSynchronize) &&
         library.find("cuModuleLoadDataEx", driver.cuModuleLoadDataEx) &&
         library.find("cuModuleUnload", driver.cuModuleUnload) &&
         library.find("cuModuleGetFunction", driver.cuModuleGetFunction) &&
         library.find("cuFuncSetAttribute", driver.cuFuncSetAttribute) &&
         library.find("cuMemAlloc_v2", driver.cuMemAlloc) &&
         library.find("cuMemFree_v2", driver.cuMemFree) &&
         library.find("cuMemHostAlloc", driver.cuMemHostAlloc) &&
         library.find("cuMemFreeHost", driver.cuMemFreeHost) &&
         library.find("cuPointerGetAttribute", driver.cuPointerGetAttribute) &&
         library.find("cuMemcpyHtoDAsync_v2", driver.cuMemcpyHtoDAsync) &&
         library.find("cuMemcpyDtoHAsync_v2", driver.cuMemcpyDtoHAsync) &&
         library.find("cuMemcpyDtoDAsync_v2", driver.cuMemcpyDtoDAsync) &&
         library.find("cuStreamCreate", driver.cuStreamCreate) &&
         library.find("cuStreamDestroy_v2", driver.cuStreamDestroy) &&
         library.find("cuStreamSynchronize", driver.cuStreamSynchronize) &&
         library.find("cuStreamBeginCapture_v2", driver.cuStreamBeginCapture) &&
         library.find("cuStreamEndCapture", driver.cuStreamEndCapture) &&
         library.find("cuGraphInstantiateWithFlags", driver.cuGraphInstantiateWithFlags) &&
         library.find("cuGraphLaunch", driver.cuGraphLaunch) &&
         library.find("cuGraphExecDestroy", driver.cuGraphExecDestroy) &&
         library.find("cuGraphDestroy", driver.cuGraphDestroy) &&
         library.find("cuLaunchKernel", driver.cuLaunchKernel);
}

static Result<const CudaDriver *> load() {
  OpenedLibrary library({"libcuda.so.1"});
  if (!library.isOpen())
    return Error{ErrorCode::Unsupported,
                 "expected a CUDA driver (libcuda.so.1), got none on this machine"};
  static CudaDriver driver;
  if (!findAll(library, driver))
    return Error{ErrorCode::Unsupported,
                 "expected a CUDA driver with " + library.missing() + ", got an older one"};
  (void)library.find("cuTensorMapEncodeTiled", driver.cuTensorMapEncodeTiled);
  if (CudaResult result = driver.cuInit(0))
    return driver.error(result, "a CUDA driver that starts");
  int count = 0;
  if (CudaResult result = driver.cuDeviceGetCount(&count))
    return driver.error(result, "a CUDA driver that lists its devices");
  if (count == 0)
    return Error{ErrorCode::Unsupported, "expected a CUDA device, got none on this machine"};
  return &driver;
}

Result<const CudaDriver *> CudaDriver::get() {
  static const Result<const CudaDriver *> driver = load();
  return driver;
}

Error CudaDriver::error(CudaResult result, const std::string &what, ErrorCode code) const {
  const char *text = nullptr;
  if (cuGetErrorString(result, &text) != 0 || !text)
    text = "an unknown error";
  return Error{result == outOfMemory ? ErrorCode::LimitExceeded : code,
               "expected " + what + ", got CUDA error " + std::to_string(result) + ": " + text};
}
