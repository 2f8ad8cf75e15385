/*===- Plan.c - does what a plan says ---------------------------------------===*/
#include "Plan.h"

#include "Sizes.h"

#include <string.h>

/* The most arguments of a kernel, by the bytes that CUDA has for them; of these, maps of tensors;
   and the most sizes of a result. */
enum { most_arguments = 512, most_maps = 8, most_sizes = 64 };

typedef struct reader {
  const jit_plan_call *call;
  const int64_t *at;
} reader;

static jit_status run_steps(reader *r, const int64_t *end);

static int64_t next(reader *r) { return *r->at++; }

static uint64_t *word_at(reader *r, int64_t number) { return &r->call->words[number]; }

static uint64_t operand(reader *r) {
  int64_t word = next(r);
  uint64_t offset = (uint64_t)next(r);
  return (word < 0 ? 0 : *word_at(r, word)) + offset;
}

/*===----------------------------------------------------------------------===*\
|* Work
\*===----------------------------------------------------------------------===*/

static jit_status launch(reader *r) {
  int64_t kernel = next(r), count = next(r);
  if (count > most_arguments)
    return jit_fail(r->call->error, JIT_UNSUPPORTED,
                    "expected kernels of at most %d arguments, got one of %lld", most_arguments,
                    (long long)count);
  uint64_t arguments[most_arguments];
  for (int64_t i = 0; i < count; ++i)
    arguments[i] = operand(r);
  int64_t map_count = next(r);
  if (map_count > most_maps)
    return jit_fail(r->call->error, JIT_UNSUPPORTED,
                    "expected kernels of at most %d maps, got one of %lld", most_maps,
                    (long long)map_count);
  jit_tensor_map maps[most_maps];
  memcpy(maps, r->at, (size_t)map_count * sizeof *maps);
  r->at += map_count * (int64_t)(sizeof *maps / sizeof *r->at);
  return r->call->actions->launch(r->call->device, kernel, arguments, count, maps, map_count);
}

static jit_status copy(reader *r) {
  uint64_t to = operand(r), from = operand(r);
  return r->call->actions->copy(r->call->device, to, from, next(r));
}

static jit_status use_library(reader *r) {
  int64_t number = next(r);
  uint64_t operands[3];
  for (int i = 0; i < 3; ++i)
    operands[i] = operand(r);
  return r->call->actions->use_library(r->call->device, number, operands);
}

/* A number as a word: an integer, or the bits of a double. */
static jit_status widen(reader *r, int64_t dtype, const void *bytes, uint64_t *word) {
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
    value.word = value.u8;
    break;
  case JIT_I8:
    value.word = (uint64_t)(int64_t)value.i8;
    break;
  case JIT_I16:
    value.word = (uint64_t)(int64_t)value.i16;
    break;
  case JIT_I32:
    value.word = (uint64_t)(int64_t)value.i32;
    break;
  case JIT_F32:
    value.f64 = value.f32;
    break;
  case JIT_I64:
  case JIT_F64:
    break;
  default:
    return jit_fail(r->call->error, JIT_INTERNAL, "expected a number that the host knows, got %s",
                    jit_dtype_name((int32_t)dtype));
  }
  *word = value.word;
  return JIT_OK;
}

static jit_status read_number(reader *r) {
  int64_t word = next(r);
  uint64_t from = operand(r);
  int64_t dtype = next(r), size = jit_element_size((int32_t)dtype);
  char bytes[16] = {0};
  jit_status status = r->call->actions->read(r->call->device, bytes, from, size);
  return status == JIT_OK ? widen(r, dtype, bytes, word_at(r, word)) : status;
}

static jit_status set(reader *r) {
  int64_t count = next(r);
  const int64_t *pairs = r->at;
  for (int64_t i = 0; i < count; ++i) {
    (void)next(r);
    r->call->values[i] = operand(r);
  }
  for (int64_t i = 0; i < count; ++i)
    *word_at(r, pairs[3 * i]) = r->call->values[i];
  return JIT_OK;
}

/*===----------------------------------------------------------------------===*\
|* Sizes
\*===----------------------------------------------------------------------===*/

static int64_t divide(jit_size_operation operation, int64_t left, int64_t right) {
  int is_between = left % right != 0, is_negative = (left < 0) != (right < 0);
  switch (operation) {
  case JIT_SIZE_FLOOR_DIVIDE:
    return left / right - (is_between && is_negative);
  case JIT_SIZE_CEIL_DIVIDE:
    return left / right + (is_between && !is_negative);
  case JIT_SIZE_REMAINDER:
    return left % right;
  default:
    return left / right;
  }
}

