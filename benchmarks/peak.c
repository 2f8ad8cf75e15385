// The machine's ceilings, on the number of threads that is given: single-precision fused
// multiply-adds in a second by enough independent chains of wide vectors, and the bytes that move.
// Prints JSON, the best of several tries.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

// As many chains as leave a few of the registers free.
#ifdef __AVX512F__
enum { Lanes = 16, Chains = 24 };
#else
enum { Lanes = 8, Chains = 12 };
#endif
enum { Tries = 7, Streams = 8, Most = 64 };
typedef float Vector __attribute__((vector_size(Lanes * sizeof(float))));
typedef enum { MultiplyAdd, Read, Copy, CopyStreaming } Kind;

typedef struct {
  Kind kind;
  int cpu;
  size_t vectors; // of each array
  long passes;
  Vector *from, *to;
  Vector sink; // keeps the work alive
  pthread_barrier_t *together;
  double start, end;
} Job;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void multiplyAdd(Job *job, long passes) {
  Vector sums[Chains];
  for (int chain = 0; chain < Chains; ++chain)
    sums[chain] = (Vector){} + 0.5f + (float)chain;
  const Vector factor = (Vector){} + 0.999f, term = (Vector){} + 1e-6f;
  for (long pass = 0; pass < passes; ++pass)
#pragma clang loop unroll(full)
    for (int chain = 0; chain < Chains; ++chain)
      sums[chain] = sums[chain] * factor + term;
  for (int chain = 0; chain < Chains; ++chain)
    job->sink += sums[chain];
}

// One stream leaves the memory idle half of the time on some machines.
static void readAll(Job *job, long passes) {
  const size_t part = job->vectors / Streams;
  for (long pass = 0; pass < passes; ++pass) {
    Vector sums[Streams] = {};
    for (size_t at = 0; at < part; ++at)
#pragma clang loop unroll(full)
      for (int stream = 0; stream < Streams; ++stream) {
        __builtin_prefetch(job->from + stream * part + at + 16);
        sums[stream] += job->from[stream * part + at];
      }
    for (int stream = 0; stream < Streams; ++stream)
      job->sink += sums[stream];
  }
}

static void copyAll(Job *job, long passes) {
  for (long pass = 0; pass < passes; ++pass)
    for (size_t at = 0; at < job->vectors; ++at)
      if (job->kind == CopyStreaming)
        __builtin_nontemporal_store(job->from[at], job->to + at);
      else
        *(volatile Vector *)(job->to + at) = job->from[at];
}

static void work(Job *job, long passes) {
  if (job->kind == MultiplyAdd)
    multiplyAdd(job, passes);
  else if (job->kind == Read)
    readAll(job, passes);
  else
    copyAll(job, passes);
}

static void *run(void *argument) {
  Job *job = argument;
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(job->cpu, &mask);
  sched_setaffinity(0, sizeof mask, &mask);
  work(job, job->passes / 10 + 1);
  pthread_barrier_wait(job->together);
  job->start = now();
  work(job, job->passes);
  job->end = now();
  return NULL;
}

static Vector *array(size_t vectors) {
  const size_t huge = 2 << 20, bytes = (vectors * sizeof(Vector) + huge - 1) & ~(huge - 1);
  Vector *made = aligned_alloc(huge, bytes);
  madvise(made, bytes, MADV_HUGEPAGE);
  for (size_t at = 0; at < vectors; ++at)
    made[at] = (Vector){} + (float)(at % 8);
  return made;
}

// Seconds, from the first thread's start to the last one's end.
static double best(Kind kind, int threads, size_t vectors, long passes) {
  Job jobs[Most] = {};
  pthread_t ids[Most];
  pthread_barrier_t together;
  double least = 1e30;
  for (int at = 0; at < threads; ++at) {
    jobs[at] =
        (Job){.kind = kind, .cpu = at, .vectors = vectors, .passes = passes, .together = &together};
    jobs[at].from = vectors ? array(vectors) : NULL;
    jobs[at].to = vectors ? array(vectors) : NULL;
  }
  for (int attempt = 0; attempt < Tries; ++attempt) {
    double start = 1e30, end = 0;
    pthread_barrier_init(&together, NULL, threads);
    for (int at = 0; at < threads; ++at)
      pthread_create(&ids[at], NULL, run, &jobs[at]);
    for (int at = 0; at < threads; ++at) {
      pthread_join(ids[at], NULL);
      start = jobs[at].start < start ? jobs[at].start : start;
      end = jobs[at].end > end ? jobs[at].end : end;
    }
    least = end - start < least ? end - start : least;
    pthread_barrier_destroy(&together);
  }
  for (int at = 0; at < threads; ++at) {
    free(jobs[at].from);
    free(jobs[at].to);
  }
  return least;
}

int main(int count, char **arguments) {
  const int threads = count > 1 ? atoi(arguments[1]) : 1;
  if (threads < 1 || threads > Most) {
    fprintf(stderr, "expected 1 to %d threads, got %s\n", Most, arguments[1]);
    return 1;
  }
  const long steps = 10000000;
  const size_t memory = (128u << 20) / sizeof(Vector), cache = (4u << 20) / sizeof(Vector);
  const double bytes = (double)memory * sizeof(Vector) * threads * 4,
               cached = (double)cache * sizeof(Vector) * threads * 64;
  const double read = bytes / best(Read, threads, memory, 4),
               copy = 2 * bytes / best(Copy, threads, memory, 4);
  const double streaming = 2 * bytes / best(CopyStreaming, threads, memory, 4);
  const double top = read > streaming ? read : streaming;
  printf("{\"fma\": %.1f, \"memory\": %.1f, \"read\": %.1f, \"copy\": %.1f, \"copy streaming\": "
         "%.1f, \"cache\": %.1f}\n",
         2e-9 * Lanes * Chains * steps * threads / best(MultiplyAdd, threads, 0, steps), top / 1e9,
         read / 1e9, copy / 1e9, streaming / 1e9, cached / best(Read, threads, cache, 64) / 1e9);
  return 0;
}
