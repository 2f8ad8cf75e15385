/*===- Text.h - text of messages -----------------------------------*- C -*-===*\
|*
|* Plain C, so that it serves the compiler's process and compiled artifacts alike.
|*
\*===----------------------------------------------------------------------===*/
#ifndef JIT_LIB_RUNTIME_TEXT_H
#define JIT_LIB_RUNTIME_TEXT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Text that is cut where the buffer ends. */
typedef struct jit_text {
  char *buffer;
  size_t size, length;
} jit_text;

void jit_append(jit_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* As Python prints it: the shortest text that reads back as the same number. */
void jit_append_float(jit_text *text, double value);

#ifdef __cplusplus
}
#endif

#endif /* JIT_LIB_RUNTIME_TEXT_H */
