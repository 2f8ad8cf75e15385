/*===- Run.c - one call: pointers in, results out ---------------------------===*/
#include "Run.h"

#include <string.h>

static char *present_cell(const jit_module *module, int32_t cell) {
  return module->cells[jit_present_side(module, cell)];
}

/* Pointers that are the same at each call of the variant. */
static void prepare(run *r) {
  const jit_variant *variant = r->variant;
  if (r->scratch->prepared == variant)
    return;
  void **pointers = r->scratch->pointers;
  for (int32_t i = 0; i < variant->operand_count; ++i)
    if (variant->operands[i].from.place == JIT_PLACE_BLOB)
      pointers[i] = (void *)jit_blob_data(r->module, variant->operands[i].from.index);
  void **rest = pointers + variant->operand_count;
  for (int32_t i = 0; i < variant->output_count; ++i)
    rest += variant->outputs[i].bytes >= 0;
  for (int32_t i = 0; i < variant->packed_count; ++i)
    *rest++ = (void *)jit_blob_data(r->module, variant->packed[i]);
  *rest++ = r->scratch->arena;
  *rest = r->scratch->open_sizes;
  r->scratch->prepared = variant;
}

/* Numbers as compiled code reads them: int64, double, uint8. */
static void *number_of(run *r, const jit_value *value, const jit_operand *operand) {
  char *place = r->scratch->arena + operand->scratch;
  if (value->kind == JIT_KIND_BOOL)
    *(uint8_t *)place = value->as.integer != 0;
  else if (value->kind == JIT_KIND_INT && operand->number == JIT_KIND_FLOAT)
    *(double *)place = (double)value->as.integer;
  else
    memcpy(place, &value->as, sizeof(int64_t));
  return place;
}

/* Compiled code reads rows; of a part it reads all of the memory. NULL: out of memory. */
static void *rows_of(const run *r, int32_t operand, const jit_pattern *pattern,
                     const jit_tensor *tensor) {
  /* The many calls of rows are not to pay for those of strides. */
  if (!tensor->strides && !pattern->part)
    return tensor->data ? tensor->data : r->scratch->arena;
  int64_t bytes = jit_count_bytes(tensor->dtype, tensor->rank, tensor->sizes);
  if (bytes == 0 && !tensor->data)
    return r->scratch->arena;
  if (pattern->part)
    return (char *)tensor->data - pattern->part->offset * jit_element_size(tensor->dtype);
  if (bytes == 0 || jit_is_row_major(tensor))
    return tensor->data;
  jit_tensor rows = {jit_take_piece(&r->scratch->rows, (size_t)operand, bytes), tensor->sizes, NULL,
                     tensor->rank, tensor->dtype};
  if (rows.data)
    jit_copy_elements(&rows, tensor);
  return rows.data;
}

/* Appends the sizes of a tensor that its pattern leaves open. */
static int64_t *add_open_sizes(const jit_pattern *pattern, const jit_tensor *tensor, int64_t *to) {
  for (int32_t i = 0; i < pattern->count; ++i)
    if (pattern->sizes[i] < 0)
      *to++ = tensor->sizes[i];
  return to;
}

static jit_status place_operands(run *r) {
  const jit_variant *variant = r->variant;
  int64_t *open_size = r->scratch->open_sizes;
  for (int32_t i = 0; i < variant->operand_count; ++i) {
    const jit_operand *operand = &variant->operands[i];
    if (operand->from.place == JIT_PLACE_CELL)
      r->scratch->pointers[i] = present_cell(r->module, operand->from.index);
    if (operand->from.place != JIT_PLACE_ARGUMENT)
      continue;
    const jit_value *value = jit_follow(r->arguments, &operand->from);
    if (value->kind != JIT_KIND_TENSOR) {
      r->scratch->pointers[i] = number_of(r, value, operand);
      continue;
    }
    const jit_pattern *pattern = jit_follow_pattern(variant, &operand->from);
    if (r->options && !jit_is_row_major(&value->as.tensor))
      return jit_fail(r->error, JIT_INVALID_ARGUMENT,
                      "argument %d: expected a row-major tensor, as the call is in a stream, got "
                      "strides",
                      operand->from.path[0]);
    r->scratch->pointers[i] = rows_of(r, i, pattern, &value->as.tensor);
    if (!r->scratch->pointers[i])
      return jit_fail(r->error, JIT_LIMIT_EXCEEDED, "out of memory for rows of argument %d",
                      operand->from.path[0]);
    if (operand->bytes < 0)
      open_size = add_open_sizes(pattern, &value->as.tensor, open_size);
  }
  return JIT_OK;
}

