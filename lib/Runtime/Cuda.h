/*===- Cuda.h - the CUDA driver, found at run time ------------------*- C -*-===*\
|*
|* The functions that are needed, declared here: building needs no CUDA, and a machine without it
|* gets an error in words instead of a program that does not start. Plain C, so that it serves the
|* compiler's process and compiled artifacts alike.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_LIB_RUNTIME_CUDA_H
#define JIT_LIB_RUNTIME_CUDA_H

#include "jit-c/Values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names of the driver */

typedef struct jit_cuda_context_tag *jit_cuda_context;
typedef struct jit_cuda_module_tag *jit_cuda_module;
typedef struct jit_cuda_function_tag *jit_cuda_function;
typedef struct jit_cuda_stream_tag *jit_cuda_stream;
typedef struct jit_cuda_graph_tag *jit_cuda_graph;
typedef struct jit_cuda_graph_exec_tag *jit_cuda_graph_exec;

/* What the device reads of a map: opaque, made by the driver. */
typedef struct jit_cuda_map {
  uint64_t words[16];
} __attribute__((aligned(64))) jit_cuda_map;

/* The driver's entry points, by the names of its documentation; nothing but pointers to functions,
   in the order of the names in Cuda.c. */
typedef struct jit_cuda {
  int (*cuInit)(unsigned flags);
  int (*cuGetErrorString)(int error, const char **text);
  int (*cuDeviceGet)(int *device, int ordinal);
  int (*cuDeviceGetCount)(int *count);
  int (*cuDeviceGetAttribute)(int *value, int attribute, int device);
  int (*cuDevicePrimaryCtxRetain)(jit_cuda_context *context, int device);
  int (*cuDevicePrimaryCtxRelease)(int device);
  int (*cuCtxPushCurrent)(jit_cuda_context context);
  int (*cuCtxPopCurrent)(jit_cuda_context *context);
  int (*cuCtxSynchronize)(void);
  int (*cuModuleLoadDataEx)(jit_cuda_module *module, const void *image, unsigned count,
                            int *options, void **values);
  int (*cuModuleUnload)(jit_cuda_module module);
  int (*cuModuleGetFunction)(jit_cuda_function *function, jit_cuda_module module, const char *name);
  int (*cuFuncSetAttribute)(jit_cuda_function function, int attribute, int value);
  int (*cuMemAlloc)(uint64_t *address, size_t bytes);
  int (*cuMemFree)(uint64_t address);
  int (*cuMemHostAlloc)(void **address, size_t bytes, unsigned flags);
  int (*cuMemFreeHost)(void *address);
  int (*cuPointerGetAttribute)(void *value, int attribute, uint64_t address);
  int (*cuMemcpyHtoDAsync)(uint64_t to, const void *from, size_t bytes, jit_cuda_stream stream);
  int (*cuMemcpyDtoHAsync)(void *to, uint64_t from, size_t bytes, jit_cuda_stream stream);
  int (*cuMemcpyDtoDAsync)(uint64_t to, uint64_t from, size_t bytes, jit_cuda_stream stream);
  int (*cuStreamCreate)(jit_cuda_stream *stream, unsigned flags);
  int (*cuStreamDestroy)(jit_cuda_stream stream);
  int (*cuStreamGetCtx)(jit_cuda_stream stream, jit_cuda_context *context);
  int (*cuStreamSynchronize)(jit_cuda_stream stream);
  int (*cuStreamBeginCapture)(jit_cuda_stream stream, int mode);
  int (*cuStreamEndCapture)(jit_cuda_stream stream, jit_cuda_graph *graph);
  int (*cuGraphInstantiateWithFlags)(jit_cuda_graph_exec *exec, jit_cuda_graph graph,
                                     uint64_t flags);
  int (*cuGraphLaunch)(jit_cuda_graph_exec exec, jit_cuda_stream stream);
  int (*cuGraphExecDestroy)(jit_cuda_graph_exec exec);
  int (*cuGraphDestroy)(jit_cuda_graph graph);
  int (*cuLaunchKernel)(jit_cuda_function function, unsigned grid_x, unsigned grid_y,
                        unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                        unsigned shared_bytes, jit_cuda_stream stream, void **arguments,
                        void **extra);
  int (*cuLaunchCooperativeKernel)(jit_cuda_function function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_bytes, jit_cuda_stream stream,
                                   void **arguments);
  int (*cuOccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, jit_cuda_function function,
                                                     int threads, size_t shared_bytes);
  /* NULL where the driver is older than devices that have maps. */
  int (*cuTensorMapEncodeTiled)(jit_cuda_map *map, int type, uint32_t rank, void *address,
                                const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
                                const uint32_t *steps, int interleave, int swizzle, int promotion,
                                int fill);
} jit_cuda;

/* NOLINTEND(readability-identifier-naming) */

/* The driver of this machine; JIT_UNSUPPORTED where it has none, or no device. */
jit_status jit_find_cuda(jit_cuda *cuda, jit_error *error);
/* JIT_OK for 0; else an error in the driver's words: `expected` is what was tried. Memory that is
   exhausted is JIT_LIMIT_EXCEEDED, all else `otherwise`. */
jit_status jit_check_cuda(const jit_cuda *cuda, int result, const char *expected,
                          jit_status otherwise, jit_error *error);

#ifdef __cplusplus
}
#endif

#endif /* JIT_LIB_RUNTIME_CUDA_H */
