/*===- Call.h - what compiled code and the runtime tell each other -*- C -*-===*\
|*
|* The whole interface of a compiled entry: `int32_t NAME(jit_call *, void *const *args)`. Plain C,
|* so that an embedder needs no C++ and the code generator can rely on the layout.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_RUNTIME_CALL_H
#define JIT_RUNTIME_CALL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most values a failure message can print. */
#define JIT_MAX_FAIL_ARGS 8

typedef enum jit_arg_kind { JIT_ARG_INT = 0, JIT_ARG_FLOAT = 1, JIT_ARG_BOOL = 2 } jit_arg_kind;

/* One value printed in a failure message. */
typedef struct jit_arg {
  int64_t kind;
  union {
    int64_t i;
    double f;
  } value;
} jit_arg;

/* The state of one call. Zero-initialise it, set `pool`, pass it to an entry. The strings belong to
   the compiled code and live as long as it does, or to `refusal`. */
typedef struct jit_call {
  void *pool;               /* a jit_pool, or NULL: run everything on the calling thread */
  int32_t failed;           /* 1 once a guard has failed */
  int32_t count;            /* how many of `args` are set */
  const char *python_class; /* e.g. "builtins.ValueError" */
  const char *message;      /* a template: each "{}" stands for the next of `args` */
  const char *location;     /* "model.py:34", or "" */
  jit_arg args[JIT_MAX_FAIL_ARGS];
  void *buffers; /* a jit_buffers of lib/Runtime, where types leave sizes open */
  void *refusal; /* a jit_error, for the words of a user's own operator that refuses; or NULL */
} jit_call;

/* A compiled entry: 0 = done, 1 = a guard failed and *call says which. */
typedef int32_t (*jit_entry_fn)(jit_call *call, void *const *args);

/* The body of a parallel loop over [begin, end). */
typedef void (*jit_range_fn)(void *closure, int64_t begin, int64_t end);

/* Records a failed guard; the entry then returns 1. Only the first `JIT_MAX_FAIL_ARGS` values are
 * kept. */
void jit_rt_fail(jit_call *call, const char *python_class, const char *message,
                 const char *location, int64_t count, const jit_arg *args);

/* Runs fn over disjoint ranges that cover [0, count), on the call's pool, and returns when all are
 * done. */
void jit_rt_parallel_for(jit_call *call, jit_range_fn fn, void *closure, int64_t count);

/* The memory of result number `result`; `openSizes` are the sizes that its type leaves open, in
 * order. NULL: out of memory, or sizes that no tensor has. */
void *jit_rt_result(jit_call *call, int64_t result, const int64_t *openSizes);

/* At least `bytes` of scratch memory, aligned to 64, until the same piece is asked for again; what
 * an earlier request gave stays readable until the call ends. NULL: out of memory, or less than no
 * bytes, which stands for more than can be counted. */
void *jit_rt_scratch(jit_call *call, int64_t piece, int64_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* JIT_RUNTIME_CALL_H */
