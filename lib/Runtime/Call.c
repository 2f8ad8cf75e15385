/*===- Call.c - the functions compiled code calls back ----------------------===*/
#include "jit/Runtime/Call.h"

#include "Pool.h"

void jit_rt_fail(jit_call *call, const char *python_class, const char *message,
                 const char *location, int64_t count, const jit_arg *args) {
  if (call->failed)
    return;
  call->failed = 1;
  call->python_class = python_class;
  call->message = message;
  call->location = location;
  call->count = (int32_t)(count < 0 ? 0 : count < JIT_MAX_FAIL_ARGS ? count : JIT_MAX_FAIL_ARGS);
  for (int32_t i = 0; i < call->count; ++i)
    call->args[i] = args[i];
}

void jit_rt_parallel_for(jit_call *call, jit_range_fn fn, void *closure, int64_t count) {
  if (call->pool)
    jit_pool_for(call->pool, fn, closure, count);
  else if (count > 0)
    fn(closure, 0, count);
}
