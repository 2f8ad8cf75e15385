/*===- Guards.c - which code a call is for, and why there is none -----------===*/
#include "Module.h"

#include <string.h>

/* How a value misses a pattern; the larger, the nearer. */
typedef enum fit {
  OTHER_KIND,
  TOO_LARGE,
  NOT_ROW_MAJOR,
  NOT_A_PART,
  NOT_ALIGNED,
  NO_MEMORY,
  FITS
} fit;

/* What the arguments that were looked at have settled for those that follow. A bit says which
   element of an array is: most calls have none, and are not to pay for clearing them. */
typedef struct settled {
  int asks_strides; /* the method: then those of dimensions of size 1 count, too */
  uint32_t has_size, has_memory;
  int64_t sizes[JIT_MAX_OPEN_SIZES];
  uintptr_t memories[JIT_MAX_MEMORIES]; /* where they begin */
} settled;

_Static_assert(JIT_MAX_OPEN_SIZES <= 32 && JIT_MAX_MEMORIES <= 32, "a bit for each");

static int has_row_major_strides(const jit_tensor *tensor) {
  for (int32_t i = 0; tensor->strides && i < tensor->rank; ++i)
    if (tensor->strides[i] != jit_row_major_stride(tensor, i))
      return 0;
  return 1;
}

static int fits_strides(const jit_pattern *pattern, const jit_tensor *tensor) {
  for (int32_t i = 0; pattern->strides && i < tensor->rank; ++i)
    if (pattern->strides[i] != JIT_OPEN_STRIDE && pattern->strides[i] != jit_stride(tensor, i))
      return 0;
  return 1;
}

/* The distances between parts of a memory are the program's. */
static int fits_part(const jit_part *part, const jit_tensor *tensor, settled *call) {
  if (!part)
    return 1;
  uintptr_t offset = (uintptr_t)(part->offset * jit_element_size(tensor->dtype));
  uintptr_t begin = (uintptr_t)tensor->data - offset;
  if (!(call->has_memory >> part->memory & 1))
    call->memories[part->memory] = begin;
  call->has_memory |= UINT32_C(1) << part->memory;
  return call->memories[part->memory] == begin;
}

static fit match_memory(const jit_pattern *pattern, const jit_value *value, settled *call) {
  const jit_tensor *tensor = &value->as.tensor;
  int64_t bytes = jit_count_bytes(tensor->dtype, tensor->rank, tensor->sizes);
  if (bytes < 0)
    return TOO_LARGE;
  /* Without elements there is nothing whose place could be wrong. */
  int may_copy = (value->flags & JIT_MAY_COPY) && !call->asks_strides;
  if (!pattern->strides && bytes > 0 && !may_copy && !jit_is_row_major(tensor))
    return NOT_ROW_MAJOR;
  if (!pattern->strides && call->asks_strides && !has_row_major_strides(tensor))
    return NOT_ROW_MAJOR;
  const char *begin;
  int64_t reach;
  if (tensor->strides && !jit_find_range(tensor, &begin, &reach))
    return TOO_LARGE;
  if (!tensor->data)
    return bytes == 0 ? FITS : NO_MEMORY;
  if ((uintptr_t)tensor->data % (uintptr_t)jit_element_alignment(tensor->dtype))
    return NOT_ALIGNED;
  return fits_part(pattern->part, tensor, call) ? FITS : NOT_A_PART;
}

/* A numbered size is at least 2 and equal to others of its number. */
static int fits_size(int64_t expected, int64_t size, settled *call) {
  if (expected >= JIT_OPEN_SIZE)
    return expected == JIT_OPEN_SIZE ? size >= 0 : size == expected;
  int64_t number = JIT_OPEN_SIZE - 1 - expected;
  if (!(call->has_size >> number & 1))
    call->sizes[number] = size;
  call->has_size |= UINT32_C(1) << number;
  return size >= 2 && call->sizes[number] == size;
}

