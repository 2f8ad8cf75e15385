//===- CudaDriver.cpp - the CUDA driver, found at run time ----------------===//
#include "CudaDriver.h"

#include <dlfcn.h>

using namespace jit;

/// The driver's own number for memory that is exhausted.
static constexpr CudaResult outOfMemory = 2;

template <typename Function>
static bool find(void *library, const char *name, Function &function, std::string &missing) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (!function)
    missing = name;
  return function != nullptr;
}

/// The names with a number are the present forms of functions whose types once changed.
static bool findAll(void *library, CudaDriver &driver, std::string &missing) {
  return find(library, "cuInit", driver.cuInit, missing) &&
         find(library, "cuGetErrorString", driver.cuGetErrorString, missing) &&
         find(library, "cuDeviceGet", driver.cuDeviceGet, missing) &&
         find(library, "cuDeviceGetCount", driver.cuDeviceGetCount, missing) &&
         find(library, "cuDeviceGetAttribute", driver.cuDeviceGetAttribute, missing) &&
         find(library, "cuDevicePrimaryCtxRetain", driver.cuDevicePrimaryCtxRetain, missing) &&
         find(library, "cuDevicePrimaryCtxRelease_v2", driver.cuDevicePrimaryCtxRelease, missing) &&
         find(library, "cuCtxSetCurrent", driver.cuCtxSetCurrent, missing) &&
         find(library, "cuModuleLoadDataEx", driver.cuModuleLoadDataEx, missing) &&
         find(library, "cuModuleUnload", driver.cuModuleUnload, missing) &&
         find(library, "cuModuleGetFunction", driver.cuModuleGetFunction, missing) &&
         find(library, "cuFuncSetAttribute", driver.cuFuncSetAttribute, missing) &&
         find(library, "cuMemAlloc_v2", driver.cuMemAlloc, missing) &&
         find(library, "cuMemFree_v2", driver.cuMemFree, missing) &&
         find(library, "cuMemHostAlloc", driver.cuMemHostAlloc, missing) &&
         find(library, "cuMemFreeHost", driver.cuMemFreeHost, missing) &&
         find(library, "cuPointerGetAttribute", driver.cuPointerGetAttribute, missing) &&
         find(library, "cuMemcpyHtoDAsync_v2", driver.cuMemcpyHtoDAsync, missing) &&
         find(library, "cuMemcpyDtoHAsync_v2", driver.cuMemcpyDtoHAsync, missing) &&
         find(library, "cuMemcpyDtoDAsync_v2", driver.cuMemcpyDtoDAsync, missing) &&
         find(library, "cuStreamCreate", driver.cuStreamCreate, missing) &&
         find(library, "cuStreamDestroy_v2", driver.cuStreamDestroy, missing) &&
         find(library, "cuStreamSynchronize", driver.cuStreamSynchronize, missing) &&
         find(library, "cuStreamBeginCapture_v2", driver.cuStreamBeginCapture, missing) &&
         find(library, "cuStreamEndCapture", driver.cuStreamEndCapture, missing) &&
         find(library, "cuGraphInstantiateWithFlags", driver.cuGraphInstantiateWithFlags,
              missing) &&
         find(library, "cuGraphLaunch", driver.cuGraphLaunch, missing) &&
         find(library, "cuGraphExecDestroy", driver.cuGraphExecDestroy, missing) &&
         find(library, "cuGraphDestroy", driver.cuGraphDestroy, missing) &&
         find(library, "cuLaunchKernel", driver.cuLaunchKernel, missing);
}

static Result<const CudaDriver *> load() {
  // Never closed: the driver keeps threads of its own.
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Error{ErrorCode::Unsupported,
                 "expected a CUDA driver (libcuda.so.1), got none on this machine"};
  static CudaDriver driver;
  std::string missing;
  if (!findAll(library, driver, missing))
    return Error{ErrorCode::Unsupported,
                 "expected a CUDA driver with " + missing + ", got an older one"};
  (void)find(library, "cuTensorMapEncodeTiled", driver.cuTensorMapEncodeTiled, missing);
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
