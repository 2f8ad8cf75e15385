// The machine's ceiling: single-precision fused multiply-adds in a second on one thread, by enough
// independent chains of wide vectors. Prints GFLOP/s, the best of several tries.
#include <stdio.h>
#include <time.h>

enum { Lanes = 16, Chains = 12, Tries = 7 };
typedef float Vector __attribute__((vector_size(Lanes * sizeof(float))));

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(void) {
  const long steps = 4000000;
  double best = 0;
  float sink = 0;
  for (int attempt = 0; attempt < Tries; ++attempt) {
    Vector sums[Chains];
    for (int chain = 0; chain < Chains; ++chain)
      sums[chain] = (Vector){} + 0.5f + (float)chain;
    const Vector factor = (Vector){} + 0.999f, term = (Vector){} + 1e-6f;
    double start = now();
    for (long step = 0; step < steps; ++step)
#pragma clang loop unroll(full)
      for (int chain = 0; chain < Chains; ++chain)
        sums[chain] = sums[chain] * factor + term;
    double rate = 2.0 * Lanes * Chains * steps / (now() - start) / 1e9;
    best = rate > best ? rate : best;
    for (int chain = 0; chain < Chains; ++chain)
      sink += sums[chain][0];
  }
  printf("%.1f\n", best);
  return sink == 42; // keeps the sums alive
}
