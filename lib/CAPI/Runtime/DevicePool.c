/*===- DevicePool.c - memory of results of calls in streams -----------------===*/
#include "CudaContext.h"
#include "Failure.h"
#include "jit-c/Runtime.h"

#include <pthread.h>
#include <stdlib.h>

/* Memory that was made, and the stream whose work may use it. */
typedef struct piece {
  struct piece *next;
  size_t bytes;
  void *stream;
  uint64_t address;
} piece;

struct jit_device_pool {
  pthread_mutex_t mutex;
  jit_cuda cuda;
  jit_cuda_device device;
  piece *idle, *away;
  int is_closed;
};

jit_status jit_device_pool_open(size_t device, jit_device_pool **pool, jit_error *error) {
  if (!pool || device > INT32_MAX)
    return jit_fail(error, JIT_INVALID_ARGUMENT, "expected a device's number and a place");
  *pool = NULL;
  jit_device_pool *made = calloc(1, sizeof *made);
  if (!made)
    return jit_fail(error, JIT_LIMIT_EXCEEDED, "out of memory for a device's memory");
  jit_status status = jit_find_cuda(&made->cuda, error);
  if (status == JIT_OK)
    status = jit_cuda_open(&made->device, &made->cuda, (int)device, error);
  if (status != JIT_OK) {
    free(made);
    return status;
  }
  pthread_mutex_init(&made->mutex, NULL);
  *pool = made;
  return JIT_OK;
}

/* Out of a list, the first that fits. */
static piece *take(piece **list, const piece *wanted) {
  for (piece **at = list; *at; at = &(*at)->next) {
    piece *found = *at;
    int fits = wanted->address ? found->address == wanted->address
                               : found->bytes == wanted->bytes && found->stream == wanted->stream;
    if (!fits)
      continue;
    *at = found->next;
    return found;
  }
  return NULL;
}

static void put(piece **list, piece *what) {
  what->next = *list;
  *list = what;
}

static piece *make(jit_device_pool *pool, const piece *wanted, jit_error *error) {
  piece *made = malloc(sizeof *made);
  if (!made) {
    jit_fail(error, JIT_LIMIT_EXCEEDED, "out of memory for a device's memory");
    return NULL;
  }
  *made = *wanted;
  jit_status status = jit_cuda_enter(&pool->device, error);
  if (status == JIT_OK) {
    status = jit_cuda_allocate(&pool->device, (int64_t)wanted->bytes, &made->address, error);
    jit_cuda_leave(&pool->device);
  }
  if (status == JIT_OK)
    return made;
  free(made);
  return NULL;
}

jit_status jit_device_pool_take(jit_device_pool *pool, size_t bytes, void *stream, void **data,
                                jit_error *error) {
  if (!pool || !data || bytes > INT64_MAX)
    return jit_fail(error, JIT_INVALID_ARGUMENT, "expected a pool, a size and a place");
  piece wanted = {.bytes = bytes, .stream = stream};
  jit_error failed = {.status = JIT_OK};
  pthread_mutex_lock(&pool->mutex);
  piece *found = take(&pool->idle, &wanted);
  if (!found)
    found = make(pool, &wanted, &failed);
  if (found)
    put(&pool->away, found);
  pthread_mutex_unlock(&pool->mutex);
  if (!found && error)
    *error = failed;
  *data = found ? (void *)(uintptr_t)found->address : NULL;
  return found ? JIT_OK : (jit_status)failed.status;
}

/* With what streams do with it done. */
static void free_pieces(jit_device_pool *pool) {
  if (!pool->idle || jit_cuda_enter(&pool->device, NULL) != JIT_OK)
    return;
  pool->cuda.cuCtxSynchronize();
  for (piece *next; pool->idle; pool->idle = next) {
    next = pool->idle->next;
    pool->cuda.cuMemFree(pool->idle->address);
    free(pool->idle);
  }
  jit_cuda_leave(&pool->device);
}

/* True where that was the last of a pool that is closed. */
static int free_unused(jit_device_pool *pool) {
  if (pool->is_closed)
    free_pieces(pool);
  return pool->is_closed && !pool->away;
}

static void destroy(jit_device_pool *pool) {
  jit_cuda_close(&pool->device);
  pthread_mutex_destroy(&pool->mutex);
  free(pool);
}

void jit_device_pool_give(jit_device_pool *pool, void *data) {
  if (!pool || !data)
    return;
  piece wanted = {.address = (uint64_t)(uintptr_t)data};
  pthread_mutex_lock(&pool->mutex);
  piece *found = take(&pool->away, &wanted);
  if (found)
    put(&pool->idle, found);
  int is_last = free_unused(pool);
  pthread_mutex_unlock(&pool->mutex);
  if (is_last)
    destroy(pool);
}

void jit_device_pool_close(jit_device_pool *pool) {
  if (!pool)
    return;
  pthread_mutex_lock(&pool->mutex);
  pool->is_closed = 1;
  int is_last = free_unused(pool);
  pthread_mutex_unlock(&pool->mutex);
  if (is_last)
    destroy(pool);
}
