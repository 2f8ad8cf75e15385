/*===- Operator.c - calls of a user's own operators -------------------------===*/
#include "jit/Runtime/Operator.h"

#include "Text.h"

#include <string.h>

/* In the manner of a guard's message, where braces of the text itself are doubled. */
static void append_plain(jit_text *text, const char *plain) {
  for (const char *c = plain; *c; ++c)
    jit_append(text, *c == '{' || *c == '}' ? "%c%c" : "%c", *c, *c);
}

/* Keeps what the operator says where the call's owner finds it. */
static void fail(jit_call *call, jit_error *error, const char *schema, const char *location) {
  jit_error *kept = call->refusal;
  if (!kept) {
    jit_rt_fail(call, "builtins.RuntimeError", schema, location, 0, NULL);
    return;
  }
  error->message[sizeof error->message - 1] = 0;
  error->python_class[sizeof error->python_class - 1] = 0;
  /* Classes of ours say other things. */
  int is_given = error->python_class[0] && strncmp(error->python_class, "jit.", 4) != 0;
  strcpy(kept->python_class, is_given ? error->python_class : "builtins.RuntimeError");
  jit_text text = {kept->message, sizeof kept->message, 0};
  append_plain(&text, schema);
  append_plain(&text, ": ");
  append_plain(&text, error->message[0] ? error->message : "it failed without a message");
  jit_rt_fail(call, kept->python_class, kept->message, location, 0, NULL);
}

int32_t jit_rt_operator(jit_call *call, jit_compute_fn compute, const char *schema,
                        const char *location, const jit_value *arguments,
                        const jit_tensor *results) {
  jit_error error;
  error.status = 0;
  error.python_class[0] = error.where[0] = error.message[0] = 0;
  if (compute(arguments, results, &error) == JIT_OK)
    return 0;
  fail(call, &error, schema, location);
  return 1;
}
