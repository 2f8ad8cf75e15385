/*===- Emulation.h - kernels that run on the host's CPU ---------*- C -*---===*\
|*
|* What a kernel that was compiled for the host and the emulated device tell each other.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_RUNTIME_EMULATION_H
#define JIT_RUNTIME_EMULATION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One thread of a grid. */
typedef struct jit_thread {
  int64_t thread[3]; /* its place in the block */
  int64_t block[3];  /* the block's place in the grid */
  void *shared;      /* the memory that the block's threads share */
  void *scheduler;   /* belongs to the device */
} jit_thread;

/* The work of one thread. `args` holds one word for each of the kernel's arguments: an address, an
   integer, or the bits of a double. */
typedef void (*jit_thread_fn)(jit_thread *thread, const uint64_t *args);

/* Waits until all threads of the block have come here. */
void jit_rt_barrier(jit_thread *thread);

/* Gives the word of the thread whose number in the warp is this one's xor `distance`. All threads
   of the warp have to come here. */
int32_t jit_rt_shuffle(jit_thread *thread, int32_t word, int32_t distance);

/* Starts a copy of `read` bytes, filled up with zeros to `bytes`; closes a group of copies; waits
   until no more than `pending` groups are under way. */
void jit_rt_async_copy(jit_thread *thread, void *to, const void *from, int64_t bytes, int64_t read);
void jit_rt_async_group(jit_thread *thread);
void jit_rt_async_wait(jit_thread *thread, int64_t pending);

/* The thread's elements of `count` matrices of 8 by 8 halves, two of each: `row` is where one row
   of one of them is. All threads of the warp have to come here, as below. */
void jit_rt_load_matrices(jit_thread *thread, const void *row, int64_t count, int64_t transposed,
                          void *to);

/* Adds to the thread's 4 elements of a 16 by 8 matrix those of the product of a 16 by 16 and a 16
   by 8 one, of which it has 8 and 4. */
void jit_rt_multiply_f16(jit_thread *thread, const void *left, const void *right, float *sums);
void jit_rt_multiply_bf16(jit_thread *thread, const void *left, const void *right, float *sums);

#ifdef __cplusplus
}
#endif

#endif /* JIT_RUNTIME_EMULATION_H */
