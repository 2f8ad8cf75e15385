/* Operators for tests: what each is follows from its schema. */
#include "jit-c/Operators.h"

static jit_status like_first(const jit_value *arguments, jit_result_type *results,
                             jit_error *error) {
  if (arguments[0].as.tensor.dtype != JIT_F32)
    return jit_refuse(error, "expected elements of f32, got element type %d",
                      (int)arguments[0].as.tensor.dtype);
  jit_result_like(&results[0], &arguments[0].as.tensor);
  return JIT_OK;
}

/* Refuses negative factors as it runs. */
jit_status test_scale(const jit_value *arguments, const jit_tensor *results, jit_error *error) {
  const float *x = arguments[0].as.tensor.data;
  float *y = results[0].data;
  if (arguments[1].as.real < 0)
    return jit_refuse(error, "expected {a factor} of at least 0, got %g", arguments[1].as.real);
  for (int64_t i = 0; i < jit_element_count(&results[0]); ++i)
    y[i] = x[i] * (float)arguments[1].as.real;
  return JIT_OK;
}

/* Rows of x from `first` on, twice: as they are and negated. */
static jit_status split_sizes(const jit_value *arguments, jit_result_type *results,
                              jit_error *error) {
  const jit_tensor *x = &arguments[0].as.tensor;
  int64_t first = arguments[1].as.integer;
  if (like_first(arguments, results, error) != JIT_OK)
    return JIT_INVALID_ARGUMENT;
  if (x->rank == 0 || first < 0 || first > x->sizes[0])
    return jit_refuse(error, "expected a row of x, got %lld", (long long)first);
  results[0].sizes[0] -= first;
  results[1] = results[0];
  return JIT_OK;
}

jit_status test_split(const jit_value *arguments, const jit_tensor *results, jit_error *error) {
  const jit_tensor *x = &arguments[0].as.tensor;
  int64_t count = jit_element_count(&results[0]);
  const float *rows = (const float *)x->data + (jit_element_count(x) - count);
  for (int64_t i = 0; i < count; ++i) {
    ((float *)results[0].data)[i] = rows[i];
    ((float *)results[1].data)[i] = -rows[i];
  }
  return JIT_OK;
}

/* The sum of the tensors times the sum of the factors, or of what stands for None. */
static jit_status blend_sizes(const jit_value *arguments, jit_result_type *results,
                              jit_error *error) {
  if (arguments[0].as.list.count == 0)
    return jit_refuse(error, "expected a tensor, got none");
  return like_first(arguments[0].as.list.items, results, error);
}

jit_status test_blend(const jit_value *arguments, const jit_tensor *results, jit_error *error) {
  float factor = arguments[1].kind == JIT_KIND_NONE ? 1 : (float)arguments[1].as.real;
  if (strcmp(arguments[2].as.string, "double") == 0)
    factor *= 2;
  for (size_t k = 0; k < arguments[3].as.list.count; ++k)
    factor *= (float)arguments[3].as.list.items[k].as.integer;
  float *y = results[0].data;
  memset(y, 0, (size_t)jit_element_count(&results[0]) * sizeof *y);
  for (size_t k = 0; k < arguments[0].as.list.count; ++k) {
    const float *x = arguments[0].as.list.items[k].as.tensor.data;
    for (int64_t i = 0; i < jit_element_count(&results[0]); ++i)
      y[i] += arguments[4].as.integer ? x[i] * factor : x[i];
  }
  return JIT_OK;
}

/* Where x is positive. */
static jit_status mask_sizes(const jit_value *arguments, jit_result_type *results,
                             jit_error *error) {
  if (like_first(arguments, results, error) != JIT_OK)
    return JIT_INVALID_ARGUMENT;
  results[0].dtype = JIT_BOOL;
  return JIT_OK;
}

jit_status test_mask(const jit_value *arguments, const jit_tensor *results, jit_error *error) {
  const float *x = arguments[0].as.tensor.data;
  for (int64_t i = 0; i < jit_element_count(&results[0]); ++i)
    ((uint8_t *)results[0].data)[i] = x[i] > 0;
  return JIT_OK;
}

static jit_status product_sizes(const jit_value *arguments, jit_result_type *results,
                                jit_error *error) {
  const jit_tensor *x = &arguments[0].as.tensor, *y = &arguments[1].as.tensor;
  if (x->rank != y->rank || memcmp(x->sizes, y->sizes, (size_t)x->rank * sizeof *x->sizes) != 0)
    return jit_refuse(error, "expected tensors of the same sizes");
  return like_first(arguments, results, error);
}

jit_status test_product(const jit_value *arguments, const jit_tensor *results, jit_error *error) {
  const float *x = arguments[0].as.tensor.data, *y = arguments[1].as.tensor.data;
  for (int64_t i = 0; i < jit_element_count(&results[0]); ++i)
    ((float *)results[0].data)[i] = x[i] * y[i];
  return JIT_OK;
}

