/*===- ValueText.c - values in messages -------------------------------------===*/
#include "Module.h"

#include <string.h>

static void append_sizes(jit_text *text, int32_t dtype, int32_t rank, const int64_t *sizes,
                         const char *const *names) {
  jit_append(text, "%s[", jit_dtype_name(dtype));
  for (int32_t i = 0; i < rank; ++i) {
    if (sizes[i] < 0)
      jit_append(text, "%s%s", i ? "," : "", names && names[i][0] ? names[i] : "?");
    else
      jit_append(text, "%s%lld", i ? "," : "", (long long)sizes[i]);
  }
  jit_append(text, "]");
}

static void append_strides(jit_text *text, int32_t rank, const int64_t *strides) {
  jit_append(text, ":strides[");
  for (int32_t i = 0; i < rank; ++i)
    if (strides[i] == JIT_OPEN_STRIDE)
      jit_append(text, "%s?", i ? "," : "");
    else
      jit_append(text, "%s%lld", i ? "," : "", (long long)strides[i]);
  jit_append(text, "]");
}

static void append_tensor_pattern(jit_text *text, const jit_pattern *pattern) {
  append_sizes(text, pattern->dtype, pattern->count, pattern->sizes, pattern->size_names);
  if (pattern->strides)
    append_strides(text, pattern->count, pattern->strides);
  if (pattern->part)
    jit_append(text, ":part[%lld,%lld,%lld]", (long long)pattern->part->memory,
               (long long)pattern->part->offset, (long long)pattern->part->extent);
}

static void append_tensor(jit_text *text, const jit_tensor *tensor) {
  append_sizes(text, tensor->dtype, tensor->rank, tensor->sizes, NULL);
  for (int32_t i = 0; tensor->strides && i < tensor->rank; ++i)
    if (tensor->strides[i] != jit_row_major_stride(tensor, i))
      return append_strides(text, tensor->rank, tensor->strides);
}

/* As quoted() of jit/QuotedText.h. */
static void append_string(jit_text *text, const char *string) {
  jit_append(text, "\"");
  for (const char *c = string; *c; ++c) {
    unsigned char byte = (unsigned char)*c;
    if (byte < 0x20 || byte == 0x7f)
      jit_append(text, "\\x%02x", byte);
    else
      jit_append(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
  }
  jit_append(text, "\"");
}

static void append_number(jit_text *text, int32_t kind, int64_t word) {
  double real;
  memcpy(&real, &word, sizeof real);
  if (kind == JIT_KIND_INT)
    jit_append(text, "%lld", (long long)word);
  else if (kind == JIT_KIND_BOOL)
    jit_append(text, "%s", word ? "true" : "false");
  else
    jit_append_float(text, real);
}

void jit_append_pattern(jit_text *text, const jit_pattern *pattern) {
  static const char *const open[] = {"", "", "?int", "?float", "?bool"};
  switch (pattern->kind) {
  case JIT_KIND_NONE:
    jit_append(text, "none");
    return;
  case JIT_KIND_TENSOR:
    append_tensor_pattern(text, pattern);
    return;
  case JIT_KIND_STRING:
    append_string(text, pattern->text);
    return;
  case JIT_KIND_LIST:
  case JIT_KIND_TUPLE:
    jit_append(text, pattern->kind == JIT_KIND_LIST ? "[" : "(");
    for (int32_t i = 0; i < pattern->count; ++i) {
      jit_append(text, i ? ", " : "");
      jit_append_pattern(text, &pattern->items[i]);
    }
    jit_append(text, pattern->kind == JIT_KIND_LIST ? "]" : ")");
    return;
  default:
    if (pattern->open)
      jit_append(text, "%s", open[pattern->kind]);
    else
      append_number(text, pattern->kind, pattern->word);
  }
}

/* Bounded by the text's length, for a value may nest as deep as it likes. */
void jit_append_value(jit_text *text, const jit_value *value) {
  if (text->length + 1 >= text->size)
    return;
  switch (value->kind) {
  case JIT_KIND_NONE:
    jit_append(text, "none");
    return;
  case JIT_KIND_TENSOR:
    if (value->as.tensor.rank > 0 && !value->as.tensor.sizes)
      jit_append(text, "a tensor without sizes");
    else
      append_tensor(text, &value->as.tensor);
    return;
  case JIT_KIND_INT:
  case JIT_KIND_BOOL:
  case JIT_KIND_FLOAT:
    append_number(text, value->kind, value->as.integer);
    return;
  case JIT_KIND_STRING:
    append_string(text, value->as.string ? value->as.string : "");
    return;
  case JIT_KIND_LIST:
  case JIT_KIND_TUPLE:
    jit_append(text, value->kind == JIT_KIND_LIST ? "[" : "(");
    for (size_t i = 0; i < value->as.list.count && text->length + 1 < text->size; ++i) {
      jit_append(text, i ? ", " : "");
      jit_append_value(text, &value->as.list.items[i]);
    }
    jit_append(text, value->kind == JIT_KIND_LIST ? "]" : ")");
    return;
  default:
    jit_append(text, "a value of unknown kind %d", value->kind);
  }
}
