/*===- Buffers.c - memory whose size only the call tells --------------------===*/
#include "Buffers.h"

#include "Failure.h"
#include "Memory.h"
#include "Sizes.h"

#include <stdlib.h>

/*===----------------------------------------------------------------------===*\
|* Scratch
\*===----------------------------------------------------------------------===*/

void jit_free_outgrown(jit_pieces *pieces) {
  for (size_t i = 0; i < pieces->outgrown_count; ++i)
    free(pieces->outgrown[i].data);
  free(pieces->outgrown);
  pieces->outgrown = NULL;
  pieces->outgrown_count = 0;
}

void jit_free_pieces(jit_pieces *pieces) {
  jit_free_outgrown(pieces);
  for (size_t i = 0; i < pieces->count; ++i)
    free(pieces->kept[i].data);
  free(pieces->kept);
  *pieces = (jit_pieces){0};
}

/* Appends to an array that has grown by one. */
static int append(jit_piece **pieces, size_t *count, jit_piece piece) {
  jit_piece *grown = realloc(*pieces, (*count + 1) * sizeof *grown);
  if (!grown)
    return 0;
  *pieces = grown;
  grown[(*count)++] = piece;
  return 1;
}

int64_t jit_grown_bytes(int64_t had, int64_t bytes) {
  return had > 0 && bytes < INT64_MAX / 2 ? bytes + bytes / 2 : bytes;
}

void *jit_take_piece(jit_pieces *pieces, size_t piece, int64_t bytes) {
  if (bytes < 0)
    return NULL;
  while (pieces->count <= piece)
    if (!append(&pieces->kept, &pieces->count, (jit_piece){NULL, 0}))
      return NULL;
  jit_piece *found = &pieces->kept[piece];
  if (found->data && found->bytes >= bytes)
    return found->data;
  int64_t wanted = jit_grown_bytes(found->bytes, bytes);
  void *data = jit_allocate_lasting(wanted);
  if (!data)
    return NULL;
  if (found->data && !append(&pieces->outgrown, &pieces->outgrown_count, *found)) {
    free(data);
    return NULL;
  }
  *found = (jit_piece){data, wanted};
  return data;
}

void *jit_rt_scratch(jit_call *call, int64_t piece, int64_t bytes) {
  jit_buffers *buffers = call->buffers;
  void *memory = jit_take_piece(buffers->pieces, (size_t)piece, bytes);
  if (!memory && bytes >= 0 && buffers->reclaim && buffers->reclaim())
    memory = jit_take_piece(buffers->pieces, (size_t)piece, bytes);
  if (!memory && bytes < 0)
    buffers->refused =
        jit_fail(buffers->error, JIT_LIMIT_EXCEEDED,
                 "expected scratch that fits in memory, got more bytes than can be counted");
  else if (!memory)
    buffers->refused = jit_fail(buffers->error, JIT_LIMIT_EXCEEDED,
                                "out of memory for scratch of %lld bytes", (long long)bytes);
  return memory;
}

/*===----------------------------------------------------------------------===*\
|* Results
\*===----------------------------------------------------------------------===*/

jit_status jit_size_result(int32_t dtype, int32_t rank, const int64_t *type,
                           const int64_t *open_sizes, int64_t *sizes, int64_t *bytes,
                           jit_error *error) {
  for (int32_t i = 0; i < rank; ++i) {
    sizes[i] = type[i] < 0 ? *open_sizes++ : type[i];
    if (sizes[i] < 0)
      return jit_fail(error, JIT_INVALID_ARGUMENT,
                      "expected a result with sizes of at least 0, got %lld", (long long)sizes[i]);
  }
  *bytes = jit_count_bytes(dtype, rank, sizes);
  if (*bytes < 0)
    return jit_fail(error, JIT_LIMIT_EXCEEDED,
                    "expected a result that fits in memory, got more bytes than can be counted");
  return JIT_OK;
}

void *jit_rt_result(jit_call *call, int64_t result, const int64_t *open_sizes) {
  jit_buffers *buffers = call->buffers;
  return buffers->result(buffers, (int32_t)result, open_sizes);
}
