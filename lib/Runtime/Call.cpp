//===- Call.cpp - the functions compiled code calls back ------------------===//
#include "jit/Runtime/Call.h"

#include "jit/Runtime/ThreadPool.h"

#include <algorithm>

extern "C" void jit_rt_fail(jit_call *call, const char *python_class, const char *message,
                            const char *location, int64_t count, const jit_arg *args) {
  if (call->failed)
    return;
  call->failed = 1;
  call->python_class = python_class;
  call->message = message;
  call->location = location;
  call->count = static_cast<int32_t>(std::clamp<int64_t>(count, 0, JIT_MAX_FAIL_ARGS));
  std::copy_n(args, call->count, call->args);
}

extern "C" void jit_rt_parallel_for(jit_call *call, jit_range_fn fn, void *closure, int64_t count) {
  if (auto *pool = static_cast<jit::ThreadPool *>(call->pool))
    pool->parallelFor(fn, closure, count);
  else if (count > 0)
    fn(closure, 0, count);
}
