/*===- Sharing.c - whose memory the tensors of a call lie in ----------------===*/
#include "Run.h"

int jit_any_tensor(const jit_pattern *patterns, const jit_value *values, int32_t count,
                   jit_tensor_test test, const void *with) {
  for (int32_t i = 0; i < count; ++i) {
    int is_nested = patterns[i].kind == JIT_KIND_LIST || patterns[i].kind == JIT_KIND_TUPLE;
    if (patterns[i].kind == JIT_KIND_TENSOR && test(&patterns[i], &values[i], with))
      return 1;
    if (is_nested &&
        jit_any_tensor(patterns[i].items, values[i].as.list.items, patterns[i].count, test, with))
      return 1;
  }
  return 0;
}

int jit_are_parts(const jit_pattern *one, const jit_pattern *other) {
  return one->part && other->part && one->part->memory == other->part->memory;
}

/* Bytes that a tensor's elements lie between; of a part all of the memory. */
typedef struct memory {
  const char *begin;
  int64_t bytes;
  const jit_pattern *pattern; /* of the tensor `of`; NULL: there is none */
  const jit_value *of;
} memory;

static memory memory_of(const jit_pattern *pattern, const jit_value *value) {
  const jit_tensor *tensor = &value->as.tensor;
  memory found = {.pattern = pattern, .of = value};
  jit_find_range(tensor, &found.begin, &found.bytes);
  if (pattern->part) {
    int64_t size = jit_element_size(tensor->dtype);
    found.begin = (const char *)tensor->data - pattern->part->offset * size;
    found.bytes = pattern->part->extent * size;
  }
  return found;
}

/* Whether a tensor lies where another one does, unless the program knows. */
static int shares(const jit_pattern *pattern, const jit_value *value, const void *with) {
  const memory *other = with;
  if (value == other->of || (other->pattern && jit_are_parts(pattern, other->pattern)))
    return 0;
  memory own = memory_of(pattern, value);
  return jit_overlap(own.begin, own.bytes, other->begin, other->bytes);
}

/* The first argument that has a tensor there; -1: none. */
static int32_t find_sharer(const run *r, const memory *where) {
  for (int32_t i = 0; i < r->variant->argument_count; ++i)
    if (jit_any_tensor(&r->variant->arguments[i], &r->arguments[i], 1, shares, where))
      return i;
  return -1;
}

int32_t jit_find_argument(const run *r, const void *data, int64_t bytes) {
  return find_sharer(r, &(memory){.begin = data, .bytes = bytes});
}

jit_status jit_check_apart(run *r) {
  for (int32_t i = 0; i < r->variant->argument_count; ++i) {
    if (r->variant->arguments[i].kind != JIT_KIND_TENSOR)
      continue;
    memory own = memory_of(&r->variant->arguments[i], &r->arguments[i]);
    int32_t other = find_sharer(r, &own);
    if (other >= 0)
      return jit_fail(r->error, JIT_UNSUPPORTED,
                      "argument %d: expected memory of its own, as the program may depend on it, "
                      "got some that argument %d has too",
                      i, other);
  }
  return JIT_OK;
}

static int is_read_only(const jit_pattern *pattern, const jit_value *value, const void *with) {
  const memory *written = with;
  return (value->flags & JIT_READ_ONLY) &&
         (value == written->of || jit_are_parts(pattern, written->pattern));
}

/* An argument that is written takes its new elements after the call: who else shows its memory
   would have seen them in the course of it. */
static jit_status check_written(run *r, const jit_location *to) {
  const jit_variant *variant = r->variant;
  if (to->place != JIT_PLACE_ARGUMENT)
    return JIT_OK;
  memory own = memory_of(jit_follow_pattern(variant, to), jit_follow(r->arguments, to));
  if (jit_any_tensor(variant->arguments, r->arguments, variant->argument_count, is_read_only, &own))
    return jit_fail(r->error, JIT_INVALID_ARGUMENT,
                    "argument %d: expected memory that may be written, as the program writes it in "
                    "place, got read-only memory",
                    to->path[0]);
  /* Of parts the program knows which elements share a place. */
  if (!own.pattern->part && jit_overlaps_itself(&own.of->as.tensor))
    return jit_fail(r->error, JIT_UNSUPPORTED,
                    "argument %d: expected elements with a place each where the program writes "
                    "them, got strides under which some share one",
                    to->path[0]);
  int32_t other = find_sharer(r, &own);
  if (other < 0)
    return JIT_OK;
  return jit_fail(r->error, JIT_UNSUPPORTED,
                  "argument %d: expected memory of its own where the program writes it, got some "
                  "that argument %d has too",
                  to->path[0], other);
}

jit_status jit_check_written(run *r) {
  const jit_variant *variant = r->variant;
  jit_status status = JIT_OK;
  for (int32_t i = 0; status == JIT_OK && i < variant->output_count; ++i)
    status = check_written(r, &variant->outputs[i].to);
  for (int32_t i = 0; status == JIT_OK && i < variant->copy_count; ++i)
    status = check_written(r, &variant->copies[i].to);
  return status;
}
