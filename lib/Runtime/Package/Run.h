/*===- Run.h - a call on its way -------------------------------------*- C -*-===*/
#ifndef JIT_LIB_RUNTIME_PACKAGE_RUN_H
#define JIT_LIB_RUNTIME_PACKAGE_RUN_H

#include "Scratch.h"

typedef struct run {
  jit_buffers buffers; /* first: what the entry gets of it */
  jit_module *module;
  const jit_variant *variant;
  const jit_value *arguments;
  jit_value *results;
  jit_scratch *scratch;
  jit_error *error;
} run;

/* `result` of the buffers: the caller's memory, or new. */
void *jit_place_open(jit_buffers *buffers, int32_t number, const int64_t *open_sizes);
/* Memory for the results of known sizes: the caller's, the module's, or new. */
jit_status jit_place_results(run *r);
/* JIT_UNSUPPORTED where two of the call's tensors share memory. */
jit_status jit_check_apart(run *r);
/* Brings results where they go; nothing can fail any more. */
void jit_deliver_results(run *r);
/* Frees new memory that was not delivered. */
void jit_free_results(run *r);

#endif /* JIT_LIB_RUNTIME_PACKAGE_RUN_H */
