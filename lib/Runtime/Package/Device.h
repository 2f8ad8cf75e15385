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
  uint64_t *outputs; /* where the call at hand has them */
  uint64_t arena;
  int is_ready;
} jit_loaded;

/* A module's part of the device. Calls take turns on it. */
typedef struct jit_device {
  jit_cuda cuda;
  jit_cuda_device on;      /* without a context until it is open */
  jit_cuda_stream stream;  /* of calls that are in no caller's; NULL until there is one */
  jit_cuda_stream current; /* of the call at hand, or of the last one */
  int is_busy;             /* a caller's stream, with what the last call began */
  int is_awaited;          /* the call at hand gives the host something */
  uint64_t *blobs;         /* by number; 0: not there yet */
  uint64_t *cells;         /* by side, as the module's; 0: not there yet */
  jit_loaded *loaded;      /* by variant */
  uint64_t *memory;        /* all that was allocated */
  size_t memory_count;
  jit_error *error; /* of the call at hand */
} jit_device;

/* Of the module's device, in whose context they are but for the three that say otherwise. */

/* Opens the device at first, and enters its context. */
jit_status jit_enter_device(jit_module *module, jit_error *error);
/* Outside: waits for what calls have begun, and frees all. */
void jit_close_device(jit_module *module);
/* Outside: brings what the cell holds to the host. */
jit_status jit_fetch_cell(jit_module *module, int32_t cell, jit_error *error);

/* At least one byte; freed with the module. */
jit_status jit_take(jit_device *device, int64_t bytes, uint64_t *address);
jit_status jit_refuse_device_memory(jit_device *device);
/* Constant bytes, brought there once. */
jit_status jit_take_blob(jit_module *module, int32_t number, uint64_t *address);
/* Frees what a variant has that could not be loaded: all memory but the first `taken` pieces. */
void jit_undo_load(jit_module *module, jit_loaded *loaded, size_t taken);

/* Room for a side of a cell; with what it holds; and what it holds from now on. */
jit_status jit_take_cell(jit_module *module, int32_t side, uint64_t *address);
jit_status jit_bring_cell(jit_module *module, int32_t side, uint64_t *address);
jit_status jit_set_cell(jit_module *module, int32_t side, uint64_t from, int64_t bytes);

/* The stream that the next work is for: the caller's, or without options the module's. */
jit_status jit_choose_stream(jit_device *device, const jit_call_options *options);
/* Waits for what is in it. */
jit_status jit_finish(jit_device *device);

#endif /* JIT_LIB_RUNTIME_PACKAGE_DEVICE_H */
