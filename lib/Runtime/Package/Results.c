/*===- Results.c - where a call's results lie and go ------------------------===*/
#include "Run.h"

#include <stdlib.h>
#include <string.h>

static char *spare_cell(const jit_module *module, int32_t cell) {
  return module->cells[jit_spare_side(module, cell)];
}

static jit_status refuse_place(run *r, const jit_output *output, const char *whose, size_t number) {
  return jit_fail(r->error, JIT_INVALID_ARGUMENT,
                  "result %d: expected memory of its own, got that of %s %zu", output->to.index,
                  whose, number);
}

/* Compiled code takes it that what it writes is nobody else's: neither an argument's, also one that
   it does not read, nor another result's, nor the state's. */
static jit_status check_overlap(run *r, const jit_output *output, const jit_made *made) {
  const jit_variant *variant = r->variant;
  int32_t argument = jit_find_argument(r, made->data, made->bytes);
  if (argument >= 0)
    return refuse_place(r, output, "argument", (size_t)argument);
  for (int32_t i = 0; i < variant->output_count; ++i) {
    const jit_made *other = &r->scratch->made[i];
    if (other != made && variant->outputs[i].to.place == JIT_PLACE_RESULT &&
        jit_overlap(made->data, made->bytes, other->data, other->bytes))
      return refuse_place(r, output, "result", (size_t)variant->outputs[i].to.index);
  }
  const jit_package *package = r->module->package;
  for (int32_t i = 0; i < 2 * package->cell_count; ++i)
    if (jit_overlap(made->data, made->bytes, r->module->cells[i], package->cells[i / 2].bytes))
      return jit_fail(r->error, JIT_INVALID_ARGUMENT,
                      "result %d: expected memory of its own, got that of the module's state",
                      output->to.index);
  return JIT_OK;
}

/* `type` with the sizes that this call's result has. */
static jit_status refuse_kind(run *r, const jit_output *output, const int64_t *sizes) {
  char text[512];
  jit_text expected = {text, sizeof text, 0};
  jit_pattern type = output->type;
  type.sizes = sizes;
  jit_append_pattern(&expected, &type);
  jit_append(&expected, ", got ");
  jit_append_value(&expected, &r->results[output->to.index]);
  return jit_fail(r->error, JIT_INVALID_ARGUMENT, "result %d: expected %s", output->to.index, text);
}

static jit_status check_memory(run *r, const jit_output *output, const jit_made *made) {
  const jit_tensor *tensor = &r->results[output->to.index].as.tensor;
  if (made->bytes > 0 && !jit_is_row_major(tensor))
    return jit_fail(r->error, JIT_INVALID_ARGUMENT,
                    "result %d: expected row-major memory without gaps, got other strides",
                    output->to.index);
  if ((uintptr_t)tensor->data % (uintptr_t)jit_element_alignment(tensor->dtype))
    return jit_fail(
        r->error, JIT_INVALID_ARGUMENT,
        "result %d: expected data aligned to its elements' size, got a misaligned address",
        output->to.index);
  return check_overlap(r, output, made);
}

static int is_given(const run *r, const jit_output *output) {
  const jit_value *result = &r->results[output->to.index];
  return output->to.place == JIT_PLACE_RESULT && result->kind == JIT_KIND_TENSOR &&
         result->as.tensor.data;
}

/* The caller's memory, which has to be of just these sizes. */
static jit_status take_given(run *r, const jit_output *output, jit_made *made) {
  const jit_tensor *tensor = &r->results[output->to.index].as.tensor;
  int is_right = tensor->dtype == output->type.dtype && tensor->rank == output->type.count &&
                 (tensor->rank == 0 || tensor->sizes);
  for (int32_t i = 0; is_right && i < tensor->rank; ++i)
    is_right = tensor->sizes[i] == made->sizes[i];
  if (!is_right)
    return refuse_kind(r, output, made->sizes);
  made->data = tensor->data;
  return check_memory(r, output, made);
}

static jit_status refuse_allocation(run *r, int64_t bytes) {
  return jit_fail(r->error, JIT_LIMIT_EXCEEDED, "out of memory for a result of %lld bytes",
                  (long long)bytes);
}

static jit_status place_result(run *r, const jit_output *output, jit_made *made) {
  if (is_given(r, output))
    return take_given(r, output, made);
  if (r->options && made->bytes > 0)
    return jit_fail(r->error, JIT_INVALID_ARGUMENT,
                    "result %d: expected memory for it, as the call is in a stream, got null",
                    output->to.index);
  made->data = jit_allocate(made->bytes);
  made->is_new = made->data != NULL;
  return made->data ? JIT_OK : refuse_allocation(r, made->bytes);
}

