//===- FakeCublasLt.cpp - a library of products in a few lines ------------===//
//
// Keeps the library's rules as far as the runtime meets them: matrices have their columns side by
// side, a stride is no less than what it steps over, attributes have their numbers and sizes, and
// multiplying wants the way that was chosen for just these memory layouts.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

#include <dlfcn.h>

namespace {
enum Status { Success = 0, InvalidValue = 7, NotSupported = 15 };

struct Product {
  int computeType = 0;
  int32_t transposesFirst = 0, transposesSecond = 0;
};

struct Layout {
  int type = 0;
  uint64_t rows = 0, columns = 0;
  int64_t stride = 0, batchStride = 0;
  int32_t batches = 1;
};

struct Preference {
  uint64_t workspaceBytes = 0;
  std::set<int> alignments;
};

struct Choice {
  std::array<uint64_t, 8> algorithm;
  size_t workspaceBytes;
  int state;
  float waves;
  std::array<int, 4> reserved;
};

int handles = 0, objects = 0, choices = 0;
} // namespace

/// Destroys what a Create function made.
template <typename T> static int destroy(void *made) {
  --objects;
  delete static_cast<T *>(made);
  return Success;
}

template <typename T> static int set(T &to, const void *value, size_t bytes) {
  if (bytes != sizeof(T))
    return InvalidValue;
  std::memcpy(&to, value, bytes);
  return Success;
}

namespace {
/// A product of matrices, done in its stream's turn.
struct Work {
  Product product;
  Layout first, second, result;
  const void *left, *right;
  float *to;
  uint64_t rows, columns, depth;
  float alpha, beta;

  float sumOf(int64_t batch, int64_t row, int64_t column) const {
    float sum = 0;
    for (int64_t k = 0; k < int64_t(depth); ++k) {
      int64_t a = product.transposesFirst ? row * first.stride + k : k * first.stride + row;
      int64_t b =
          product.transposesSecond ? k * second.stride + column : column * second.stride + k;
      sum += fake::readElement(first.type, left, batch * first.batchStride + a) *
             fake::readElement(second.type, right, batch * second.batchStride + b);
    }
    return sum;
  }
  void run() const {
    for (int64_t batch = 0; batch < result.batches; ++batch)
      for (int64_t column = 0; column < int64_t(columns); ++column)
        for (int64_t row = 0; row < int64_t(rows); ++row) {
          float &out = to[batch * result.batchStride + column * result.stride + row];
          // What is there need not be a number where it does not count.
          out = alpha * sumOf(batch, row, column) + (beta == 0 ? 0 : beta * out);
        }
  }
};
} // namespace

/// What says which way was chosen.
static uint64_t markOf(const Product &product, const Layout &first, const Layout &second) {
  return uint64_t(product.computeType) + first.rows * 1000 + second.columns * 7 + 1;
}

