/*===- Run.h - a call on its way -------------------------------------*- C -*-===*/
#ifndef JIT_LIB_RUNTIME_PACKAGE_RUN_H
#define JIT_LIB_RUNTIME_PACKAGE_RUN_H

#include "Scratch.h"

typedef struct run {
  jit_buffers buffers; /* first: what the entry gets of it */
  jit_module *module;
  const jit_method *method;
  const jit_variant *variant;
  const jit_value *arguments;
  jit_value *results;
  const jit_call_options *options; /* of a call in a caller's stream; else NULL */
  jit_scratch *scratch;
  jit_error *error;
} run;

/* `result` of the buffers: the caller's memory, or new. */
void *jit_place_open(jit_buffers *buffers, int32_t number, const int64_t *open_sizes);
/* Memory for the results of known sizes: the caller's, the module's, or new. */
jit_status jit_place_results(run *r);
/* JIT_UNSUPPORTED where two of the call's tensors share memory: where strides are asked for, so may
   be whether two tensors are one. */
jit_status jit_check_apart(run *r);
/* Whether the arguments that the program writes may be written: JIT_INVALID_ARGUMENT for read-only
   memory, JIT_UNSUPPORTED where other tensors or elements share it. */
jit_status jit_check_written(run *r);
/* The first argument that has a tensor in these bytes; -1: none. */
int32_t jit_find_argument(const run *r, const void *data, int64_t bytes);

/* Whether `test` holds for any tensor of arguments that fit their patterns. */
typedef int (*jit_tensor_test)(const jit_pattern *pattern, const jit_value *value,
                               const void *with);
int jit_any_tensor(const jit_pattern *patterns, const jit_value *values, int32_t count,
                   jit_tensor_test test, const void *with);
/* Whether two tensors are parts of one memory. */
int jit_are_parts(const jit_pattern *one, const jit_pattern *other);

/* Whether each bool among the results is what data had to choose. */
int jit_hold(const run *r, const jit_test *tests, int32_t count);

/* Brings results where they go, all of them or, where it fails, none. */
jit_status jit_deliver_results(run *r);
/* Frees new memory that was not delivered. */
void jit_free_results(run *r);

#endif /* JIT_LIB_RUNTIME_PACKAGE_RUN_H */
