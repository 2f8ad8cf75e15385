/*===- Plan.c - does what a plan says ---------------------------------------===*/
#include "Device.h"

#include <string.h>

/* The most arguments of a kernel, by the bytes that CUDA has for them; of these, maps of tensors.
 */
enum { jit_most_kernel_arguments = 512, jit_most_maps = 8 };

typedef struct reader {
  jit_device *device;
  const jit_device_code *code;
  jit_loaded *loaded;
  const int64_t *at;
} reader;

static jit_status run_steps(reader *r, const int64_t *end);

static int64_t next(reader *r) { return *r->at++; }

static uint64_t operand(reader *r) {
  int64_t word = next(r);
  uint64_t offset = (uint64_t)next(r);
  return (word < 0 ? 0 : r->loaded->words[word]) + offset;
}

static jit_status check(reader *r, int result, const char *expected) {
  return jit_check_cuda(&r->device->cuda, result, expected, JIT_INTERNAL, r->device->error);
}

/* What the device reads of a map: opaque, made by the driver. */
typedef struct tensor_map {
  _Alignas(64) uint64_t words[16];
} tensor_map;

/* The argument at `words` becomes a map of what is at that address, at `pointers`. */
static jit_status encode(reader *r, const uint64_t *words, void **pointers, tensor_map *map) {
  const jit_cuda *cuda = &r->device->cuda;
  int64_t argument = next(r);
  /* CU_TENSOR_MAP_DATA_TYPE_FLOAT16 and _BFLOAT16; below, no interleaving, swizzles of 128 bytes,
     promotion to 256 bytes and zeros outside, by the driver's numbers. */
  int type = next(r) == JIT_F16 ? 6 : 9;
  uint64_t sizes[3], strides[2];
  uint32_t box[3], steps[3] = {1, 1, 1};
  for (int i = 0; i < 3; ++i)
    sizes[i] = (uint64_t)next(r);
  for (int i = 0; i < 2; ++i)
    strides[i] = (uint64_t)next(r);
  for (int i = 0; i < 3; ++i)
    box[i] = (uint32_t)next(r);
  if (!cuda->cuTensorMapEncodeTiled)
    return jit_fail(r->device->error, JIT_UNSUPPORTED,
                    "expected a CUDA driver with cuTensorMapEncodeTiled, got an older one");
  pointers[argument] = map;
  void *address = (void *)(uintptr_t)words[argument];
  return check(
      r,
      cuda->cuTensorMapEncodeTiled(map, type, 3, address, sizes, strides, box, steps, 0, 3, 3, 0),
      "a map of a kernel's argument");
}

static jit_status launch(reader *r) {
  int64_t kernel = next(r), count = next(r);
  if (count > jit_most_kernel_arguments)
    return jit_fail(r->device->error, JIT_UNSUPPORTED,
                    "expected kernels of at most %d arguments, got one of %lld",
                    jit_most_kernel_arguments, (long long)count);
  uint64_t words[jit_most_kernel_arguments];
  /* The driver reads as many bytes of each word as the parameter has: the lowest ones. */
  void *pointers[jit_most_kernel_arguments];
  for (int64_t i = 0; i < count; ++i) {
    words[i] = operand(r);
    pointers[i] = &words[i];
  }
  int64_t map_count = next(r);
  if (map_count > jit_most_maps)
    return jit_fail(r->device->error, JIT_UNSUPPORTED,
                    "expected kernels of at most %d maps, got one of %lld", jit_most_maps,
                    (long long)map_count);
  tensor_map maps[jit_most_maps];
  for (int64_t i = 0; i < map_count; ++i) {
    jit_status status = encode(r, words, pointers, &maps[i]);
    if (status != JIT_OK)
      return status;
  }
  const jit_kernel *started = &r->code->kernels[kernel];
  const uint32_t *grid = started->grid, *block = started->block;
  int result = r->device->cuda.cuLaunchKernel(
      r->loaded->functions[kernel], grid[0], grid[1], grid[2], block[0], block[1], block[2],
      started->shared_bytes, r->device->stream, pointers, NULL);
  return check(r, result, "a kernel that starts");
}

static jit_status copy(reader *r) {
  uint64_t to = operand(r), from = operand(r);
  size_t bytes = (size_t)next(r);
  return check(r, r->device->cuda.cuMemcpyDtoDAsync(to, from, bytes, r->device->stream),
               "to copy on the device");
}

/* A number as a word: an integer, or the bits of a double. */
static uint64_t widen(int64_t dtype, const void *bytes) {
  union {
    uint8_t u8;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    float f32;
    double f64;
    uint64_t word;
  } value;
  memcpy(&value, bytes, sizeof value);
  switch (dtype) {
  case JIT_BOOL:
  case JIT_U8:
    return value.u8;
  case JIT_I8:
    return (uint64_t)(int64_t)value.i8;
  case JIT_I16:
    return (uint64_t)(int64_t)value.i16;
  case JIT_I32:
    return (uint64_t)(int64_t)value.i32;
  case JIT_F32:
    value.f64 = value.f32;
    return value.word;
  default:
    return value.word;
  }
}

