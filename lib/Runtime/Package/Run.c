/*===- Run.c - one call: pointers in, results out ---------------------------===*/
#include "Scratch.h"

#include <stdlib.h>
#include <string.h>

/* A call on its way. */
typedef struct run {
  jit_module *module;
  const jit_variant *variant;
  const jit_value *arguments;
  jit_value *results;
  jit_scratch *scratch;
  jit_error *error;
} run;

static char *spare_cell(const jit_module *module, int32_t cell) {
  return module->cells[2 * cell + !module->current[cell]];
}

static char *present_cell(const jit_module *module, int32_t cell) {
  return module->cells[2 * cell + module->current[cell]];
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
  void **rest = pointers + variant->operand_count + variant->output_count;
  for (int32_t i = 0; i < variant->packed_count; ++i)
    rest[i] = (void *)jit_blob_data(r->module, variant->packed[i]);
  rest[variant->packed_count] = r->scratch->arena;
  r->scratch->prepared = variant;
}

/* Numbers as compiled code reads them: int64, double, uint8. */
static void *number_of(run *r, const jit_value *value, const jit_operand *operand) {
  char *place = r->scratch->arena + operand->scratch;
  if (value->kind == JIT_KIND_BOOL)
    *(uint8_t *)place = value->as.integer != 0;
  else if (value->kind == JIT_KIND_INT && operand->is_float)
    *(double *)place = (double)value->as.integer;
  else
    memcpy(place, &value->as, sizeof(int64_t));
  return place;
}

static void place_operands(run *r) {
  const jit_variant *variant = r->variant;
  for (int32_t i = 0; i < variant->operand_count; ++i) {
    const jit_operand *operand = &variant->operands[i];
    if (operand->from.place == JIT_PLACE_CELL) {
      r->scratch->pointers[i] = present_cell(r->module, operand->from.index);
    } else if (operand->from.place == JIT_PLACE_ARGUMENT) {
      const jit_value *value = jit_follow(r->arguments, &operand->from);
      void *data = value->as.tensor.data;
      r->scratch->pointers[i] = value->kind != JIT_KIND_TENSOR ? number_of(r, value, operand)
                                : data                         ? data
                                                               : r->scratch->arena;
    }
  }
}

static int overlaps(const run *r, const char *data, int64_t bytes, size_t *argument) {
  for (int32_t i = 0; i < r->variant->operand_count; ++i) {
    const jit_operand *operand = &r->variant->operands[i];
    const char *other = r->scratch->pointers[i];
    *argument = (size_t)(operand->from.depth > 0 ? operand->from.path[0] : 0);
    if (operand->from.place == JIT_PLACE_ARGUMENT && data < other + operand->bytes &&
        other < data + bytes)
      return 1;
  }
  return 0;
}

static jit_status check_result(run *r, const jit_output *output, const jit_value *result) {
  const jit_tensor *tensor = &result->as.tensor;
  int is_right = result->kind == JIT_KIND_TENSOR && tensor->dtype == output->type.dtype &&
                 tensor->rank == output->type.count && (tensor->rank == 0 || tensor->sizes);
  for (int32_t i = 0; is_right && i < tensor->rank; ++i)
    is_right = tensor->sizes[i] == output->type.sizes[i];
  if (!is_right) {
    char text[512];
    jit_text expected = {text, sizeof text, 0};
    jit_append_pattern(&expected, &output->type);
    jit_append(&expected, ", got ");
    jit_append_value(&expected, result);
    return jit_fail(r->error, JIT_INVALID_ARGUMENT, "result %d: expected %s", output->to.index,
                    text);
  }
  int64_t step = 1;
  for (int32_t i = tensor->rank - 1; i >= 0; --i) {
    if (tensor->strides && tensor->sizes[i] != 1 && tensor->strides[i] != step)
      return jit_fail(r->error, JIT_INVALID_ARGUMENT,
                      "result %d: expected row-major memory without gaps, got other strides",
                      output->to.index);
    step *= tensor->sizes[i];
  }
  if ((uintptr_t)tensor->data % (uintptr_t)jit_element_size(tensor->dtype))
    return jit_fail(r->error, JIT_INVALID_ARGUMENT,
                    "result %d: expected data aligned to its elements' size, got an odd address",
                    output->to.index);
  size_t argument;
  if (overlaps(r, tensor->data, output->bytes, &argument))
    return jit_fail(r->error, JIT_INVALID_ARGUMENT,
                    "result %d: expected memory of its own, got that of argument %zu",
                    output->to.index, argument);
  return JIT_OK;
}

/* A result's memory: the caller's, or new. */
static jit_status place_result(run *r, const jit_output *output, void **pointer) {
  jit_value *result = &r->results[output->to.index];
  if (result->kind == JIT_KIND_TENSOR && result->as.tensor.data) {
    *pointer = result->as.tensor.data;
    return check_result(r, output, result);
  }
  *pointer = jit_allocate(output->bytes);
  return *pointer ? JIT_OK
                  : jit_fail(r->error, JIT_LIMIT_EXCEEDED,
                             "out of memory for a result of %lld bytes", (long long)output->bytes);
}

