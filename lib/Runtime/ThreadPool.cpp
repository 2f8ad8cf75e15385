//===- ThreadPool.cpp - owns a pool ---------------------------------------===//
#include "jit/Runtime/ThreadPool.h"
#include "Pool.h"

using namespace jit;
using namespace jit::runtime;

ThreadPool::ThreadPool(unsigned threads) : pool(jit_pool_create(threads)) {}

ThreadPool::~ThreadPool() { jit_pool_destroy(pool); }

unsigned ThreadPool::size() const { return pool ? jit_pool_size(pool) : 1; }

void ThreadPool::parallelFor(jit_range_fn fn, void *closure, int64_t count) {
  if (pool)
    jit_pool_for(pool, fn, closure, count);
  else if (count > 0)
    fn(closure, 0, count);
}
