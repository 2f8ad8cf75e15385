/*===- Pool.c - fork, claim chunks, join ------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "Pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct jit_pool {
  pthread_t *workers;
  /* How many are wanted beside the caller, and how many there are: none before the first job. */
  unsigned wanted;
  atomic_uint worker_count;
  /* Of the process that the workers are in, 0 where there are none yet: a child of fork() has the
     pool's memory and none of its threads. Below 0 while they are made. */
  _Atomic pid_t owner;
  atomic_bool busy, stopping;
  /* Bumped for every job; sleeping workers wait on it. */
  atomic_uint epoch;
  /* The job's number in the high half, its next free chunk in the low half; a low half of all ones
     means closed. A claim is one compare-and-swap of both, so the job's fields below, read before
     it, belong to the chunk that it claims. */
  _Atomic uint64_t ticket;
  atomic_uint finished, chunks;
  _Atomic(jit_range_fn) fn;
  _Atomic(void *) closure;
  _Atomic int64_t count;
  /* For those who have waited long: workers for a job, the caller for its end. */
  atomic_uint sleepers;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

static const uint64_t closed_mark = 0xffffffffu;

/* How often a waiting thread looks before it sleeps: some tens of microseconds. */
enum { spin_limit = 8000 };

static void pause_cpu(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Waits while *word is `old`. */
static void wait_while(jit_pool *pool, atomic_uint *word, unsigned old) {
  for (int spins = 0; spins < spin_limit; ++spins) {
    if (atomic_load_explicit(word, memory_order_acquire) != old)
      return;
    pause_cpu();
  }
  pthread_mutex_lock(&pool->mutex);
  /* Announced before the last look, which whoever changes the word does in the other order. */
  atomic_fetch_add(&pool->sleepers, 1);
  while (atomic_load(word) == old)
    pthread_cond_wait(&pool->changed, &pool->mutex);
  atomic_fetch_sub(&pool->sleepers, 1);
  pthread_mutex_unlock(&pool->mutex);
}

static void wake(jit_pool *pool) {
  if (atomic_load(&pool->sleepers) == 0)
    return;
  pthread_mutex_lock(&pool->mutex);
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->mutex);
}

static int64_t split(int64_t count, int64_t chunks, int64_t i) {
  return count / chunks * i + (i < count % chunks ? i : count % chunks);
}

/* Runs one chunk; 0 when no job is open or all of its chunks are taken. */
static int run_chunk(jit_pool *pool) {
  uint64_t seen = atomic_load_explicit(&pool->ticket, memory_order_acquire);
  while (1) {
    uint64_t chunk = seen & closed_mark;
    if (chunk == closed_mark)
      return 0;
    jit_range_fn fn = atomic_load_explicit(&pool->fn, memory_order_relaxed);
    void *closure = atomic_load_explicit(&pool->closure, memory_order_relaxed);
    int64_t count = atomic_load_explicit(&pool->count, memory_order_relaxed);
    unsigned chunks = atomic_load_explicit(&pool->chunks, memory_order_relaxed);
    /* Order the reads above before the claim that vouches for them. */
    atomic_thread_fence(memory_order_acquire);
    if (chunk >= chunks) {
      uint64_t again = atomic_load_explicit(&pool->ticket, memory_order_acquire);
      if (again == seen)
        return 0;
      seen = again;
      continue;
    }
    if (!atomic_compare_exchange_weak_explicit(&pool->ticket, &seen, seen + 1, memory_order_acq_rel,
                                               memory_order_acquire))
      continue;
    fn(closure, split(count, chunks, (int64_t)chunk), split(count, chunks, (int64_t)chunk + 1));
    if (atomic_fetch_add(&pool->finished, 1) + 1 == chunks)
      wake(pool);
    return 1;
  }
}

static void drain(jit_pool *pool) {
  while (run_chunk(pool)) {
  }
}

static void *work(void *argument) {
  jit_pool *pool = argument;
  unsigned seen = 0;
  while (1) {
    wait_while(pool, &pool->epoch, seen);
    seen = atomic_load_explicit(&pool->epoch, memory_order_acquire);
    if (atomic_load_explicit(&pool->stopping, memory_order_acquire))
      return NULL;
    drain(pool);
  }
}