/* What an operand becomes. Of an argument whose sizes the call tells, it has these. */
static jit_made made_in_place(const run *r, const jit_output *output) {
  const jit_operand *operand = &r->variant->operands[output->in_place];
  jit_made made = {r->scratch->pointers[output->in_place], output->type.sizes, output->bytes, 0};
  if (output->bytes >= 0)
    return made;
  const jit_tensor *tensor = &jit_follow(r->arguments, &operand->from)->as.tensor;
  made.sizes = tensor->sizes;
  made.bytes = jit_count_bytes(tensor->dtype, tensor->rank, tensor->sizes);
  return made;
}

jit_status jit_place_results(run *r) {
  const jit_variant *variant = r->variant;
  void **pointer = r->scratch->pointers + variant->operand_count;
  memset(r->scratch->made, 0, (size_t)variant->output_count * sizeof *r->scratch->made);
  for (int32_t i = 0; i < variant->output_count; ++i) {
    const jit_output *output = &variant->outputs[i];
    jit_made *made = &r->scratch->made[i];
    if (output->in_place >= 0)
      *made = made_in_place(r, output);
    if (output->bytes < 0)
      continue;
    if (output->in_place >= 0) {
      pointer++;
      continue;
    }
    *made = (jit_made){r->scratch->arena + output->scratch, output->type.sizes, output->bytes, 0};
    if (output->to.place == JIT_PLACE_CELL)
      made->data = spare_cell(r->module, output->to.index);
    jit_status status = JIT_OK;
    if (output->to.place == JIT_PLACE_RESULT && output->type.kind == JIT_KIND_TENSOR)
      status = place_result(r, output, made);
    if (status != JIT_OK)
      return status;
    *pointer++ = made->data;
  }
  return JIT_OK;
}

/* New memory with the sizes behind the elements: who frees these frees both. */
static jit_status allocate_open(run *r, const jit_output *output, jit_made *made) {
  size_t sizes_bytes = (size_t)output->type.count * sizeof(int64_t);
  int64_t room = made->bytes > INT64_MAX / 2 ? -1 : (made->bytes + 7) / 8 * 8;
  char *data = room < 0 ? NULL : jit_allocate(room + (int64_t)sizes_bytes);
  if (!data)
    return refuse_allocation(r, made->bytes);
  memcpy(data + room, made->sizes, sizes_bytes);
  *made = (jit_made){data, (const int64_t *)(data + room), made->bytes, 1};
  return JIT_OK;
}

static jit_status place_open(run *r, int32_t number, const int64_t *open_sizes) {
  const jit_output *output = &r->variant->outputs[number];
  jit_made *made = &r->scratch->made[number];
  int64_t sizes[64], bytes = 0;
  if (output->type.count > (int32_t)(sizeof sizes / sizeof *sizes))
    return jit_fail(r->error, JIT_UNSUPPORTED,
                    "expected a result of at most 64 dimensions, got one of %d",
                    output->type.count);
  if (made->is_new)
    free(made->data);
  *made = (jit_made){0};
  jit_status status = jit_size_result(output->type.dtype, output->type.count, output->type.sizes,
                                      open_sizes, sizes, &bytes, r->error);
  if (status != JIT_OK)
    return status;
  *made = (jit_made){NULL, sizes, bytes, 0};
  if (!is_given(r, output))
    return allocate_open(r, output, made);
  status = take_given(r, output, made);
  made->sizes = r->results[output->to.index].as.tensor.sizes;
  return status;
}

void *jit_place_open(jit_buffers *buffers, int32_t number, const int64_t *open_sizes) {
  run *r = (run *)buffers;
  buffers->refused = place_open(r, number, open_sizes);
  return buffers->refused == JIT_OK ? r->scratch->made[number].data : NULL;
}

/* What the memory of parts has become. */
typedef struct written {
  const jit_pattern *pattern; /* of one of the parts */
  char *data;
} written;

static int deliver_part(const jit_pattern *pattern, const jit_value *value, const void *with) {
  const written *whole = with;
  jit_tensor part = value->as.tensor;
  part.data =
      whole->data + (pattern->part ? pattern->part->offset : 0) * jit_element_size(part.dtype);
  if (jit_are_parts(pattern, whole->pattern))
    jit_copy_elements(&value->as.tensor, &part);
  return 0;
}

/* Brings what has changed of a memory, also between the elements of its parts. What has not may be
   others' there. */
static void deliver_changed(char *memory, const char *now, int64_t count, int64_t size) {
  for (int64_t at = 0; at < count * size; at += size)
    if (memcmp(memory + at, now + at, (size_t)size) != 0)
      memcpy(memory + at, now + at, (size_t)size);
}

