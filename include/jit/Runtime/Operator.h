/*===- Operator.h - calls of a user's own operators ----------------*- C -*-===*\
|*
|* What compiled code calls them by: plain C, as jit/Runtime/Call.h.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_RUNTIME_OPERATOR_H
#define JIT_RUNTIME_OPERATOR_H

#include "jit-c/Operators.h"
#include "jit/Runtime/Call.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls `compute`, the function of the operator `schema`. 0: done; 1: it refused, and *call says
 * so. */
int32_t jit_rt_operator(jit_call *call, jit_compute_fn compute, const char *schema,
                        const char *location, const jit_value *arguments,
                        const jit_tensor *results);

#ifdef __cplusplus
}
#endif

#endif /* JIT_RUNTIME_OPERATOR_H */
