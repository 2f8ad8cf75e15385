//===- ProductEmulation.cpp - a library's products on the host ------------===//
#include "ProductEmulation.h"
#include "HalfNumbers.h"

using namespace jit;

namespace {
/// Numbers of one type in memory.
class Numbers {
public:
  Numbers(ScalarType type, const void *data) : type(type), data(data) {}

  float at(int64_t index) const {
    if (type == ScalarType::Float)
      return static_cast<const float *>(data)[index];
    uint16_t bits = static_cast<const uint16_t *>(data)[index];
    return type == ScalarType::Half ? fromHalf(bits) : fromBrain(bits);
  }

private:
  ScalarType type;
  const void *data;
};
} // namespace

static void store(ScalarType type, void *data, int64_t index, float value) {
  if (type == ScalarType::Float)
    static_cast<float *>(data)[index] = value;
  else
    static_cast<uint16_t *>(data)[index] =
        type == ScalarType::Half ? toHalf(value) : toBrain(value);
}

static int64_t place(const PlanMatrix &matrix, int64_t batch, int64_t row, int64_t column) {
  return batch * matrix.batchStride +
         (matrix.isTransposed ? column * matrix.stride + row : row * matrix.stride + column);
}

void jit::emulateProduct(const MatrixProduct &product, const void *left, const void *right,
                         void *result) {
  Numbers first(product.factors, left), second(product.factors, right);
  Numbers before(product.sums, result);
  for (int64_t batch = 0; batch < product.batches; ++batch)
    for (int64_t row = 0; row < product.rows; ++row)
      for (int64_t column = 0; column < product.columns; ++column) {
        int64_t to = place(product.result, batch, row, column);
        float sum = product.adds ? before.at(to) : 0;
        for (int64_t k = 0; k < product.depth; ++k)
          sum += first.at(place(product.left, batch, row, k)) *
                 second.at(place(product.right, batch, k, column));
        store(product.sums, result, to, sum);
      }
}
