/*===- Strides.h - tensors whose elements lie elsewhere than row by row -*- C -*-===*/
#ifndef JIT_LIB_RUNTIME_STRIDES_H
#define JIT_LIB_RUNTIME_STRIDES_H

#include "jit-c/Values.h"

/* NOLINTBEGIN(readability-identifier-naming): names of C */

#ifdef __cplusplus
extern "C" {
#endif

/* Of a tensor whose bytes can be counted: whether its elements lie row by row. */
int jit_is_row_major(const jit_tensor *tensor);
/* The stride of a dimension in elements, and the one that it has in row-major memory. */
int64_t jit_stride(const jit_tensor *tensor, int32_t dimension);
int64_t jit_row_major_stride(const jit_tensor *tensor, int32_t dimension);
/* The bytes from the tensor's first to its last place; no bytes for no elements. 0 where they
   cannot be counted. */
int jit_find_range(const jit_tensor *tensor, const char **begin, int64_t *bytes);
/* Whether two elements may have one place, as in what was expanded. */
int jit_overlaps_itself(const jit_tensor *tensor);
/* Copies all elements to those of a tensor of the same type and sizes, which has none of their
   places. */
void jit_copy_elements(const jit_tensor *to, const jit_tensor *from);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming) */

#endif /* JIT_LIB_RUNTIME_STRIDES_H */