static void deliver_argument(run *r, const jit_location *to, const jit_made *made) {
  const jit_variant *variant = r->variant;
  const jit_pattern *pattern = jit_follow_pattern(variant, to);
  const jit_tensor *tensor = &jit_follow(r->arguments, to)->as.tensor;
  jit_tensor rows = {made->data, tensor->sizes, NULL, tensor->rank, tensor->dtype};
  written whole = {pattern, made->data};
  int64_t size = jit_element_size(tensor->dtype);
  if (pattern->part && r->method->shows_gaps)
    deliver_changed((char *)tensor->data - pattern->part->offset * size, made->data,
                    pattern->part->extent, size);
  else if (pattern->part)
    jit_any_tensor(variant->arguments, r->arguments, variant->argument_count, deliver_part, &whole);
  else if (tensor->data != made->data)
    jit_copy_elements(tensor, &rows);
}

/* Brings a result to a place; its memory may be that place already. */
static void deliver(run *r, const jit_output *output, const jit_location *to, jit_made *made) {
  if (to->place == JIT_PLACE_CELL && output->in_place >= 0)
    return;
  if (to->place == JIT_PLACE_CELL) {
    char *cell = spare_cell(r->module, to->index);
    int is_there = r->variant->device && output->type.kind == JIT_KIND_TENSOR;
    if (!is_there && cell != made->data)
      memcpy(cell, made->data, (size_t)made->bytes);
    r->module->current[to->index] ^= 1;
  } else if (to->place == JIT_PLACE_ARGUMENT && made->bytes > 0) {
    if (!r->options)
      deliver_argument(r, to, made);
  } else if (to->place == JIT_PLACE_RESULT) {
    jit_value *result = &r->results[to->index];
    result->kind = output->type.kind;
    if (output->type.kind == JIT_KIND_TENSOR)
      result->as.tensor =
          (jit_tensor){made->data, made->sizes, NULL, output->type.count, output->type.dtype};
    else if (output->type.kind == JIT_KIND_BOOL)
      result->as.integer = *(uint8_t *)made->data != 0;
    else
      memcpy(&result->as, made->data, sizeof(int64_t));
    made->is_new = 0;
  }
}

/* An argument that has other sizes from now on. */
static void deliver_reshaped(run *r, const jit_copy *copy, const jit_made *made) {
  const jit_pattern *now = copy->becomes;
  const jit_tensor *before = &jit_follow(r->arguments, &copy->to)->as.tensor;
  jit_tensor rows = {made->data, now->sizes, NULL, now->count, now->dtype};
  jit_tensor tensor = rows;
  tensor.strides = now->strides;
  tensor.data = (char *)before->data + now->part->offset * jit_element_size(now->dtype);
  if (made->bytes > 0)
    jit_copy_elements(&tensor, &rows);
}

/* Whether what an argument is to be has the argument's sizes, where only the call tells them. */
static int keeps_sizes(const run *r, const jit_copy *copy) {
  const jit_output *output = &r->variant->outputs[copy->output];
  if (copy->to.place != JIT_PLACE_ARGUMENT || output->bytes >= 0)
    return 1;
  const jit_tensor *tensor = &jit_follow(r->arguments, &copy->to)->as.tensor;
  const int64_t *sizes = r->scratch->made[copy->output].sizes;
  for (int32_t i = 0; i < tensor->rank; ++i)
    if (tensor->sizes[i] != sizes[i])
      return 0;
  return 1;
}

int jit_hold(const run *r, const jit_test *tests, int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    if ((*(const uint8_t *)r->scratch->made[tests[i].output].data != 0) != tests[i].is)
      return 0;
  return 1;
}

jit_status jit_deliver_results(run *r) {
  const jit_variant *variant = r->variant;
  for (int32_t i = 0; i < variant->copy_count; ++i)
    if (!keeps_sizes(r, &variant->copies[i]))
      return jit_fail(r->error, JIT_INTERNAL,
                      "argument %d: expected sizes that a write keeps, got others",
                      variant->copies[i].to.path[0]);
  for (int32_t i = 0; i < variant->output_count; ++i)
    deliver(r, &variant->outputs[i], &variant->outputs[i].to, &r->scratch->made[i]);
  for (int32_t i = 0; i < variant->copy_count; ++i) {
    const jit_copy *copy = &variant->copies[i];
    if (!jit_hold(r, copy->tests, copy->test_count))
      continue;
    if (copy->becomes)
      deliver_reshaped(r, copy, &r->scratch->made[copy->output]);
    else
      deliver(r, &variant->outputs[copy->output], &copy->to, &r->scratch->made[copy->output]);
  }
  for (int32_t i = 0; i < variant->sets_count; ++i)
    if (jit_hold(r, variant->sets[i].tests, variant->sets[i].test_count))
      r->module->kinds[variant->sets[i].slot] = variant->sets[i].kind;
  return JIT_OK;
}

void jit_free_results(run *r) {
  for (int32_t i = 0; i < r->variant->output_count; ++i)
    if (r->scratch->made[i].is_new)
      free(r->scratch->made[i].data);
}
