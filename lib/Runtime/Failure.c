/*===- Failure.c - what a call says that fails ------------------------------===*/
#include "Failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Of a guard that compares sizes which have to be equal in code for any sizes. */
static const char size_guard_class[] = "jit.UnequalSizes";
/* Of one that finds what is not supported. */
static const char unsupported_class[] = "jit.Unsupported";

/* An int64 or double in decimal, whose longest is -1.2345678901234567e-308. */
enum { most_of_argument = 25 };

jit_status jit_fail(jit_error *error, jit_status status, const char *format, ...) {
  if (!error)
    return status;
  memset(error, 0, sizeof *error);
  error->status = (int32_t)status;
  va_list values;
  va_start(values, format);
  vsnprintf(error->message, sizeof error->message, format, values);
  va_end(values);
  return status;
}

jit_status jit_failure_status(const jit_call *call) {
  if (strcmp(call->python_class, size_guard_class) == 0)
    return JIT_INVALID_ARGUMENT;
  if (strcmp(call->python_class, unsupported_class) == 0)
    return JIT_UNSUPPORTED;
  return JIT_RAISED;
}

static void append_argument(jit_text *text, const jit_arg *argument) {
  if (argument->kind == JIT_ARG_BOOL)
    jit_append(text, "%s", argument->value.i ? "True" : "False");
  else if (argument->kind == JIT_ARG_INT)
    jit_append(text, "%lld", (long long)argument->value.i);
  else
    jit_append_float(text, argument->value.f);
}

void jit_append_failure(jit_text *text, const jit_call *call) {
  int32_t next = 0;
  for (const char *c = call->message; *c; ++c) {
    if (c[0] == '{' && c[1] == '}' && next < call->count) {
      append_argument(text, &call->args[next++]);
      ++c;
      continue;
    }
    /* Braces of the text itself are doubled. */
    if ((c[0] == '{' || c[0] == '}') && c[1] == c[0])
      ++c;
    jit_append(text, "%c", *c);
  }
}

size_t jit_failure_room(const jit_call *call) {
  return strlen(call->message) + (size_t)call->count * most_of_argument + 1;
}

jit_status jit_fail_raised(jit_error *error, const jit_call *call) {
  jit_status status = jit_failure_status(call);
  if (!error)
    return status;
  memset(error, 0, sizeof *error);
  error->status = (int32_t)status;
  if (status == JIT_RAISED)
    snprintf(error->python_class, sizeof error->python_class, "%s", call->python_class);
  snprintf(error->where, sizeof error->where, "%s", call->location);
  jit_text text = {error->message, sizeof error->message, 0};
  jit_append_failure(&text, call);
  return status;
}
