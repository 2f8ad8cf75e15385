/*===- Sizes.h - bytes of tensors ----------------------------------*- C -*-===*\
|*
|* Plain C, so that it serves the compiler's process and compiled artifacts alike.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_LIB_RUNTIME_SIZES_H
#define JIT_LIB_RUNTIME_SIZES_H

#include "jit-c/Values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names of C */

/* Of a jit_dtype, in bytes; 0 for no element type. */
int64_t jit_element_size(int32_t dtype);
/* "f32", "bool", as in the grammar of calls; "unknown type" for none. */
const char *jit_dtype_name(int32_t dtype);
/* What compiled code needs of the address of such elements, in bytes: a complex number is two real
   ones. */
int64_t jit_element_alignment(int32_t dtype);
/* What a tensor of these sizes takes; -1 for sizes below 0, and for more bytes than there can be.
 */
int64_t jit_count_bytes(int32_t dtype, int32_t rank, const int64_t *sizes);
/* Whether two pieces of memory have a byte in common. */
int jit_overlap(const void *a, int64_t a_bytes, const void *b, int64_t b_bytes);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* JIT_LIB_RUNTIME_SIZES_H */