static fit match_tensor(const jit_pattern *pattern, const jit_value *value, settled *call) {
  const jit_tensor *tensor = &value->as.tensor;
  if (tensor->dtype != pattern->dtype || tensor->rank != pattern->count ||
      (tensor->rank > 0 && !tensor->sizes))
    return OTHER_KIND;
  for (int32_t i = 0; i < tensor->rank; ++i)
    if (!fits_size(pattern->sizes[i], tensor->sizes[i], call))
      return OTHER_KIND;
  return fits_strides(pattern, tensor) ? match_memory(pattern, value, call) : OTHER_KIND;
}

/* Only as deep as the pattern. */
static fit match(const jit_pattern *pattern, const jit_value *value, settled *call) {
  /* Python's ints go wherever floats do. */
  int is_int_as_float = pattern->kind == JIT_KIND_FLOAT && value->kind == JIT_KIND_INT;
  if (value->kind != pattern->kind && !is_int_as_float)
    return OTHER_KIND;
  int64_t word = value->as.integer;
  switch (pattern->kind) {
  case JIT_KIND_TENSOR:
    return match_tensor(pattern, value, call);
  case JIT_KIND_BOOL:
    return pattern->open || !word == !pattern->word ? FITS : OTHER_KIND;
  case JIT_KIND_FLOAT:
    if (is_int_as_float) {
      double real = (double)word;
      memcpy(&word, &real, sizeof word);
    }
    return pattern->open || word == pattern->word ? FITS : OTHER_KIND;
  case JIT_KIND_INT:
    return pattern->open || word == pattern->word ? FITS : OTHER_KIND;
  case JIT_KIND_STRING:
    return value->as.string && strcmp(value->as.string, pattern->text) == 0 ? FITS : OTHER_KIND;
  case JIT_KIND_LIST:
  case JIT_KIND_TUPLE:
    if (value->as.list.count != (size_t)pattern->count)
      return OTHER_KIND;
    for (int32_t i = 0; i < pattern->count; ++i) {
      fit item = match(&pattern->items[i], &value->as.list.items[i], call);
      if (item != FITS)
        return item;
    }
    return FITS;
  default:
    return FITS;
  }
}

static int fits_state(const jit_module *module, const jit_variant *variant) {
  for (int32_t i = 0; i < variant->needs_count; ++i)
    if (module->kinds[variant->needs[i].slot] != variant->needs[i].kind)
      return 0;
  return 1;
}

/* The first argument that misses, and how; FITS where none does. */
static fit match_call(const jit_method *method, const jit_variant *variant,
                      const jit_value *arguments, size_t *at) {
  settled call;
  call.asks_strides = method->depends_on_strides;
  call.has_size = call.has_memory = 0;
  for (int32_t i = 0; i < variant->argument_count; ++i) {
    fit found = match(&variant->arguments[i], &arguments[i], &call);
    *at = (size_t)i;
    if (found != FITS)
      return found;
  }
  return FITS;
}

static jit_status explain_memory(const jit_method *method, const jit_variant *variant, size_t at,
                                 fit found, jit_error *error) {
  static const char *const expected[] = {
      [TOO_LARGE] = "sizes that fit in memory, got more bytes than can be counted",
      [NOT_ROW_MAJOR] = "row-major memory without gaps, got other strides",
      [NOT_A_PART] = "a part of a memory beside its other parts, got another place",
      [NOT_ALIGNED] = "data aligned to its elements' size, got a misaligned address",
      [NO_MEMORY] = "data, got a null pointer"};
  char kind[256];
  jit_text text = {kind, sizeof kind, 0};
  jit_append_pattern(&text, &variant->arguments[at]);
  return jit_fail(error, found == TOO_LARGE ? JIT_LIMIT_EXCEEDED : JIT_INVALID_ARGUMENT,
                  "argument '%s' of %s: expected %s as %s", method->argument_names[at],
                  method->name, kind, expected[found]);
}

static void explain_names(jit_text *text, const jit_variant *variant) {
  if (variant->open_count > 0)
    jit_append(text, " (a name: any size of at least 2, the same wherever it stands)");
}

