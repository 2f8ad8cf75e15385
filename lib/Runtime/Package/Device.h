/*===- Device.h - variants that run on a GPU ------------------------*- C -*-===*/
#ifndef JIT_LIB_RUNTIME_PACKAGE_DEVICE_H
#define JIT_LIB_RUNTIME_PACKAGE_DEVICE_H

#include "Cuda.h"
#include "Run.h"

/* A variant on the device: made at its first call. */
typedef struct jit_loaded {
  void *kernels; /* the driver's module; NULL: it has none */
  void **functions;
  uint64_t *words, *values; /* of a plan; and those that a step sets */
  uint64_t *arguments, *results, *packed;
  uint64_t arena;
  int is_ready;
} jit_loaded;

/* A module's part of the device. Calls take turns on it. */
typedef struct jit_device {
  jit_cuda cuda;
  int number;
  void *context, *stream;
  uint64_t *blobs;    /* by number; 0: not there yet */
  jit_loaded *loaded; /* by variant */
  uint64_t *memory;   /* all that was allocated */
  size_t memory_count;
  jit_error *error; /* of the call at hand */
} jit_device;

/* Does what a plan says with the words of a variant. A guard that fails is JIT_RAISED. */
jit_status jit_run_plan(jit_device *device, const jit_device_code *code, jit_loaded *loaded,
                        const jit_plan *plan);

#endif /* JIT_LIB_RUNTIME_PACKAGE_DEVICE_H */
