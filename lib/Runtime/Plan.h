/*===- Plan.h - does what a plan says -------------------------------*- C -*-===*\
|*
|* Plain C, so that it serves the compiler's process and compiled artifacts alike.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_LIB_RUNTIME_PLAN_H
#define JIT_LIB_RUNTIME_PLAN_H

#include "Failure.h"
#include "jit/Runtime/Package.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names of C */

/* What a device does of a plan. Anything but JIT_OK ends the call with that. */
typedef struct jit_plan_actions {
  jit_status (*launch)(void *device, int64_t kernel, const uint64_t *arguments, int64_t count,
                       const jit_tensor_map *maps, int64_t map_count);
  jit_status (*copy)(void *device, uint64_t to, uint64_t from, int64_t bytes);
  /* To the host's memory; waits for all that was started. */
  jit_status (*read)(void *device, void *to, uint64_t from, int64_t bytes);
  /* For a guard that has failed. */
  jit_status (*raise)(void *device, const jit_call *call);
  /* Of plans that have such steps. Memory for a result with these open sizes; scratch that is the
     call's until the same piece is asked for again; a library's product or convolution. */
  jit_status (*give_result)(void *device, int64_t result, const int64_t *open_sizes,
                            uint64_t *address);
  jit_status (*give_scratch)(void *device, int64_t piece, int64_t bytes, uint64_t *address);
  jit_status (*use_library)(void *device, int64_t number, const uint64_t operands[3]);
} jit_plan_actions;

/* One call of what a plan is for. */
typedef struct jit_plan_call {
  const jit_plan_actions *actions;
  void *device;
  const char *const *texts; /* of guards */
  uint64_t *words;          /* the plan's: the first are set */
  uint64_t *values;         /* room for as many */
  jit_error *error;         /* of the plan itself; may be NULL */
} jit_plan_call;

jit_status jit_run_plan(const jit_plan *plan, const jit_plan_call *call);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* JIT_LIB_RUNTIME_PLAN_H */