static int is_new_result(const run *r, const jit_output *output) {
  return output->type.kind == JIT_KIND_TENSOR && output->to.place == JIT_PLACE_RESULT &&
         !(r->results[output->to.index].kind == JIT_KIND_TENSOR &&
           r->results[output->to.index].as.tensor.data);
}

static jit_status place_outputs(run *r, int32_t *placed) {
  const jit_variant *variant = r->variant;
  void **pointers = r->scratch->pointers + variant->operand_count;
  for (*placed = 0; *placed < variant->output_count; ++*placed) {
    const jit_output *output = &variant->outputs[*placed];
    void **pointer = &pointers[*placed];
    *pointer = r->scratch->arena + output->scratch;
    if (output->type.kind != JIT_KIND_TENSOR)
      continue;
    if (output->to.place == JIT_PLACE_CELL)
      *pointer = spare_cell(r->module, output->to.index);
    if (output->to.place != JIT_PLACE_RESULT)
      continue;
    *pointer = NULL;
    jit_status status = place_result(r, output, pointer);
    if (status != JIT_OK) {
      *placed += *pointer && is_new_result(r, output);
      return status;
    }
  }
  return JIT_OK;
}

static void free_new_results(run *r, int32_t placed) {
  for (int32_t i = 0; i < placed; ++i)
    if (is_new_result(r, &r->variant->outputs[i]))
      free(r->scratch->pointers[r->variant->operand_count + i]);
}

/* Brings a result to a place; `data` may be that place already. */
static void deliver(run *r, const jit_output *output, const jit_location *to, void *data) {
  if (to->place == JIT_PLACE_CELL) {
    char *cell = spare_cell(r->module, to->index);
    if (cell != data)
      memcpy(cell, data, (size_t)output->bytes);
    r->module->current[to->index] ^= 1;
  } else if (to->place == JIT_PLACE_ARGUMENT && output->bytes > 0) {
    memcpy(jit_follow(r->arguments, to)->as.tensor.data, data, (size_t)output->bytes);
  } else if (to->place == JIT_PLACE_RESULT) {
    jit_value *result = &r->results[to->index];
    result->kind = output->type.kind;
    if (output->type.kind == JIT_KIND_TENSOR)
      result->as.tensor =
          (jit_tensor){data, output->type.sizes, NULL, output->type.count, output->type.dtype};
    else if (output->type.kind == JIT_KIND_BOOL)
      result->as.integer = *(uint8_t *)data != 0;
    else
      memcpy(&result->as, data, sizeof(int64_t));
  }
}

static void deliver_all(run *r) {
  const jit_variant *variant = r->variant;
  void **pointers = r->scratch->pointers + variant->operand_count;
  for (int32_t i = 0; i < variant->output_count; ++i)
    deliver(r, &variant->outputs[i], &variant->outputs[i].to, pointers[i]);
  for (int32_t i = 0; i < variant->copy_count; ++i) {
    int32_t from = variant->copies[i].output;
    deliver(r, &variant->outputs[from], &variant->copies[i].to, pointers[from]);
  }
  for (int32_t i = 0; i < variant->sets_count; ++i)
    r->module->kinds[variant->sets[i].slot] = variant->sets[i].kind;
}

/* With the state's lock held. */
static jit_status run_variant(run *r) {
  r->scratch = jit_take_scratch(r->module);
  if (!r->scratch)
    return jit_fail(r->error, JIT_LIMIT_EXCEEDED, "out of memory for scratch of %lld bytes",
                    (long long)r->module->package->arena_bytes);
  prepare(r);
  place_operands(r);
  int32_t placed = 0;
  jit_status status = place_outputs(r, &placed);
  if (status == JIT_OK) {
    jit_call call = {.pool = r->module->pool};
    if (r->variant->run(&call, r->scratch->pointers) != 0)
      status = jit_fail_raised(r->error, &call);
  }
  if (status == JIT_OK)
    deliver_all(r);
  else
    free_new_results(r, placed);
  jit_return_scratch(r->module, r->scratch);
  return status;
}

__attribute__((visibility("default"))) jit_status
jit_artifact_call(jit_module *module, const char *method, const jit_value *arguments, size_t count,
                  jit_value *results, size_t result_count, jit_error *error) {
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
  run r = {.module = module, .arguments = arguments, .results = results, .error = error};
  jit_status status = jit_find_variant(module, entry, arguments, count, &r.variant, error);
  if (status == JIT_OK && result_count != (size_t)r.variant->result_count)
    status = jit_fail(error, JIT_INVALID_ARGUMENT, "%s: expected room for %d results, got %zu",
                      entry->name, r.variant->result_count, result_count);
  if (status == JIT_OK)
    status = run_variant(&r);
  if (entry->writes_state || entry->reads_state)
    pthread_rwlock_unlock(&module->state_lock);
  return status;
}
