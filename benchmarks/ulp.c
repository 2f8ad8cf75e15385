// Exact values and distances for ulp.py. Compiled twice: with REFERENCE and -ffast-math, so that
// calls of libm become vectors; and plainly, for what has to see infinities and NaN.
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static inline double silu(double x) { return x * sigmoid(x); }
static inline double gelu(double x) { return 0.5 * x * erfc(-x * 0.70710678118654752440); }
static inline double softplus(double x) { return x > 20 ? x : log1p(exp(x)); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }
static inline double reciprocal(double x) { return 1 / x; }

// clang-format off
#define EACH_FUNCTION(F) \
  F(exp) F(exp2) F(expm1) F(log) F(log2) F(log10) F(log1p) F(sin) F(cos) F(tan) F(asin) F(acos) \
  F(atan) F(sinh) F(cosh) F(tanh) F(asinh) F(acosh) F(atanh) F(erf) F(erfc) F(sigmoid) F(silu) \
  F(gelu) F(softplus) F(sqrt) F(rsqrt) F(reciprocal)
// clang-format on

#ifdef REFERENCE

#define FUNCTION(NAME)                                                                             \
  void reference_##NAME(const float *x, double *y, int64_t count) {                                \
    for (int64_t i = 0; i < count; ++i)                                                            \
      y[i] = NAME((double)x[i]);                                                                   \
  }
EACH_FUNCTION(FUNCTION)

#else

#define FUNCTION(NAME)                                                                             \
  double precise_##NAME(double x) { return NAME(x); }
EACH_FUNCTION(FUNCTION)

// The floats whose bits are first, first + 1, ...
void floats(uint32_t first, float *x, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits = first + (uint32_t)i;
    memcpy(&x[i], &bits, sizeof bits);
  }
}

// The spacing of floats at a number of that size.
static inline double spacing(double size) {
  uint64_t bits;
  if (size < 0x1p-126)
    return 0x1p-149;
  memcpy(&bits, &size, sizeof bits);
  bits = (bits & 0x7ff0000000000000u) - (23ull << 52);
  double step;
  memcpy(&step, &bits, sizeof bits);
  return step;
}

typedef struct {
  double worst; // units in the last place
  float at;
  int64_t kinds; // results that should be NaN or infinite and are not, or the other way round
  float kind_at;
} Distance;

// Numbers that a float cannot hold are infinite; one unit more or less at the edge is rounding, not
// another kind.
static int otherKind(float got, double want) {
  if (isnan(want) || isnan(got))
    return !(isnan(want) && isnan(got));
  const double edge = 0x1.ffffffp127, top = 0x1.fffffep127;
  if (fabs(want) >= edge * 1.0000005 || isinf(got))
    return !(fabs(want) >= top * 0.9999995 && (isinf(got) || fabsf(got) >= 0x1.fffff0p127f) &&
             (got > 0) == (want > 0));
  return 0;
}

// Adds to `found`; what is far off by the vector function is looked up once more in libm.
void compare(const float *x, const float *got, const double *reference, double (*precise)(double),
             int64_t count, Distance *found) {
  for (int64_t i = 0; i < count; ++i) {
    double want = reference[i], off = fabs(got[i] - want);
    if (off <= found->worst * spacing(fabs(want)))
      continue;
    want = precise(x[i]);
    if (otherKind(got[i], want)) {
      if (found->kinds++ == 0)
        found->kind_at = x[i];
      continue;
    }
    if (!isfinite(want) || !isfinite(got[i]) || fabs(want) > 0x1.fffffep127)
      continue;
    double units = fabs(got[i] - want) / spacing(fabs(want));
    if (units > found->worst) {
      found->worst = units;
      found->at = x[i];
    }
  }
}
#endif
