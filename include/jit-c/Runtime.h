/*===- Runtime.h - artifacts by their paths ---------------------------------===*\
|*
|* libjit_runtime: what a program needs that opens artifacts of jit-compile which it was not linked
|* with. Threads: any number of them may use these functions.
|*
\*===------------------------------------------------------------------------===*/
#ifndef JIT_C_RUNTIME_H
#define JIT_C_RUNTIME_H

#include "jit-c/Artifact.h"

#if defined(__GNUC__)
#define JIT_RUNTIME_EXPORT __attribute__((visibility("default")))
#else
#define JIT_RUNTIME_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** A shared object of jit-compile in memory. */
typedef struct jit_library jit_library;

/** JIT_IO where `path` cannot be loaded, JIT_MALFORMED where it is no artifact. Loading runs no
   code of the file but what every shared object may run: load only what you trust. A file that has
   taken the place of one that is open is another artifact; both stay usable. */
JIT_RUNTIME_EXPORT jit_status jit_library_open(const char *path, jit_library **library,
                                               jit_error *error);
/** Its functions; they live as long as the library. */
JIT_RUNTIME_EXPORT const jit_artifact_table *jit_library_table(const jit_library *library);
/** After all of its modules are closed. Takes NULL. */
JIT_RUNTIME_EXPORT void jit_library_close(jit_library *library);

/** Memory of a CUDA device for results of calls in streams (`call_in`). */
typedef struct jit_device_pool jit_device_pool;

/** JIT_UNSUPPORTED where there is no driver or no device of this number. */
JIT_RUNTIME_EXPORT jit_status jit_device_pool_open(size_t device, jit_device_pool **pool,
                                                   jit_error *error);
/** At least a byte, for work of `stream`: what was made for it and has been given back, as then it
    is used behind what came before, else new. JIT_LIMIT_EXCEEDED where the device has no more. */
JIT_RUNTIME_EXPORT jit_status jit_device_pool_take(jit_device_pool *pool, size_t bytes,
                                                   void *stream, void **data, jit_error *error);
/** Takes what `take` gave; also after the pool was closed, which then frees it. Work of other
    streams that uses it must be done. */
JIT_RUNTIME_EXPORT void jit_device_pool_give(jit_device_pool *pool, void *data);
/** Waits for the device and frees what has been given back. Takes NULL. */
JIT_RUNTIME_EXPORT void jit_device_pool_close(jit_device_pool *pool);

#ifdef __cplusplus
}
#endif

#endif /* JIT_C_RUNTIME_H */
