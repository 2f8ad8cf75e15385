/*===- Cuda.h - the CUDA driver, found at the first call ------------*- C -*-===*/
#ifndef JIT_LIB_RUNTIME_PACKAGE_CUDA_H
#define JIT_LIB_RUNTIME_PACKAGE_CUDA_H

#include "Module.h"

/* NOLINTBEGIN(readability-identifier-naming): names of the driver */

/* The driver's entry points, by the names of its documentation. */
typedef struct jit_cuda {
  int (*cuInit)(unsigned flags);
  int (*cuGetErrorString)(int error, const char **text);
  int (*cuDeviceGet)(int *device, int ordinal);
  int (*cuDeviceGetCount)(int *count);
  int (*cuDevicePrimaryCtxRetain)(void **context, int device);
  int (*cuDevicePrimaryCtxRelease)(int device);
  int (*cuCtxPushCurrent)(void *context);
  int (*cuCtxPopCurrent)(void **context);
  int (*cuModuleLoadDataEx)(void **module, const void *image, unsigned count, int *options,
                            void **values);
  int (*cuModuleUnload)(void *module);
  int (*cuModuleGetFunction)(void **function, void *module, const char *name);
  int (*cuFuncSetAttribute)(void *function, int attribute, int value);
  int (*cuMemAlloc)(uint64_t *address, size_t bytes);
  int (*cuMemFree)(uint64_t address);
  int (*cuMemcpyHtoDAsync)(uint64_t to, const void *from, size_t bytes, void *stream);
  int (*cuMemcpyDtoHAsync)(void *to, uint64_t from, size_t bytes, void *stream);
  int (*cuMemcpyDtoDAsync)(uint64_t to, uint64_t from, size_t bytes, void *stream);
  int (*cuStreamCreate)(void **stream, unsigned flags);
  int (*cuStreamDestroy)(void *stream);
  int (*cuStreamSynchronize)(void *stream);
  int (*cuLaunchKernel)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        void *stream, void **arguments, void **extra);
  /* NULL where the driver is older than devices that have maps. */
  int (*cuTensorMapEncodeTiled)(void *map, int type, uint32_t rank, void *address,
                                const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
                                const uint32_t *steps, int interleave, int swizzle, int promotion,
                                int fill);
} jit_cuda;

/* NOLINTEND(readability-identifier-naming) */

/* The driver of this machine; JIT_UNSUPPORTED where it has none, or no device. */
jit_status jit_find_cuda(jit_cuda *cuda, jit_error *error);
/* JIT_OK for 0; else an error in the driver's words. */
jit_status jit_check_cuda(const jit_cuda *cuda, int result, const char *expected,
                          jit_status otherwise, jit_error *error);

#endif /* JIT_LIB_RUNTIME_PACKAGE_CUDA_H */