static jit_status run_on_host(run *r) {
  r->buffers =
      (jit_buffers){.pieces = &r->scratch->pieces, .result = jit_place_open, .error = r->error};
  jit_error refusal;
  jit_call call = {.pool = r->module->pool, .buffers = &r->buffers, .refusal = &refusal};
  if (r->variant->run(&call, r->scratch->pointers) == 0)
    return JIT_OK;
  return r->buffers.refused != JIT_OK ? r->buffers.refused : jit_fail_raised(r->error, &call);
}

/* With the state's lock held. */
static jit_status run_variant(run *r) {
  r->scratch = jit_take_scratch(r->module);
  if (!r->scratch)
    return jit_fail(r->error, JIT_LIMIT_EXCEEDED, "out of memory for scratch of %lld bytes",
                    (long long)r->module->package->arena_bytes);
  prepare(r);
  jit_status status = place_operands(r);
  if (status == JIT_OK)
    status = jit_place_results(r);
  if (status == JIT_OK)
    status = r->variant->device ? r->module->package->device->run(r) : run_on_host(r);
  if (status == JIT_OK)
    status = jit_deliver_results(r);
  jit_free_results(r);
  jit_return_scratch(r->module, r->scratch);
  return status;
}

static jit_status call(jit_module *module, const char *method, const jit_value *arguments,
                       size_t count, jit_value *results, size_t result_count,
                       const jit_call_options *options, jit_error *error) {
  if (!module || (count > 0 && !arguments) || (result_count > 0 && !results))
    return jit_fail(error, JIT_INVALID_ARGUMENT, "expected %s, got a null pointer",
                    !module                   ? "a module"
                    : count > 0 && !arguments ? "arguments"
                                              : "results");
  const jit_method *entry = jit_find_method(module->package, method, error);
  if (!entry)
    return JIT_NOT_FOUND;
  if (entry->writes_state)
    pthread_rwlock_wrlock(&module->state_lock);
  else if (entry->reads_state)
    pthread_rwlock_rdlock(&module->state_lock);
  run r = {.module = module,
           .method = entry,
           .arguments = arguments,
           .results = results,
           .options = options,
           .error = error};
  jit_status status = jit_find_variant(module, entry, arguments, count, &r.variant, error);
  if (status == JIT_OK && result_count != (size_t)r.variant->result_count)
    status = jit_fail(error, JIT_INVALID_ARGUMENT, "%s: expected room for %d results, got %zu",
                      entry->name, r.variant->result_count, result_count);
  if (status == JIT_OK && options && !r.variant->device)
    status = jit_fail(error, JIT_UNSUPPORTED,
                      "expected a program for a CUDA device for a call in a stream, got one for a "
                      "CPU");
  if (status == JIT_OK && entry->depends_on_strides)
    status = jit_check_apart(&r);
  if (status == JIT_OK)
    status = jit_check_written(&r);
  if (status == JIT_OK)
    status = run_variant(&r);
  if (entry->writes_state || entry->reads_state)
    pthread_rwlock_unlock(&module->state_lock);
  return status;
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED jit_status jit_artifact_call(jit_module *module, const char *method,
                                      const jit_value *arguments, size_t count, jit_value *results,
                                      size_t result_count, jit_error *error) {
  return call(module, method, arguments, count, results, result_count, NULL, error);
}

EXPORTED jit_status jit_artifact_call_in(jit_module *module, const char *method,
                                         const jit_value *arguments, size_t count,
                                         jit_value *results, size_t result_count,
                                         const jit_call_options *options, jit_error *error) {
  jit_call_options given = {.size = sizeof given};
  if (options)
    memcpy(&given, options, options->size < sizeof given ? options->size : sizeof given);
  return call(module, method, arguments, count, results, result_count, &given, error);
}
