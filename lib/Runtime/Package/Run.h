/*===- Run.h - a call on its way -------------------------------------*- C -*-===*/
#ifndef JIT_LIB_RUNTIME_PACKAGE_RUN_H
#define JIT_LIB_RUNTIME_PACKAGE_RUN_H

#include "Scratch.h"

typedef struct run {
  jit_module *module;
  const jit_variant *variant;
  const jit_value *arguments;
  jit_value *results;
  jit_scratch *scratch;
  jit_error *error;
  jit_status refused; /* memory of open sizes, in `error` */
} run;

/* Memory for the results of known sizes: the caller's, the module's, or new. */
jit_status jit_place_results(run *r);
/* JIT_UNSUPPORTED where two of the call's tensors share memory. */
jit_status jit_check_apart(run *r);
/* Brings results where they go; nothing can fail any more. */
void jit_deliver_results(run *r);
/* Frees new memory that was not delivered. */
void jit_free_results(run *r);

#endif /* JIT_LIB_RUNTIME_PACKAGE_RUN_H */