static jit_status product_backward_sizes(const jit_value *arguments, jit_result_type *results,
                                         jit_error *error) {
  if (product_sizes(arguments, results, error) != JIT_OK)
    return JIT_INVALID_ARGUMENT;
  results[1] = results[0];
  return JIT_OK;
}

jit_status test_product_backward(const jit_value *arguments, const jit_tensor *results,
                                 jit_error *error) {
  const float *grad = arguments[0].as.tensor.data;
  const float *x = arguments[1].as.tensor.data, *y = arguments[2].as.tensor.data;
  for (int64_t i = 0; i < jit_element_count(&results[0]); ++i) {
    ((float *)results[0].data)[i] = grad[i] * y[i];
    ((float *)results[1].data)[i] = grad[i] * x[i];
  }
  return JIT_OK;
}

/* 0, 1, 2, ... of any element type. */
static jit_status ramp_sizes(const jit_value *arguments, jit_result_type *results,
                             jit_error *error) {
  results[0].dtype = (int32_t)arguments[1].as.integer;
  results[0].rank = 1;
  results[0].sizes[0] = arguments[0].as.integer;
  return JIT_OK;
}

jit_status test_ramp(const jit_value *arguments, const jit_tensor *results, jit_error *error) {
  for (int64_t i = 0; i < results[0].sizes[0]; ++i) {
    if (results[0].dtype == JIT_U8 || results[0].dtype == JIT_BOOL)
      ((uint8_t *)results[0].data)[i] = (uint8_t)(results[0].dtype == JIT_BOOL ? i > 0 : i);
    else if (results[0].dtype == JIT_I64)
      ((int64_t *)results[0].data)[i] = i;
    else if (results[0].dtype == JIT_F64)
      ((double *)results[0].data)[i] = (double)i;
    else
      return jit_refuse(error, "expected bytes, i64 or f64");
  }
  return JIT_OK;
}

/* The number of elements that are not zero, of bytes. */
static jit_status count_sizes(const jit_value *arguments, jit_result_type *results,
                              jit_error *error) {
  if (arguments[0].as.tensor.dtype != JIT_BOOL && arguments[0].as.tensor.dtype != JIT_U8)
    return jit_refuse(error, "expected bytes");
  results[0].dtype = JIT_I64;
  results[0].rank = 0;
  return JIT_OK;
}

jit_status test_count(const jit_value *arguments, const jit_tensor *results, jit_error *error) {
  int64_t count = 0;
  for (int64_t i = 0; i < jit_element_count(&arguments[0].as.tensor); ++i)
    count += ((const uint8_t *)arguments[0].as.tensor.data)[i] != 0;
  *(int64_t *)results[0].data = count;
  return JIT_OK;
}

/* Sizes that no tensor has. */
static jit_status bad_sizes(const jit_value *arguments, jit_result_type *results,
                            jit_error *error) {
  results[0].dtype = JIT_F32;
  results[0].rank = 1;
  results[0].sizes[0] = -3;
  return JIT_OK;
}

JIT_OPERATORS(JIT_OPERATOR("test::scale(Tensor x, float by=2.0) -> Tensor", like_first, test_scale,
                           "test::scale_backward"),
              JIT_OPERATOR("test::scale_backward(Tensor grad, float by) -> Tensor grad_x",
                           like_first, test_scale, "test::scale_backward_backward"),
              JIT_OPERATOR("test::scale_backward_backward(Tensor grad_grad_x, float by)"
                           " -> Tensor grad_grad",
                           like_first, test_scale, NULL),
              JIT_OPERATOR("test::split(Tensor x, int first) -> (Tensor, Tensor)", split_sizes,
                           test_split, NULL),
              JIT_OPERATOR("test::blend(Tensor[] xs, float? by, str mode, int[] more, bool all)"
                           " -> Tensor",
                           blend_sizes, test_blend, NULL),
              JIT_OPERATOR("test::mask(Tensor x) -> Tensor", mask_sizes, test_mask, NULL),
              JIT_OPERATOR("test::product(Tensor x, Tensor y) -> Tensor z", product_sizes,
                           test_product, "test::product_backward"),
              JIT_OPERATOR("test::product_backward(Tensor grad_z, Tensor x, Tensor y)"
                           " -> (Tensor grad_x, Tensor grad_y)",
                           product_backward_sizes, test_product_backward, NULL),
              JIT_OPERATOR("test::ramp(int count, ScalarType dtype) -> Tensor", ramp_sizes,
                           test_ramp, NULL),
              JIT_OPERATOR("test::count(Tensor x) -> Tensor", count_sizes, test_count, NULL),
              JIT_OPERATOR("test::bad(Tensor x) -> Tensor", bad_sizes, test_scale, NULL))
