/*===- Scratch.c - memory of calls, kept for the next ------------------------===*/
#include "Scratch.h"

#include <stdlib.h>

static void free_one(jit_scratch *scratch) {
  jit_free_pieces(&scratch->pieces);
  jit_free_pieces(&scratch->rows);
  free(scratch->pointers);
  free(scratch->made);
  free(scratch->open_sizes);
  free(scratch->arena);
  free(scratch);
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
  jit_free_outgrown(&scratch->pieces);
  jit_free_outgrown(&scratch->rows);
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
