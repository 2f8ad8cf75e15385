/*===- Pool.h - the threads of parallel loops ----------------------*- C -*-===*\
|*
|* Plain C over POSIX threads, so that it serves the compiler's process and compiled artifacts
alike.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_LIB_RUNTIME_POOL_H
#define JIT_LIB_RUNTIME_POOL_H

#include "jit/Runtime/Call.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jit_pool jit_pool;

/* `threads` counts the caller too; 0 means one for each CPU that the process may use. The first
   loop starts them, fewer where the system gives no more; NULL where memory is exhausted. */
jit_pool *jit_pool_create(unsigned threads);
void jit_pool_destroy(jit_pool *pool);
unsigned jit_pool_size(const jit_pool *pool);

/* Runs fn over disjoint ranges covering [0, count); returns when all of them are done. In a child
   of fork() the first call makes threads anew. */
void jit_pool_for(jit_pool *pool, jit_range_fn fn, void *closure, int64_t count);

#ifdef __cplusplus
}
#endif

#endif /* JIT_LIB_RUNTIME_POOL_H */
