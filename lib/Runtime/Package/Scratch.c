/*===- Scratch.c - memory of calls, kept for the next ------------------------===*/
#include "Scratch.h"

#include <stdlib.h>

static void free_outgrown(jit_scratch *scratch) {
  for (size_t i = 0; i < scratch->outgrown_count; ++i)
    free(scratch->outgrown[i].data);
  free(scratch->outgrown);
  scratch->outgrown = NULL;
  scratch->outgrown_count = 0;
}

static void free_one(jit_scratch *scratch) {
  for (size_t i = 0; i < scratch->piece_count; ++i)
    free(scratch->pieces[i].data);
  free_outgrown(scratch);
  free(scratch->pieces);
  free(scratch->pointers);
  free(scratch->made);
  free(scratch->open_sizes);
  free(scratch->arena);
  free(scratch);
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

void *jit_take_piece(jit_scratch *scratch, size_t piece, int64_t bytes) {
  if (bytes < 0)
    return NULL;
  while (scratch->piece_count <= piece)
    if (!append(&scratch->pieces, &scratch->piece_count, (jit_piece){NULL, 0}))
      return NULL;
  jit_piece *found = &scratch->pieces[piece];
  if (found->data && found->bytes >= bytes)
    return found->data;
  /* Half as much again where it has grown: sizes that grow from call to call ask for memory now and
     then only. */
  int64_t wanted = found->data && bytes < INT64_MAX / 2 ? bytes + bytes / 2 : bytes;
  void *data = jit_allocate_lasting(wanted);
  if (!data)
    return NULL;
  if (found->data && !append(&scratch->outgrown, &scratch->outgrown_count, *found)) {
    free(data);
    return NULL;
  }
  *found = (jit_piece){data, wanted};
  return data;
}

jit_scratch *jit_take_scratch(jit_module *module) {
  pthread_mutex_lock(&module->scratch_lock);
  jit_scratch *scratch = module->idle;
  if (scratch)
    module->idle = scratch->next;
  pthread_mutex_unlock(&module->scratch_lock);
  if (scratch)
    return scratch;
  scratch = calloc(1, sizeof *scratch);
  if (!scratch)
    return NULL;
  scratch->pointers = calloc(module->pointer_count, sizeof *scratch->pointers);
  scratch->made = calloc(module->output_count + 1, sizeof *scratch->made);
  scratch->open_sizes = calloc(module->open_count + 1, sizeof *scratch->open_sizes);
  scratch->arena = jit_allocate_lasting(module->package->arena_bytes);
  if (scratch->pointers && scratch->made && scratch->open_sizes && scratch->arena)
    return scratch;
  free_one(scratch);
  return NULL;
}

void jit_return_scratch(jit_module *module, jit_scratch *scratch) {
  free_outgrown(scratch);
  pthread_mutex_lock(&module->scratch_lock);
  scratch->next = module->idle;
  module->idle = scratch;
  pthread_mutex_unlock(&module->scratch_lock);
}

void jit_free_scratch(jit_module *module) {
  while (module->idle) {
    jit_scratch *scratch = module->idle;
    module->idle = scratch->next;
    free_one(scratch);
  }
}
