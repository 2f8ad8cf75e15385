/*===- Cuda.c - the CUDA driver, found at run time --------------------------===*/
#include "Cuda.h"

#include "Failure.h"

#include <dlfcn.h>
#include <string.h>

/* The driver's number for memory that is exhausted. */
enum { out_of_memory = 2 };

/* The names with a number are the present forms of functions whose types once changed. */
static const char *const names[] = {"cuInit",
                                    "cuGetErrorString",
                                    "cuDeviceGet",
                                    "cuDeviceGetCount",
                                    "cuDeviceGetAttribute",
                                    "cuDevicePrimaryCtxRetain",
                                    "cuDevicePrimaryCtxRelease_v2",
                                    "cuCtxPushCurrent_v2",
                                    "cuCtxPopCurrent_v2",
                                    "cuCtxSynchronize",
                                    "cuModuleLoadDataEx",
                                    "cuModuleUnload",
                                    "cuModuleGetFunction",
                                    "cuFuncSetAttribute",
                                    "cuMemAlloc_v2",
                                    "cuMemFree_v2",
                                    "cuMemHostAlloc",
                                    "cuMemFreeHost",
                                    "cuPointerGetAttribute",
                                    "cuMemcpyHtoDAsync_v2",
                                    "cuMemcpyDtoHAsync_v2",
                                    "cuMemcpyDtoDAsync_v2",
                                    "cuStreamCreate",
                                    "cuStreamDestroy_v2",
                                    "cuStreamGetCtx",
                                    "cuStreamSynchronize",
                                    "cuStreamBeginCapture_v2",
                                    "cuStreamEndCapture",
                                    "cuGraphInstantiateWithFlags",
                                    "cuGraphLaunch",
                                    "cuGraphExecDestroy",
                                    "cuGraphDestroy",
                                    "cuLaunchKernel",
                                    "cuLaunchCooperativeKernel",
                                    "cuOccupancyMaxActiveBlocksPerMultiprocessor"};
static const char map_name[] = "cuTensorMapEncodeTiled";

_Static_assert(sizeof(jit_cuda) == (sizeof names / sizeof *names + 1) * sizeof(void (*)(void)),
               "a name for each function");

jit_status jit_check_cuda(const jit_cuda *cuda, int result, const char *expected,
                          jit_status otherwise, jit_error *error) {
  if (result == 0)
    return JIT_OK;
  const char *text = NULL;
  if (cuda->cuGetErrorString(result, &text) != 0 || !text)
    text = "an unknown error";
  return jit_fail(error, result == out_of_memory ? JIT_LIMIT_EXCEEDED : otherwise,
                  "expected %s, got CUDA error %d: %s", expected, result, text);
}

jit_status jit_find_cuda(jit_cuda *cuda, jit_error *error) {
  /* Never closed: the driver keeps threads of its own. */
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return jit_fail(error, JIT_UNSUPPORTED,
                    "expected a CUDA driver (libcuda.so.1), got none on this machine");
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    void *function = dlsym(library, names[i]);
    if (!function)
      return jit_fail(error, JIT_UNSUPPORTED, "expected a CUDA driver with %s, got an older one",
                      names[i]);
    memcpy((char *)cuda + i * sizeof function, &function, sizeof function);
  }
  void *encode = dlsym(library, map_name);
  memcpy(&cuda->cuTensorMapEncodeTiled, &encode, sizeof encode);
  jit_status status =
      jit_check_cuda(cuda, cuda->cuInit(0), "a CUDA driver that starts", JIT_UNSUPPORTED, error);
  int count = 0;
  if (status == JIT_OK)
    status = jit_check_cuda(cuda, cuda->cuDeviceGetCount(&count),
                            "a CUDA driver that lists its devices", JIT_UNSUPPORTED, error);
  if (status == JIT_OK && count == 0)
    return jit_fail(error, JIT_UNSUPPORTED, "expected a CUDA device, got none on this machine");
  return status;
}
