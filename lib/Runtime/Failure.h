/*===- Failure.h - what a call says that fails ---------------------*- C -*-===*\
|*
|* Plain C, so that it serves the compiler's process and compiled artifacts alike.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_LIB_RUNTIME_FAILURE_H
#define JIT_LIB_RUNTIME_FAILURE_H

#include "Text.h"
#include "jit-c/Values.h"
#include "jit/Runtime/Call.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills in `error`, which may be NULL, in printf's manner. Gives `status`. */
jit_status jit_fail(jit_error *error, jit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What the guard that has failed in `call` is: JIT_RAISED for the program's own exception,
   JIT_INVALID_ARGUMENT where sizes differ that code for any sizes takes to be equal,
   JIT_UNSUPPORTED for what only the call could tell is not supported. */
jit_status jit_failure_status(const jit_call *call);
/* Its message, with the values that it prints. */
void jit_append_failure(jit_text *text, const jit_call *call);
/* What such a message takes at most, its end included, in bytes. */
size_t jit_failure_room(const jit_call *call);
/* Makes an error of it. */
jit_status jit_fail_raised(jit_error *error, const jit_call *call);

#ifdef __cplusplus
}
#endif

#endif /* JIT_LIB_RUNTIME_FAILURE_H */