// NOLINTBEGIN(readability-identifier-naming): names of the library
extern "C" {
/// Handles and descriptions that are there still, and how often a way was chosen, for the test.
int fakeCublasLtObjects() { return handles + objects; }
int fakeCublasLtChoices() { return choices; }

int cublasLtCreate(void **handle) {
  ++handles;
  return *handle = &handles, Success;
}
int cublasLtDestroy(void *handle) {
  --handles;
  return handle == &handles ? Success : InvalidValue;
}
int cublasLtMatmulDescCreate(void **made, int computeType, int scaleType) {
  if ((computeType != 68 && computeType != 77) || scaleType != 0)
    return InvalidValue;
  ++objects;
  *made = new Product{computeType};
  return Success;
}
int cublasLtMatmulDescDestroy(void *made) { return destroy<Product>(made); }
int cublasLtMatmulDescSetAttribute(void *made, int attribute, const void *value, size_t bytes) {
  auto &product = *static_cast<Product *>(made);
  if (attribute == 3)
    return set(product.transposesFirst, value, bytes);
  return attribute == 4 ? set(product.transposesSecond, value, bytes) : int(InvalidValue);
}
int cublasLtMatrixLayoutCreate(void **made, int type, uint64_t rows, uint64_t columns,
                               int64_t stride) {
  if ((type != 0 && type != 2 && type != 14) || stride < int64_t(rows))
    return InvalidValue;
  ++objects;
  *made = new Layout{type, rows, columns, stride};
  return Success;
}
int cublasLtMatrixLayoutDestroy(void *made) { return destroy<Layout>(made); }
int cublasLtMatrixLayoutSetAttribute(void *made, int attribute, const void *value, size_t bytes) {
  auto &layout = *static_cast<Layout *>(made);
  if (attribute == 5)
    return set(layout.batches, value, bytes);
  return attribute == 6 ? set(layout.batchStride, value, bytes) : int(InvalidValue);
}
int cublasLtMatmulPreferenceCreate(void **made) {
  ++objects;
  *made = new Preference;
  return Success;
}
int cublasLtMatmulPreferenceDestroy(void *made) { return destroy<Preference>(made); }
int cublasLtMatmulPreferenceSetAttribute(void *made, int attribute, const void *value,
                                         size_t bytes) {
  auto &preference = *static_cast<Preference *>(made);
  if (attribute == 1)
    return set(preference.workspaceBytes, value, bytes);
  uint32_t alignment = 0;
  if (attribute < 5 || attribute > 8 || set(alignment, value, bytes) != Success)
    return InvalidValue;
  preference.alignments.insert(attribute);
  return alignment > 0 && alignment <= 16 ? Success : InvalidValue;
}
int cublasLtMatmulAlgoGetHeuristic(void *, void *product, void *first, void *second, void *before,
                                   void *result, void *preference, int wanted, Choice *choice,
                                   int *found) {
  auto &given = *static_cast<Preference *>(preference);
  if (wanted != 1 || before != result || given.alignments.size() != 4 || !given.workspaceBytes)
    return InvalidValue;
  ++choices;
  *choice = {};
  choice->algorithm[0] = markOf(*static_cast<Product *>(product), *static_cast<Layout *>(first),
                                *static_cast<Layout *>(second));
  // No way to multiply for a depth of 13, for the test.
  auto &left = *static_cast<Layout *>(first);
  uint64_t depth = static_cast<Product *>(product)->transposesFirst ? left.rows : left.columns;
  *found = depth != 13;
  return Success;
}
int cublasLtMatmul(void *handle, void *descriptor, const void *alpha, const void *left,
                   void *leftLayout, const void *right, void *rightLayout, const void *beta,
                   const void *, void *, void *to, void *resultLayout, const void *algorithm,
                   void *workspace, size_t, void *stream) {
  auto &product = *static_cast<Product *>(descriptor);
  auto &first = *static_cast<Layout *>(leftLayout), &second = *static_cast<Layout *>(rightLayout);
  auto &result = *static_cast<Layout *>(resultLayout);
  if (handle != &handles || !workspace || result.type != 0 ||
      *static_cast<const uint64_t *>(algorithm) != markOf(product, first, second))
    return InvalidValue;
  uint64_t depth = product.transposesFirst ? first.rows : first.columns;
  uint64_t rows = product.transposesFirst ? first.columns : first.rows;
  uint64_t columns = product.transposesSecond ? second.rows : second.columns;
  uint64_t depthOfSecond = product.transposesSecond ? second.columns : second.rows;
  if (depth != depthOfSecond || rows != result.rows || columns != result.columns)
    return InvalidValue;
  // Kept, for what is recorded may be done often.
  static std::vector<std::unique_ptr<Work>> works;
  works.push_back(std::make_unique<Work>(
      Work{product, first, second, result, left, right, static_cast<float *>(to), rows, columns,
           depth, *static_cast<const float *>(alpha), *static_cast<const float *>(beta)}));
  static auto enqueue = reinterpret_cast<void (*)(void *, void (*)(void *), void *)>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fakeCudaEnqueue"));
  enqueue(stream, [](void *work) { static_cast<Work *>(work)->run(); }, works.back().get());
  return Success;
}
}
// NOLINTEND(readability-identifier-naming)