static int64_t combine(jit_size_operation operation, int64_t left, int64_t right) {
  switch (operation) {
  case JIT_SIZE_ADD:
    return (int64_t)((uint64_t)left + (uint64_t)right);
  case JIT_SIZE_SUBTRACT:
    return (int64_t)((uint64_t)left - (uint64_t)right);
  case JIT_SIZE_MULTIPLY:
    return (int64_t)((uint64_t)left * (uint64_t)right);
  case JIT_SIZE_MINIMUM:
    return left < right ? left : right;
  case JIT_SIZE_MAXIMUM:
    return left > right ? left : right;
  case JIT_SIZE_AND:
    return left & right;
  case JIT_SIZE_OR:
    return left | right;
  case JIT_SIZE_XOR:
    return left ^ right;
  case JIT_SIZE_EQUAL:
    return left == right;
  case JIT_SIZE_NOT_EQUAL:
    return left != right;
  case JIT_SIZE_LESS:
    return left < right;
  case JIT_SIZE_LESS_EQUAL:
    return left <= right;
  case JIT_SIZE_GREATER:
    return left > right;
  case JIT_SIZE_GREATER_EQUAL:
    return left >= right;
  default:
    return divide(operation, left, right);
  }
}

static jit_status compute(reader *r) {
  int64_t word = next(r);
  jit_size_operation operation = (jit_size_operation)next(r);
  int64_t left = (int64_t)operand(r), right = (int64_t)operand(r);
  int divides = operation >= JIT_SIZE_DIVIDE && operation <= JIT_SIZE_REMAINDER;
  if (divides && (right == 0 || (left == INT64_MIN && right == -1)))
    return jit_fail(r->call->error, JIT_INVALID_ARGUMENT,
                    "expected sizes that can be divided, got %lld by %lld", (long long)left,
                    (long long)right);
  *word_at(r, word) = (uint64_t)combine(operation, left, right);
  return JIT_OK;
}

static jit_status choose(reader *r) {
  int64_t word = next(r);
  uint64_t condition = operand(r), then = operand(r), otherwise = operand(r);
  *word_at(r, word) = condition ? then : otherwise;
  return JIT_OK;
}

static jit_status give_result(reader *r) {
  int64_t word = next(r), number = next(r), count = next(r), sizes[most_sizes];
  if (count > most_sizes)
    return jit_fail(r->call->error, JIT_UNSUPPORTED,
                    "expected a result of at most %d sizes, got one of %lld", most_sizes,
                    (long long)count);
  for (int64_t i = 0; i < count; ++i)
    sizes[i] = (int64_t)operand(r);
  return r->call->actions->give_result(r->call->device, number, sizes, word_at(r, word));
}

static jit_status give_scratch(reader *r) {
  int64_t word = next(r), piece = next(r), bytes = next(r), count = next(r);
  for (int64_t i = 0; i < count; ++i) {
    int64_t size = (int64_t)operand(r);
    if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes))
      return jit_fail(r->call->error, JIT_LIMIT_EXCEEDED,
                      "expected scratch memory that a device has, got one with a size of %lld",
                      (long long)size);
  }
  return r->call->actions->give_scratch(r->call->device, piece, bytes, word_at(r, word));
}

/*===----------------------------------------------------------------------===*\
|* Control flow
\*===----------------------------------------------------------------------===*/

static jit_status loop(reader *r) {
  int64_t word = next(r);
  int64_t lower = (int64_t)operand(r), upper = (int64_t)operand(r), step = (int64_t)operand(r);
  int64_t length = next(r);
  const int64_t *body = r->at;
  jit_status status = JIT_OK;
  for (int64_t i = lower; i < upper && status == JIT_OK;) {
    *word_at(r, word) = (uint64_t)i;
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
  const char *const *text = r->call->texts;
  jit_rt_fail(&call, text[class], text[message], text[place], count, arguments);
  return r->call->actions->raise(r->call->device, &call);
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
  case JIT_PLAN_COMPUTE:
    return compute(r);
  case JIT_PLAN_CHOOSE:
    return choose(r);
  case JIT_PLAN_RESULT:
    return give_result(r);
  case JIT_PLAN_SCRATCH:
    return give_scratch(r);
  case JIT_PLAN_LIBRARY:
    return use_library(r);
  }
  return jit_fail(r->call->error, JIT_INTERNAL, "expected a step of a plan");
}

static jit_status run_steps(reader *r, const int64_t *end) {
  jit_status status = JIT_OK;
  while (status == JIT_OK && r->at < end)
    status = run_step(r);
  return status;
}

jit_status jit_run_plan(const jit_plan *plan, const jit_plan_call *call) {
  reader r = {call, plan->code};
  return run_steps(&r, plan->code + plan->length);
}
