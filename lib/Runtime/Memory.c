/*===- Memory.c - buffers of tensors ----------------------------------------===*/
#include "Memory.h"

#include <stdlib.h>
#include <sys/mman.h>

/* NOLINTBEGIN(readability-identifier-naming): names of C */

/* The system's large pages, and from when on memory gets them. */
enum { huge_page = 2 << 20, least_huge = 4 << 20 };

static void *allocate_aligned(int64_t bytes, int64_t alignment) {
  if (bytes < 0 || bytes > INT64_MAX - alignment)
    return NULL;
  size_t rounded = (size_t)((bytes + alignment) / alignment * alignment);
  void *memory = aligned_alloc((size_t)alignment, rounded);
#ifdef MADV_HUGEPAGE
  if (memory && alignment == huge_page)
    (void)madvise(memory, rounded, MADV_HUGEPAGE); /* where it is refused, small ones do */
#endif
  return memory;
}

void *jit_allocate(int64_t bytes) { return allocate_aligned(bytes, buffer_alignment); }

void *jit_allocate_lasting(int64_t bytes) {
  return allocate_aligned(bytes, bytes >= least_huge ? huge_page : buffer_alignment);
}

/* NOLINTEND(readability-identifier-naming) */
