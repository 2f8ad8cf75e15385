/*===- Memory.h - buffers of tensors -------------------------------*- C -*-===*\
|*
|* Plain C, so that it serves the compiler's process and compiled artifacts alike.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_LIB_RUNTIME_MEMORY_H
#define JIT_LIB_RUNTIME_MEMORY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What every buffer is aligned to, in bytes. */
enum { buffer_alignment = 64 };

/* At least `bytes` bytes, and at least one, for free(); NULL for less than none and where there is
   no memory. */
void *jit_allocate(int64_t bytes);
/* The same for what many calls read or write: in the system's large pages from some size on. With
   small ones reading weights is a quarter slower. */
void *jit_allocate_lasting(int64_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* JIT_LIB_RUNTIME_MEMORY_H */
