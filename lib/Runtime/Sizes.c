/*===- Sizes.c - bytes of tensors -------------------------------------------===*/
#include "Sizes.h"

typedef struct element_type {
  const char *name; /* NULL: no type that is handled */
  int64_t bytes;
} element_type;

/* By their numbers; include/jit/ScalarType.h has the same. */
static const element_type element_types[] = {
    [JIT_U8] = {"u8", 1},
    [JIT_I8] = {"i8", 1},
    [JIT_I16] = {"i16", 2},
    [JIT_I32] = {"i32", 4},
    [JIT_I64] = {"i64", 8},
    [JIT_F16] = {"f16", 2},
    [JIT_F32] = {"f32", 4},
    [JIT_F64] = {"f64", 8},
    [JIT_C32] = {"c32", 4},
    [JIT_C64] = {"c64", 8},
    [JIT_C128] = {"c128", 16},
    [JIT_BOOL] = {"bool", 1},
    [JIT_BF16] = {"bf16", 2},
    [JIT_F8E5M2] = {"f8e5m2", 1},
    [JIT_F8E4M3FN] = {"f8e4m3fn", 1},
    [JIT_F8E5M2FNUZ] = {"f8e5m2fnuz", 1},
    [JIT_F8E4M3FNUZ] = {"f8e4m3fnuz", 1},
    [JIT_U16] = {"u16", 2},
    [JIT_U32] = {"u32", 4},
    [JIT_U64] = {"u64", 8},
};

static int is_numbered(int32_t dtype) {
  return dtype >= 0 && dtype < (int32_t)(sizeof element_types / sizeof *element_types);
}

int64_t jit_element_size(int32_t dtype) {
  return is_numbered(dtype) ? element_types[dtype].bytes : 0;
}

const char *jit_dtype_name(int32_t dtype) {
  return is_numbered(dtype) && element_types[dtype].name ? element_types[dtype].name
                                                         : "unknown type";
}

int64_t jit_element_alignment(int32_t dtype) {
  /* 8: of two halves, which no program has as a value. */
  int is_complex = dtype == JIT_C32 || dtype == JIT_C64 || dtype == JIT_C128;
  return jit_element_size(dtype) / (is_complex ? 2 : 1);
}

int64_t jit_count_bytes(int32_t dtype, int32_t rank, const int64_t *sizes) {
  int64_t bytes = jit_element_size(dtype);
  int is_empty = 0, is_right = 1;
  for (int32_t i = 0; i < rank; ++i) {
    is_right &= sizes[i] >= 0;
    /* An overflow beside a zero is none: the tensor is empty all the same. */
    is_empty |= sizes[i] == 0;
  }
  if (!is_right || is_empty)
    return is_right ? 0 : -1;
  for (int32_t i = 0; i < rank; ++i)
    if (__builtin_mul_overflow(bytes, sizes[i], &bytes))
      return -1;
  return bytes;
}

int jit_overlap(const void *a, int64_t a_bytes, const void *b, int64_t b_bytes) {
  uintptr_t first = (uintptr_t)a, second = (uintptr_t)b;
  if (a_bytes <= 0 || b_bytes <= 0)
    return 0;
  return first <= second ? second - first < (uintptr_t)a_bytes
                         : first - second < (uintptr_t)b_bytes;
}
