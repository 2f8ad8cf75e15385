/*===- CudaContext.h - a CUDA device's memory, kernels and work -----*- C -*-===*\
|*
|* Plain C, so that it serves the compiler's process and compiled artifacts alike.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_LIB_RUNTIME_CUDACONTEXT_H
#define JIT_LIB_RUNTIME_CUDACONTEXT_H

#include "Cuda.h"
#include "jit/Runtime/Package.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names of C */

/* A device with the context that everybody in this process shares. */
typedef struct jit_cuda_device {
  const jit_cuda *cuda;
  int number;
  jit_cuda_context context;
} jit_cuda_device;

/* The device of this number; JIT_UNSUPPORTED where there is none. */
jit_status jit_cuda_open(jit_cuda_device *device, const jit_cuda *cuda, int number,
                         jit_error *error);
/* Of the device of this number: 90 for 9.0. */
jit_status jit_cuda_capability(const jit_cuda *cuda, int number, int *capability, jit_error *error);
void jit_cuda_close(const jit_cuda_device *device);

/* The driver's calls are for the context of the calling thread: it is the device's until `leave`,
   when the caller finds his own again. Where it cannot be entered nothing may be asked of it. */
jit_status jit_cuda_enter(const jit_cuda_device *device, jit_error *error);
void jit_cuda_leave(const jit_cuda_device *device);

/* All that follows is for a thread inside. */

/* At least one byte. */
jit_status jit_cuda_allocate(const jit_cuda_device *device, int64_t bytes, uint64_t *address,
                             jit_error *error);
/* Whether an address is in this device's memory, not the host's; JIT_INVALID_ARGUMENT for another
   device's: what is in flight there this one's streams do not wait for. */
jit_status jit_cuda_holds(const jit_cuda_device *device, const void *data, int *holds,
                          jit_error *error);
/* JIT_INVALID_ARGUMENT for a stream of another device or context. */
jit_status jit_cuda_check_stream(const jit_cuda_device *device, jit_cuda_stream stream,
                                 jit_error *error);
jit_status jit_cuda_create_stream(const jit_cuda_device *device, jit_cuda_stream *stream,
                                  jit_error *error);
/* In the order of the stream; nothing for no bytes. */
jit_status jit_cuda_copy_in(const jit_cuda_device *device, uint64_t to, const void *from,
                            int64_t bytes, jit_cuda_stream stream, jit_error *error);
jit_status jit_cuda_copy_out(const jit_cuda_device *device, void *to, uint64_t from, int64_t bytes,
                             jit_cuda_stream stream, jit_error *error);
jit_status jit_cuda_copy(const jit_cuda_device *device, uint64_t to, uint64_t from, int64_t bytes,
                         jit_cuda_stream stream, jit_error *error);
/* Waits for all that the stream has to do. */
jit_status jit_cuda_finish(const jit_cuda_device *device, jit_cuda_stream stream, jit_error *error);

/* `cubin` is for one kind of GPU, which may be another one than this: then `ptx`, for any from one
   on. Either may be NULL or empty. JIT_UNSUPPORTED with the driver's own log where it takes none.
 */
jit_status jit_cuda_load(const jit_cuda_device *device, const char *cubin, const char *ptx,
                         jit_cuda_module *module, jit_error *error);
/* A kernel of a module, and how many blocks along x run: all, or of a cooperative one those that
   the device has room for. */
typedef struct jit_cuda_kernel {
  jit_cuda_function function;
  unsigned blocks;
} jit_cuda_kernel;
/* JIT_UNSUPPORTED where the device cannot run it. */
jit_status jit_cuda_find_kernel(const jit_cuda_device *device, jit_cuda_module module,
                                const jit_kernel *kernel, jit_cuda_kernel *found, jit_error *error);
/* Starts what was found. `maps` say which of the arguments are addresses of what a map describes.
 */
jit_status jit_cuda_launch(const jit_cuda_device *device, const jit_cuda_kernel *found,
                           const jit_kernel *kernel, const uint64_t *arguments, int64_t count,
                           const jit_tensor_map *maps, int64_t map_count, jit_cuda_stream stream,
                           jit_error *error);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* JIT_LIB_RUNTIME_CUDACONTEXT_H */
