/*===- Device.h - variants that run on a GPU ------------------------*- C -*-===*/
#ifndef JIT_LIB_RUNTIME_PACKAGE_DEVICE_H
#define JIT_LIB_RUNTIME_PACKAGE_DEVICE_H

#include "../CudaContext.h"
#include "../Plan.h"
#include "Run.h"

/* A variant on the device: made at its first call. */
typedef struct jit_loaded {
  const jit_device_code *code;
  jit_cuda_module kernels; /* NULL: it has none */
  jit_cuda_kernel *found;
  uint64_t *words, *values; /* of a plan; and those that a step sets */
  uint64_t *arguments, *results, *packed;
  uint64_t arena;
  int is_ready;
} jit_loaded;

/* A module's part of the device. Calls take turns on it. */
typedef struct jit_device {
  jit_cuda cuda;
  jit_cuda_device on; /* without a context until it is open */
  jit_cuda_stream stream;
  uint64_t *blobs;    /* by number; 0: not there yet */
  jit_loaded *loaded; /* by variant */
  uint64_t *memory;   /* all that was allocated */
  size_t memory_count;
  jit_error *error; /* of the call at hand */
} jit_device;

#endif /* JIT_LIB_RUNTIME_PACKAGE_DEVICE_H */
