/*===- Module.c - instances: open, state, close -----------------------------===*/
#include "Scratch.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

static jit_status make_cells(jit_module *module, jit_error *error) {
  const jit_package *package = module->package;
  module->kinds = calloc((size_t)package->slot_count + 1, sizeof *module->kinds);
  module->cells = calloc(2 * (size_t)package->cell_count + 1, sizeof *module->cells);
  module->current = calloc((size_t)package->cell_count + 1, 1);
  module->places = calloc(2 * (size_t)package->cell_count + 1, 1);
  int is_done = module->kinds && module->cells && module->current && module->places;
  for (int32_t i = 0; is_done && i < 2 * package->cell_count; ++i) {
    module->cells[i] = jit_allocate_lasting(package->cells[i / 2].bytes);
    is_done = module->cells[i] != NULL;
  }
  return is_done ? JIT_OK
                 : jit_fail(error, JIT_LIMIT_EXCEEDED, "out of memory for the module's state");
}

int32_t jit_present_side(const jit_module *module, int32_t cell) {
  return 2 * cell + module->current[cell];
}

int32_t jit_spare_side(const jit_module *module, int32_t cell) {
  return 2 * cell + !module->current[cell];
}

static void reset_state(jit_module *module) {
  const jit_package *package = module->package;
  for (int32_t i = 0; i < package->slot_count; ++i)
    module->kinds[i] = 0;
  for (int32_t i = 0; i < package->cell_count; ++i) {
    module->current[i] = 0;
    module->places[2 * i] = module->places[2 * i + 1] = JIT_ON_HOST;
    int32_t blob = package->cells[i].initial;
    if (blob >= 0)
      memcpy(module->cells[2 * (size_t)i], jit_blob_data(module, blob),
             (size_t)package->blobs[blob].bytes);
  }
}

static size_t larger(size_t a, int32_t b) { return a > (size_t)b ? a : (size_t)b; }

static void count_scratch(jit_module *module) {
  for (int32_t i = 0; i < module->package->variant_count; ++i) {
    const jit_variant *variant = &module->package->variants[i];
    /* Behind the values the arena and the open sizes. */
    module->pointer_count =
        larger(module->pointer_count,
               variant->operand_count + variant->output_count + variant->packed_count + 2);
    module->output_count = larger(module->output_count, variant->output_count);
    module->open_count = larger(module->open_count, variant->open_count);
  }
}

EXPORTED void jit_artifact_close(jit_module *module) {
  if (!module)
    return;
  if (module->device)
    module->package->device->close(module);
  jit_pool_destroy(module->pool);
  jit_free_scratch(module);
  for (int32_t i = 0; module->cells && i < 2 * module->package->cell_count; ++i)
    free(module->cells[i]);
  free(module->cells);
  free(module->kinds);
  free(module->current);
  free(module->places);
  jit_unmap_weights(module);
  pthread_rwlock_destroy(&module->state_lock);
  pthread_mutex_destroy(&module->scratch_lock);
  pthread_mutex_destroy(&module->device_lock);
  free(module);
}

static jit_status fill(jit_module *module, const jit_open_options *options, jit_error *error) {
  jit_status status = jit_map_weights(module, options->weights, error);
  if (status == JIT_OK)
    status = make_cells(module, error);
  if (status != JIT_OK)
    return status;
  reset_state(module);
  count_scratch(module);
  /* The first call finds its memory ready. */
  jit_scratch *scratch = jit_take_scratch(module);
  if (!scratch)
    return jit_fail(error, JIT_LIMIT_EXCEEDED, "out of memory for scratch of %lld bytes",
                    (long long)module->package->arena_bytes);
  jit_return_scratch(module, scratch);
  if (options->threads != 1)
    module->pool = jit_pool_create(options->threads);
  return JIT_OK;
}

EXPORTED jit_status jit_artifact_open(const jit_open_options *options, jit_module **module,
                                      jit_error *error) {
  if (!module)
    return jit_fail(error, JIT_INVALID_ARGUMENT, "expected a place for the module, got null");
  *module = NULL;
  jit_open_options given = {.size = sizeof given};
  if (options)
    memcpy(&given, options, options->size < sizeof given ? options->size : sizeof given);
  const jit_package *package = NULL;
  jit_cpu cpu = jit_this_cpu();
  jit_status status = jit_choose_package(&cpu, jit_packages, jit_package_count, &package, error);
  if (status != JIT_OK)
    return status;
  jit_module *made = calloc(1, sizeof *made);
  if (!made)
    return jit_fail(error, JIT_LIMIT_EXCEEDED, "out of memory for a module");
  made->package = package;
  /* No device has a number as large. */
  made->device_number = given.device < INT_MAX ? (int)given.device : INT_MAX;
  pthread_rwlock_init(&made->state_lock, NULL);
  pthread_mutex_init(&made->scratch_lock, NULL);
  pthread_mutex_init(&made->device_lock, NULL);
  status = fill(made, &given, error);
  if (status == JIT_OK)
    *module = made;
  else
    jit_artifact_close(made);
  return status;
}

