/*===- Operators.h - operators of your own ----------------------------------===*\
|*
|* A file of operators is a shared object that exports `jit_operators_table`. It needs this header,
|* and no library. An operator is a schema in PyTorch's words, a function that says what its results
|* are, and one that computes their elements:
|*
|*   jit_status sizes(const jit_value *arguments, jit_result_type *results, jit_error *error) {
|*     jit_result_like(&results[0], &arguments[0].as.tensor);
|*     return JIT_OK;
|*   }
|*   jit_status scale(const jit_value *arguments, const jit_tensor *results, jit_error *error) {
|*     ...
|*   }
|*   JIT_OPERATORS(JIT_OPERATOR("my::scale(Tensor x, float by) -> Tensor", sizes, scale, NULL))
|*
|* What a function gets has one value for each argument of the schema, in order: a tensor, an
|* integer, a float, a bool, a string, None, or a list of these. Tensors are row-major, in the
|* memory of the CPU, and of real elements. A function must neither keep a pointer nor throw.
|*
|* An operator is a function of its arguments alone: equal ones give equal results, nothing else
|* changes. It may be called by several threads at once, as often as the compiler finds fit, and not
|* at all where nobody uses what it gives.
|*
\*===------------------------------------------------------------------------===*/
#ifndef JIT_C_OPERATORS_H
#define JIT_C_OPERATORS_H

#include "jit-c/Values.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Of the structs below; another version is another layout. */
#define JIT_OPERATORS_VERSION 1
/** The most dimensions of a tensor. */
#define JIT_MAX_RANK 64

/** What a result is to be: one of the real element types, and sizes. */
typedef struct jit_result_type {
  int32_t dtype; /**< a jit_dtype */
  int32_t rank;
  int64_t sizes[JIT_MAX_RANK];
} jit_result_type;

/** Says what the results of a call are; `results` has one for each of the schema. Called while a
    program is compiled: `data` of tensors is NULL, and every float is a NaN, as sizes may follow
    from sizes, element types, integers, bools and strings alone. It has to refuse what the
    operator does not take, element types too: whatever it gives JIT_OK for is computed. Anything
    but JIT_OK refuses the call, with the message in `error`. */
typedef jit_status (*jit_sizes_fn)(const jit_value *arguments, jit_result_type *results,
                                   jit_error *error);

/** Computes all elements of the results, whose memory and sizes are in `results`: row-major, and
    apart from all arguments. Anything but JIT_OK raises `python_class` of `error` in the program,
    RuntimeError where that is empty, with the message. */
typedef jit_status (*jit_compute_fn)(const jit_value *arguments, const jit_tensor *results,
                                     jit_error *error);

/** Made by JIT_OPERATOR. */
typedef struct jit_operator {
  const char *schema;
  jit_sizes_fn sizes;
  jit_compute_fn compute;
  const char *symbol;   /**< the name under which the file exports `compute`: packages link to it */
  const char *gradient; /**< the name of the operator of the file that gives the gradients; NULL */
} jit_operator;

typedef struct jit_operator_list {
  uint32_t version; /**< JIT_OPERATORS_VERSION */
  uint32_t count;
  const jit_operator *operators;
} jit_operator_list;

/** What a file of operators exports as `jit_operators_table`. */
typedef const jit_operator_list *(*jit_operators_fn)(void);

/** An operator of the schema SCHEMA. COMPUTE is a function that the file exports, under a name
    that nothing else in a program has. GRADIENT: the name of the operator of the same file that
    gives its gradients, "my::scale_backward", or NULL. What that takes are, by their names, any of

    - its results: by their names in the schema, where it names none `result`, of several
      `result0`, `result1` and so on;
    - the gradient of each result as `grad_NAME`; that of an only result without a name is `grad`;
    - the operator's arguments.

    Its results are called `grad_NAME` for those arguments, tensors, that have a gradient:
    "my::scale_backward(Tensor grad, float by) -> Tensor grad_x". */
#define JIT_OPERATOR(SCHEMA, SIZES, COMPUTE, GRADIENT) {SCHEMA, SIZES, COMPUTE, #COMPUTE, GRADIENT}

#if defined(__GNUC__)
#define JIT_OPERATORS_EXPORT __attribute__((visibility("default")))
#else
#define JIT_OPERATORS_EXPORT
#endif

#ifdef __cplusplus
#define JIT_OPERATORS_LINKAGE extern "C"
#else
#define JIT_OPERATORS_LINKAGE
#endif

/** Exports operators, once in a file. */
#define JIT_OPERATORS(...)                                                                         \
  JIT_OPERATORS_LINKAGE JIT_OPERATORS_EXPORT const jit_operator_list *jit_operators_table(void);   \
  const jit_operator_list *jit_operators_table(void) {                                             \
    static const jit_operator operators[] = {__VA_ARGS__};                                         \
    static const jit_operator_list table = {                                                       \
        JIT_OPERATORS_VERSION, (uint32_t)(sizeof operators / sizeof operators[0]), operators};     \
    return &table;                                                                                 \
  }

/** The sizes and the element type of `tensor`. */
static inline void jit_result_like(jit_result_type *result, const jit_tensor *tensor) {
  result->dtype = tensor->dtype;
  result->rank = tensor->rank;
  for (int32_t i = 0; i < tensor->rank; ++i)
    result->sizes[i] = tensor->sizes[i];
}

/** How many elements a tensor has. */
static inline int64_t jit_element_count(const jit_tensor *tensor) {
  int64_t count = 1;
  for (int32_t i = 0; i < tensor->rank; ++i)
    count *= tensor->sizes[i];
  return count;
}

/** Fills in the message, in printf's manner, and gives what such a function returns. */
static inline jit_status jit_refuse(jit_error *error, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(error->message, sizeof error->message, format, values);
  va_end(values);
  return JIT_INVALID_ARGUMENT;
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* JIT_C_OPERATORS_H */
