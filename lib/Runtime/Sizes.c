/*===- Sizes.c - bytes of tensors -------------------------------------------===*/
#include "Sizes.h"

int64_t jit_element_size(int32_t dtype) {
  static const signed char sizes[] = {1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 0, 0, 0, 2};
  return dtype >= 0 && dtype < (int32_t)sizeof sizes ? sizes[dtype] : 0;
}

const char *jit_dtype_name(int32_t dtype) {
  static const char *const names[] = {"u8",  "i8",  "i16",  "i32",  "i64", "f16", "f32", "f64",
                                      "c32", "c64", "c128", "bool", NULL,  NULL,  NULL,  "bf16"};
  int is_known = dtype >= 0 && dtype < (int32_t)(sizeof names / sizeof *names) && names[dtype];
  return is_known ? names[dtype] : "unknown type";
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