/* With one kind of call the argument that misses; with several all that there are. */
static jit_status explain(const jit_package *package, const jit_method *method,
                          const jit_value *arguments, size_t count, jit_error *error) {
  const jit_variant *first = &package->variants[method->first_variant];
  if (!error)
    return JIT_INVALID_ARGUMENT;
  jit_fail(error, JIT_INVALID_ARGUMENT, "%s", "");
  jit_text text = {error->message, sizeof error->message, 0};
  int is_only = 1;
  for (int32_t i = 1; i < method->variant_count; ++i)
    is_only &= first[i].arguments == first->arguments;
  size_t at = 0;
  if (is_only && count == (size_t)first->argument_count &&
      match_call(method, first, arguments, &at) != FITS) {
    jit_append(&text, "argument '%s' of %s: expected ", method->argument_names[at], method->name);
    jit_append_pattern(&text, &first->arguments[at]);
    jit_append(&text, ", got ");
    jit_append_value(&text, &arguments[at]);
    explain_names(&text, first);
    return JIT_INVALID_ARGUMENT;
  }
  jit_append(&text, "expected a call that was compiled, got %s(", method->name);
  for (size_t i = 0; i < count; ++i) {
    jit_append(&text, i ? ", " : "");
    jit_append_value(&text, &arguments[i]);
  }
  jit_append(&text, "); there are:");
  for (int32_t i = 0; i < method->variant_count; ++i) {
    if (i > 0 && first[i].arguments == first[i - 1].arguments)
      continue;
    jit_append(&text, "\n  %s(", method->name);
    for (int32_t k = 0; k < first[i].argument_count; ++k) {
      jit_append(&text, k ? ", " : "");
      jit_append_pattern(&text, &first[i].arguments[k]);
    }
    jit_append(&text, ")");
    explain_names(&text, &first[i]);
  }
  return JIT_INVALID_ARGUMENT;
}

jit_status jit_find_variant(const jit_module *module, const jit_method *method,
                            const jit_value *arguments, size_t count, const jit_variant **variant,
                            jit_error *error) {
  const jit_variant *all = &module->package->variants[method->first_variant];
  const jit_variant *nearest = NULL;
  size_t nearest_at = 0;
  fit nearest_fit = OTHER_KIND;
  for (int32_t i = 0; i < method->variant_count; ++i) {
    if (count != (size_t)all[i].argument_count)
      continue;
    size_t at = 0;
    fit found = match_call(method, &all[i], arguments, &at);
    if (found == FITS && fits_state(module, &all[i])) {
      if (all[i].refusal)
        return jit_fail(error, JIT_UNSUPPORTED, "%s, as the state is now: %s", method->name,
                        all[i].refusal);
      *variant = &all[i];
      return JIT_OK;
    }
    if (found > nearest_fit) {
      nearest_fit = found;
      nearest = &all[i];
      nearest_at = at;
    }
  }
  if (nearest_fit == FITS)
    return jit_fail(error, JIT_INVALID_ARGUMENT,
                    "expected %s to be called after the calls that it was compiled for",
                    method->name);
  if (nearest)
    return explain_memory(method, nearest, nearest_at, nearest_fit, error);
  return explain(module->package, method, arguments, count, error);
}

const jit_method *jit_find_method(const jit_package *package, const char *name, jit_error *error) {
  for (int32_t i = 0; name && i < package->method_count; ++i)
    if (strcmp(package->methods[i].name, name) == 0)
      return &package->methods[i];
  char known[512];
  jit_text text = {known, sizeof known, 0};
  known[0] = 0;
  for (int32_t i = 0; i < package->method_count; ++i)
    jit_append(&text, "%s%s", i ? ", " : "", package->methods[i].name);
  jit_fail(error, JIT_NOT_FOUND, "expected one of the methods %s, got '%s'", known,
           name ? name : "");
  return NULL;
}

const jit_value *jit_follow(const jit_value *arguments, const jit_location *location) {
  const jit_value *value = &arguments[location->path[0]];
  for (int32_t i = 1; i < location->depth; ++i)
    value = &value->as.list.items[location->path[i]];
  return value;
}

const jit_pattern *jit_follow_pattern(const jit_variant *variant, const jit_location *location) {
  const jit_pattern *pattern = &variant->arguments[location->path[0]];
  for (int32_t i = 1; i < location->depth; ++i)
    pattern = &pattern->items[location->path[i]];
  return pattern;
}
