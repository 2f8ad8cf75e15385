/*===- Buffers.h - memory whose size only the call tells -----------*- C -*-===*\
|*
|* What jit_rt_result and jit_rt_scratch give out. Plain C, so that it serves the compiler's process
|* and compiled artifacts alike.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_LIB_RUNTIME_BUFFERS_H
#define JIT_LIB_RUNTIME_BUFFERS_H

#include "jit-c/Values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names of C */

typedef struct jit_piece {
  void *data;
  int64_t bytes;
} jit_piece;

/* Scratch memory of one call at a time, kept for the next one. Zero-initialise it. */
typedef struct jit_pieces {
  jit_piece *kept; /* by their numbers */
  size_t count;
  jit_piece *outgrown; /* that became too small during the call: they may still be read */
  size_t outgrown_count;
} jit_pieces;

/* At least `bytes` bytes as piece number `piece`; NULL for less than none and where memory is
   exhausted. What it gave before stays readable until jit_free_outgrown. */
void *jit_take_piece(jit_pieces *pieces, size_t piece, int64_t bytes);
/* At the end of a call. */
void jit_free_outgrown(jit_pieces *pieces);
void jit_free_pieces(jit_pieces *pieces);

/* What is asked for where `bytes` bytes are needed and there were `had`, which are too few: sizes
   that grow from call to call ask for memory now and then only. */
int64_t jit_grown_bytes(int64_t had, int64_t bytes);

/* What a call has at `buffers`. */
typedef struct jit_buffers {
  jit_pieces *pieces;
  /* Memory for result number `number` with these open sizes; or NULL, with `refused` set. */
  void *(*result)(struct jit_buffers *buffers, int32_t number, const int64_t *open_sizes);
  /* Gives memory that is kept back to the system; 0 where none was. NULL: there never is. */
  int (*reclaim)(void);
  jit_error *error;   /* of `refused`; may be NULL */
  jit_status refused; /* why the last NULL was given */
} jit_buffers;

/* The sizes of a result whose type leaves some open (negative), and its bytes. An error where no
   tensor has such sizes: JIT_INVALID_ARGUMENT for one below 0, else JIT_LIMIT_EXCEEDED. */
jit_status jit_size_result(int32_t dtype, int32_t rank, const int64_t *type,
                           const int64_t *open_sizes, int64_t *sizes, int64_t *bytes,
                           jit_error *error);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* JIT_LIB_RUNTIME_BUFFERS_H */
