/*===- Text.c - text of messages --------------------------------------------===*/
#include "Text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void jit_append(jit_text *text, const char *format, ...) {
  if (text->length + 1 >= text->size)
    return;
  va_list values;
  va_start(values, format);
  int length = vsnprintf(text->buffer + text->length, text->size - text->length, format, values);
  va_end(values);
  if (length < 0)
    return;
  size_t room = text->size - text->length - 1;
  text->length += (size_t)length < room ? (size_t)length : room;
}

/* The fewest decimal digits of a finite number that read back as the same, and its exponent. The
   program around may have set a locale, whose decimal point is not Python's. */
static int find_digits(double value, char digits[18], int *exponent) {
  char text[40];
  for (int precision = 0; precision < 17; ++precision) {
    snprintf(text, sizeof text, "%.*e", precision, value);
    if (strtod(text, NULL) == value)
      break;
  }
  const char *mark = strchr(text, 'e');
  int count = 0;
  for (const char *c = text; c < mark; ++c)
    if (*c >= '0' && *c <= '9')
      digits[count++] = *c;
  digits[count] = 0;
  *exponent = atoi(mark + 1);
  return count;
}

void jit_append_float(jit_text *text, double value) {
  if (!__builtin_isfinite(value)) {
    jit_append(text, "%s", __builtin_isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    return;
  }
  char digits[18];
  int exponent, count = find_digits(value, digits, &exponent);
  jit_append(text, "%s", __builtin_signbit(value) ? "-" : "");
  if (exponent < -4 || exponent >= 16) {
    jit_append(text, "%c%s%se%c%02d", digits[0], count > 1 ? "." : "", digits + 1,
               exponent < 0 ? '-' : '+', abs(exponent));
  } else if (exponent < 0) {
    jit_append(text, "0.%.*d%s", -exponent - 1, 0, digits);
  } else {
    for (int i = 0; i <= exponent; ++i)
      jit_append(text, "%c", i < count ? digits[i] : '0');
    jit_append(text, ".%s", count > exponent + 1 ? digits + exponent + 1 : "0");
  }
}