static jit_status read_number(reader *r) {
  int64_t word = next(r);
  uint64_t from = operand(r);
  int64_t dtype = next(r);
  char bytes[8] = {0};
  const jit_cuda *cuda = &r->device->cuda;
  jit_status status =
      check(r,
            cuda->cuMemcpyDtoHAsync(bytes, from, (size_t)jit_element_size((int32_t)dtype),
                                    r->device->stream),
            "to copy from the device");
  if (status == JIT_OK)
    status = check(r, cuda->cuStreamSynchronize(r->device->stream), "kernels that end well");
  r->loaded->words[word] = widen(dtype, bytes);
  return status;
}

static jit_status set(reader *r) {
  int64_t count = next(r);
  const int64_t *pairs = r->at;
  for (int64_t i = 0; i < count; ++i) {
    (void)next(r);
    r->loaded->values[i] = operand(r);
  }
  for (int64_t i = 0; i < count; ++i)
    r->loaded->words[pairs[3 * i]] = r->loaded->values[i];
  return JIT_OK;
}

static jit_status loop(reader *r) {
  int64_t word = next(r);
  int64_t lower = (int64_t)operand(r), upper = (int64_t)operand(r), step = (int64_t)operand(r);
  int64_t length = next(r);
  const int64_t *body = r->at;
  jit_status status = JIT_OK;
  for (int64_t i = lower; i < upper && status == JIT_OK;) {
    r->loaded->words[word] = (uint64_t)i;
    r->at = body;
    status = run_steps(r, body + length);
    if (step <= 0 || __builtin_add_overflow(i, step, &i))
      break;
  }
  r->at = body + length;
  return status;
}

static jit_status branch(reader *r) {
  int is_then = operand(r) != 0;
  int64_t then = next(r), otherwise = next(r);
  const int64_t *begin = r->at, *end = begin + then + otherwise;
  r->at = is_then ? begin : begin + then;
  jit_status status = run_steps(r, is_then ? begin + then : end);
  r->at = end;
  return status;
}

static jit_status repeat(reader *r) {
  const int64_t *condition = r->at;
  r->at += 2;
  int64_t before = next(r), body = next(r);
  const int64_t *begin = r->at, *end = begin + before + body;
  for (;;) {
    r->at = begin;
    jit_status status = run_steps(r, begin + before);
    if (status != JIT_OK)
      return status;
    r->at = condition;
    int goes_on = operand(r) != 0;
    r->at = begin + before;
    status = goes_on ? run_steps(r, end) : JIT_OK;
    if (!goes_on || status != JIT_OK) {
      r->at = end;
      return status;
    }
  }
}

static jit_status guard(reader *r) {
  int holds = operand(r) != 0;
  int64_t class = next(r), message = next(r), place = next(r), count = next(r);
  jit_arg arguments[JIT_MAX_FAIL_ARGS];
  for (int64_t i = 0; i < count; ++i) {
    int64_t kind = next(r);
    uint64_t word = operand(r);
    if (i >= JIT_MAX_FAIL_ARGS)
      continue;
    arguments[i].kind = kind;
    memcpy(&arguments[i].value, &word, sizeof word);
  }
  if (holds)
    return JIT_OK;
  jit_call call = {0};
  const char *const *text = r->code->texts;
  jit_rt_fail(&call, text[class], text[message], text[place], count, arguments);
  return jit_fail_raised(r->device->error, &call);
}

static jit_status run_step(reader *r) {
  switch ((jit_plan_step)next(r)) {
  case JIT_PLAN_LAUNCH:
    return launch(r);
  case JIT_PLAN_COPY:
    return copy(r);
  case JIT_PLAN_READ:
    return read_number(r);
  case JIT_PLAN_SET:
    return set(r);
  case JIT_PLAN_LOOP:
    return loop(r);
  case JIT_PLAN_BRANCH:
    return branch(r);
  case JIT_PLAN_WHILE:
    return repeat(r);
  case JIT_PLAN_GUARD:
    return guard(r);
  }
  return jit_fail(r->device->error, JIT_INTERNAL, "expected a step of a plan");
}

static jit_status run_steps(reader *r, const int64_t *end) {
  jit_status status = JIT_OK;
  while (status == JIT_OK && r->at < end)
    status = run_step(r);
  return status;
}

jit_status jit_run_plan(jit_device *device, const jit_device_code *code, jit_loaded *loaded,
                        const jit_plan *plan) {
  reader r = {device, code, loaded, plan->code};
  return run_steps(&r, plan->code + plan->length);
}