EXPORTED jit_status jit_artifact_find(jit_module *module, const char *method,
                                      const jit_value *arguments, size_t count, size_t *variant,
                                      jit_error *error) {
  if (!module || !variant || (count > 0 && !arguments))
    return jit_fail(error, JIT_INVALID_ARGUMENT,
                    "expected a module, arguments and a place, got null");
  const jit_method *entry = jit_find_method(module->package, method, error);
  if (!entry)
    return JIT_NOT_FOUND;
  const jit_variant *found = NULL;
  pthread_rwlock_rdlock(&module->state_lock);
  jit_status status = jit_find_variant(module, entry, arguments, count, &found, error);
  pthread_rwlock_unlock(&module->state_lock);
  if (status == JIT_OK)
    *variant = (size_t)(found - module->package->variants);
  return status;
}

EXPORTED const char *jit_artifact_structure(size_t variant, size_t *result_count) {
  /* The same for every CPU. */
  if (variant >= (size_t)jit_packages[0].variant_count)
    return NULL;
  if (result_count)
    *result_count = (size_t)jit_packages[0].variants[variant].result_count;
  return jit_packages[0].variants[variant].structure;
}

EXPORTED jit_status jit_artifact_result(size_t variant, size_t number, jit_value *result,
                                        jit_error *error) {
  if (!result)
    return jit_fail(error, JIT_INVALID_ARGUMENT, "expected a place for the result, got null");
  memset(result, 0, sizeof *result);
  const jit_package *package = &jit_packages[0];
  int32_t count =
      variant < (size_t)package->variant_count ? package->variants[variant].output_count : 0;
  for (int32_t i = 0; i < count; ++i) {
    const jit_output *output = &package->variants[variant].outputs[i];
    if (output->to.place != JIT_PLACE_RESULT || (size_t)output->to.index != number)
      continue;
    result->kind = output->type.kind;
    if (result->kind == JIT_KIND_TENSOR)
      result->as.tensor =
          (jit_tensor){NULL, output->type.sizes, NULL, output->type.count, output->type.dtype};
    return JIT_OK;
  }
  return jit_fail(error, JIT_NOT_FOUND,
                  "expected a result of a call that was compiled, got "
                  "number %zu of call %zu",
                  number, variant);
}

EXPORTED const char *jit_artifact_target(void) { return jit_packages[0].device ? "cuda" : "cpu"; }

EXPORTED const char *jit_artifact_cpu(const jit_module *module) {
  return module ? module->package->cpu : NULL;
}

EXPORTED int jit_artifact_depends_on_strides(const char *method) {
  const jit_method *entry = jit_find_method(&jit_packages[0], method, NULL);
  return entry && entry->depends_on_strides;
}

static jit_status read_slot(jit_module *module, const jit_slot *slot, int32_t kind,
                            jit_value *value, jit_error *error) {
  const jit_pattern *pattern = &slot->kinds[kind];
  memset(value, 0, sizeof *value);
  value->kind = pattern->kind;
  const char *cell = module->cells[jit_present_side(module, slot->first_cell)];
  switch (pattern->kind) {
  case JIT_KIND_TENSOR:
    for (int32_t i = 0; i < pattern->count; ++i)
      if (pattern->sizes[i] < 0)
        return jit_fail(error, JIT_UNSUPPORTED,
                        "expected state of known sizes, got '%s', of which data have told a size",
                        slot->path);
    if (module->package->device) {
      jit_status status = module->package->device->fetch(module, slot->first_cell, error);
      if (status != JIT_OK)
        return status;
    }
    value->as.tensor =
        (jit_tensor){(void *)cell, pattern->sizes, NULL, pattern->count, pattern->dtype};
    return JIT_OK;
  case JIT_KIND_STRING:
    value->as.string = pattern->text;
    return JIT_OK;
  case JIT_KIND_LIST:
  case JIT_KIND_TUPLE:
    return jit_fail(error, JIT_UNSUPPORTED, "expected state that is a tensor or number, got '%s'",
                    slot->path);
  case JIT_KIND_NONE:
    return JIT_OK;
  default:
    if (!pattern->open)
      value->as.integer = pattern->word;
    else if (pattern->kind == JIT_KIND_BOOL)
      value->as.integer = *(const uint8_t *)cell != 0;
    else
      memcpy(&value->as, cell, sizeof(int64_t));
    return JIT_OK;
  }
}

static int has_path(const jit_slot *slot, const char *path) {
  int is_found = strcmp(slot->path, path) == 0;
  for (int32_t i = 0; !is_found && i < slot->other_path_count; ++i)
    is_found = strcmp(slot->other_paths[i], path) == 0;
  return is_found;
}

EXPORTED jit_status jit_artifact_state(jit_module *module, const char *path, jit_value *value,
                                       jit_error *error) {
  if (!module || !path || !value)
    return jit_fail(error, JIT_INVALID_ARGUMENT, "expected a module, a path and a place, got null");
  for (int32_t i = 0; i < module->package->slot_count; ++i) {
    const jit_slot *slot = &module->package->slots[i];
    if (!has_path(slot, path))
      continue;
    pthread_rwlock_rdlock(&module->state_lock);
    jit_status status = read_slot(module, slot, module->kinds[i], value, error);
    pthread_rwlock_unlock(&module->state_lock);
    return status;
  }
  return jit_fail(error, JIT_NOT_FOUND, "expected a path of state that calls write, got '%s'",
                  path);
}

EXPORTED void jit_artifact_reset(jit_module *module) {
  if (!module)
    return;
  pthread_rwlock_wrlock(&module->state_lock);
  reset_state(module);
  pthread_rwlock_unlock(&module->state_lock);
}
