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

/* The same for a 16 by 8 and an 8 by 8 one of floats, of which it has 4 and 2: no more than 10 bits
   behind the point are looked at. */
void jit_rt_multiply_tf32(jit_thread *thread, const void *left, const void *right, float *sums);

/* Barriers in the memory that the block shares, 8 bytes each. A phase ends when `count` threads
   have arrived and all bytes that they announced have come; `parity` is that of the phase to wait
   for, and the one before the first is odd. */
void jit_rt_mbarrier_init(jit_thread *thread, void *barrier, int32_t count);
void jit_rt_mbarrier_arrive(jit_thread *thread, void *barrier, int32_t bytes);
void jit_rt_mbarrier_wait(jit_thread *thread, void *barrier, int32_t parity);

/* Starts a copy of the box at (x, y, z) of what `map` describes, whose bytes come to `barrier`. */
void jit_rt_tensor_copy(jit_thread *thread, void *to, const void *map, int32_t x, int32_t y,
                        int32_t z, void *barrier);

/* How the factors of jit_rt_warpgroup_multiply are given: bf16 or tf32 instead of f16, rows or
   columns side by side instead of summands, which tf32 has to have. */
enum { JIT_BRAIN = 1, JIT_LEFT_BY_ROWS = 2, JIT_RIGHT_BY_COLUMNS = 4, JIT_TF32 = 8 };

/* Adds to the thread's elements of a matrix of 64 by `columns` those of the product of a matrix of
   64 by 16 and one of 16 by `columns` in shared memory, whose descriptors are as the machine has
   them. Of tf32 it is 8 in place of 16; no more than 10 bits behind the point are looked at. */
void jit_rt_warpgroup_multiply(jit_thread *thread, int64_t left, int64_t right, int64_t columns,
                               int64_t flags, float *sums);

/* The same where the first factor is in registers: the thread has 8 of its elements at `left`,
   those of two rows, from two of the summands on and from those 8 behind. All threads of the warp
   have to come here. */
void jit_rt_warpgroup_multiply_registers(jit_thread *thread, const void *left, int64_t right,
                                         int64_t columns, int64_t flags, float *sums);

/* Closes a group of products; waits until no more than `pending` groups still read memory. */
void jit_rt_warpgroup_commit(jit_thread *thread);
void jit_rt_warpgroup_wait(jit_thread *thread, int64_t pending);

#ifdef __cplusplus
}
#endif

#endif /* JIT_RUNTIME_EMULATION_H */
