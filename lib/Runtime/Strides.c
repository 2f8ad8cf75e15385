/*===- Strides.c - tensors whose elements lie elsewhere than row by row -----===*/
#include "Strides.h"

#include "Sizes.h"

#include <string.h>

/* NOLINTBEGIN(readability-identifier-naming): names of C */

int64_t jit_row_major_stride(const jit_tensor *tensor, int32_t dimension) {
  /* Of no elements sizes may be as large as they like: this wraps around. */
  uint64_t stride = 1;
  for (int32_t i = tensor->rank - 1; i > dimension; --i)
    stride *= tensor->sizes[i] > 0 ? (uint64_t)tensor->sizes[i] : 1;
  return (int64_t)stride;
}

int64_t jit_stride(const jit_tensor *tensor, int32_t dimension) {
  return tensor->strides ? tensor->strides[dimension] : jit_row_major_stride(tensor, dimension);
}

int jit_is_row_major(const jit_tensor *tensor) {
  int64_t step = 1;
  for (int32_t i = tensor->rank - 1; tensor->strides && i >= 0; --i) {
    if (tensor->sizes[i] != 1 && tensor->strides[i] != step)
      return 0;
    step *= tensor->sizes[i];
  }
  return 1;
}

int jit_find_range(const jit_tensor *tensor, const char **begin, int64_t *bytes) {
  *begin = tensor->data;
  *bytes = jit_count_bytes(tensor->dtype, tensor->rank, tensor->sizes);
  if (*bytes <= 0 || !tensor->strides)
    return *bytes >= 0;
  int64_t first = 0, last = 0, size = jit_element_size(tensor->dtype);
  for (int32_t i = 0; i < tensor->rank; ++i) {
    int64_t reach, *end = tensor->strides[i] < 0 ? &first : &last;
    if (__builtin_mul_overflow(tensor->sizes[i] - 1, tensor->strides[i], &reach) ||
        __builtin_add_overflow(*end, reach, end))
      return 0;
  }
  int64_t count;
  if (__builtin_sub_overflow(last, first, &count) || __builtin_add_overflow(count, 1, &count) ||
      __builtin_mul_overflow(count, size, bytes))
    return 0;
  *begin += first * size;
  return 1;
}

int jit_overlaps_itself(const jit_tensor *tensor) {
  /* From the dimension whose steps are the smallest on: each step has to pass by all elements that
     lie closer. */
  int64_t reach = 1, step = -1;
  int32_t done = -1;
  if (jit_count_bytes(tensor->dtype, tensor->rank, tensor->sizes) <= 0 || !tensor->strides)
    return 0;
  for (;;) {
    int32_t next = -1;
    int64_t smallest = 0;
    for (int32_t i = 0; i < tensor->rank; ++i) {
      if (tensor->sizes[i] == 1)
        continue;
      int64_t own = tensor->strides[i] < 0 ? -tensor->strides[i] : tensor->strides[i];
      int is_left = own > step || (own == step && i > done);
      if (is_left && (next < 0 || own < smallest)) {
        next = i;
        smallest = own;
      }
    }
    if (next < 0)
      return 0;
    if (smallest < reach)
      return 1;
    reach += smallest * (tensor->sizes[next] - 1);
    step = smallest;
    done = next;
  }
}

/* With `bytes` known to the compiler a copy is a load and a store, and what is expanded a store. */
static inline void copy_each(char *to, int64_t to_step, const char *from, int64_t from_step,
                             int64_t count, size_t bytes) {
  if (from_step == 0 && to_step == (int64_t)bytes && count > 0) {
    char element[16];
    memcpy(element, from, bytes);
    for (int64_t i = 0; i < count; ++i)
      memcpy(to + i * (int64_t)bytes, element, bytes);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    memcpy(to + i * to_step, from + i * from_step, bytes);
}

static void copy_row(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t count,
                     int64_t bytes) {
  if (to_step == bytes && from_step == bytes) {
    memcpy(to, from, (size_t)(count * bytes));
    return;
  }
  switch (bytes) {
  case 1:
    return copy_each(to, to_step, from, from_step, count, 1);
  case 2:
    return copy_each(to, to_step, from, from_step, count, 2);
  case 4:
    return copy_each(to, to_step, from, from_step, count, 4);
  case 8:
    return copy_each(to, to_step, from, from_step, count, 8);
  default:
    return copy_each(to, to_step, from, from_step, count, 16);
  }
}

/* A dimension: its size, and its steps in bytes in either memory. */
struct steps {
  int64_t count, to, from;
};

static struct steps steps_of(const jit_tensor *to, const jit_tensor *from, int32_t dimension) {
  int64_t bytes = jit_element_size(to->dtype);
  struct steps steps = {to->sizes[dimension], jit_stride(to, dimension) * bytes,
                        jit_stride(from, dimension) * bytes};
  return steps;
}

static int64_t smaller_step(struct steps steps) {
  int64_t to = steps.to < 0 ? -steps.to : steps.to;
  int64_t from = steps.from < 0 ? -steps.from : steps.from;
  return to < from ? to : from;
}

/* The dimension before the last whose neighbours lie closest. */
static int32_t closest_dimension(const jit_tensor *to, const jit_tensor *from) {
  int32_t closest = to->rank - 2;
  for (int32_t i = closest - 1; i >= 0; --i)
    if (to->sizes[i] > 1 &&
        smaller_step(steps_of(to, from, i)) < smaller_step(steps_of(to, from, closest)))
      closest = i;
  return closest;
}

/* Rows of which neighbours may share cache lines: in squares, so that a line is read and written
   once. */
static void copy_plane(char *to, const char *from, struct steps rows, struct steps row,
                       int64_t bytes) {
  int64_t side = row.to == bytes && row.from <= bytes && row.from >= 0 ? row.count : 32;
  for (int64_t i = 0; i < rows.count; i += 32)
    for (int64_t j = 0; j < row.count; j += side) {
      int64_t height = rows.count - i < 32 ? rows.count - i : 32;
      int64_t width = row.count - j < side ? row.count - j : side;
      for (int64_t k = i; k < i + height; ++k)
        copy_row(to + k * rows.to + j * row.to, row.to, from + k * rows.from + j * row.from,
                 row.from, width, bytes);
    }
}

/* The elements of all dimensions from `dimension` on; `closest` and the last are done together. */
static void copy_from(const jit_tensor *to, char *to_data, const jit_tensor *from,
                      const char *from_data, int32_t dimension, int32_t closest) {
  int32_t last = to->rank - 1;
  if (dimension == closest)
    ++dimension;
  if (dimension == last) {
    struct steps one = {1, 0, 0};
    copy_plane(to_data, from_data, closest < 0 ? one : steps_of(to, from, closest),
               steps_of(to, from, last), jit_element_size(to->dtype));
    return;
  }
  struct steps own = steps_of(to, from, dimension);
  for (int64_t i = 0; i < own.count; ++i)
    copy_from(to, to_data + i * own.to, from, from_data + i * own.from, dimension + 1, closest);
}

void jit_copy_elements(const jit_tensor *to, const jit_tensor *from) {
  int64_t bytes = jit_count_bytes(to->dtype, to->rank, to->sizes);
  if (bytes <= 0)
    return;
  if (jit_is_row_major(to) && jit_is_row_major(from))
    memcpy(to->data, from->data, (size_t)bytes);
  else
    copy_from(to, to->data, from, from->data, 0, closest_dimension(to, from));
}

/* NOLINTEND(readability-identifier-naming) */