/* The state in which no job is open, with workers of this process. */
static void start(jit_pool *pool) {
  atomic_store(&pool->ticket, closed_mark);
  atomic_store(&pool->busy, 0);
  atomic_store(&pool->sleepers, 0);
  atomic_store(&pool->epoch, 0);
  atomic_store(&pool->worker_count, 0);
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->changed, NULL);
  unsigned made = 0;
  while (made < pool->wanted && pthread_create(&pool->workers[made], NULL, work, pool) == 0)
    ++made;
  atomic_store(&pool->worker_count, made);
}

/* Whether the workers are threads of this process; the first call makes them so, in a child of
   fork() too. Of several callers at once one does that, the others go on without workers. */
static int has_workers(jit_pool *pool) {
  pid_t self = getpid(), owner = atomic_load_explicit(&pool->owner, memory_order_acquire);
  if (owner == self)
    return 1;
  /* What a child inherits may be half done: a lock that is held, a job that nobody works on. */
  if (owner == -self || !atomic_compare_exchange_strong(&pool->owner, &owner, -self))
    return 0;
  start(pool);
  atomic_store_explicit(&pool->owner, self, memory_order_release);
  return 1;
}

/* More CPUs than a set has room for are an error of sched_getaffinity. */
static unsigned usable_cpus(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return (unsigned)CPU_COUNT(&set);
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (unsigned)online : 1;
}

jit_pool *jit_pool_create(unsigned threads) {
  if (threads == 0)
    threads = usable_cpus();
  jit_pool *pool = calloc(1, sizeof *pool);
  if (!pool)
    return NULL;
  pool->workers = calloc(threads, sizeof *pool->workers);
  if (!pool->workers) {
    free(pool);
    return NULL;
  }
  pool->wanted = threads - 1;
  return pool;
}

void jit_pool_destroy(jit_pool *pool) {
  if (!pool)
    return;
  /* Where this process has not used the pool nobody waits, and what nobody can join is not there.
   */
  if (atomic_load(&pool->owner) == getpid()) {
    atomic_store(&pool->stopping, 1);
    atomic_fetch_add(&pool->epoch, 1);
    wake(pool);
    for (unsigned i = 0; i < pool->worker_count; ++i)
      pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->mutex);
  }
  free(pool->workers);
  free(pool);
}

unsigned jit_pool_size(const jit_pool *pool) { return pool->wanted + 1; }

void jit_pool_for(jit_pool *pool, jit_range_fn fn, void *closure, int64_t count) {
  if (count <= 0)
    return;
  _Bool idle = 0;
  if (count == 1 || pool->wanted == 0 || !has_workers(pool) || pool->worker_count == 0 ||
      !atomic_compare_exchange_strong(&pool->busy, &idle, 1)) {
    fn(closure, 0, count);
    return;
  }
  /* A few chunks per thread even out uneven threads. */
  unsigned workers = atomic_load_explicit(&pool->worker_count, memory_order_relaxed);
  int64_t most = ((int64_t)workers + 1) * 4;
  unsigned chunks = (unsigned)(count < most ? count : most);
  atomic_store_explicit(&pool->fn, fn, memory_order_relaxed);
  atomic_store_explicit(&pool->closure, closure, memory_order_relaxed);
  atomic_store_explicit(&pool->count, count, memory_order_relaxed);
  atomic_store_explicit(&pool->chunks, chunks, memory_order_relaxed);
  atomic_store_explicit(&pool->finished, 0, memory_order_relaxed);
  uint64_t job = (atomic_load_explicit(&pool->ticket, memory_order_relaxed) >> 32) + 1;
  atomic_store_explicit(&pool->ticket, job << 32, memory_order_release);
  atomic_fetch_add(&pool->epoch, 1);
  wake(pool);
  drain(pool);
  unsigned done;
  while ((done = atomic_load_explicit(&pool->finished, memory_order_acquire)) != chunks)
    wait_while(pool, &pool->finished, done);
  /* Closed before the fields can change, so that no late worker mixes two jobs. */
  atomic_store(&pool->ticket, (job << 32) | closed_mark);
  atomic_store_explicit(&pool->busy, 0, memory_order_release);
}
