//===- LibraryEmulation.cpp - what libraries do, on the host --------------===//
#include "LibraryEmulation.h"
#include "HalfNumbers.h"

#include <algorithm>
#include <array>

using namespace jit;
using namespace jit::runtime;

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

void jit::runtime::emulateProduct(const MatrixProduct &product, const void *left, const void *right,
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

namespace {
/// A place of the window, or a tap in it.
using Position = std::array<int64_t, 3>;

class Convolver {
public:
  Convolver(const PlanConvolution &convolution, const void *images, const void *filters,
            void *result)
      : convolution(convolution), images(convolution.type, images),
        filters(convolution.type, filters), before(convolution.type, result), result(result) {
    std::ranges::copy(convolution.windows, windows.begin());
  }

  void convolve() {
    for (int64_t batch = 0; batch < convolution.batches; ++batch)
      for (int64_t filter = 0; filter < convolution.filters; ++filter)
        forEach(&PlanWindow::places, [&](const Position &at) { write(batch, filter, at); });
  }

private:
  template <typename Body> void forEach(int64_t PlanWindow::*count, Body body) {
    for (int64_t i = 0; i < windows[0].*count; ++i)
      for (int64_t j = 0; j < windows[1].*count; ++j)
        for (int64_t k = 0; k < windows[2].*count; ++k)
          body(Position{i, j, k});
  }
  float sumOf(int64_t batch, int64_t filter, int64_t channel, const Position &at);
  void write(int64_t batch, int64_t filter, const Position &at);

  const PlanConvolution &convolution;
  std::array<PlanWindow, 3> windows = {};
  Numbers images, filters, before;
  void *result;
};
} // namespace

/// Of the taps of one channel, by its number in the filter.
float Convolver::sumOf(int64_t batch, int64_t filter, int64_t channel, const Position &at) {
  int64_t perGroup = convolution.channels / convolution.groups;
  int64_t group = filter / (convolution.filters / convolution.groups);
  int64_t image = batch * convolution.images.batchStride +
                  (group * perGroup + channel) * convolution.images.channelStride;
  int64_t tapNumber =
      (filter * perGroup + channel) * windows[0].taps * windows[1].taps * windows[2].taps;
  float sum = 0;
  forEach(&PlanWindow::taps, [&](const Position &tap) {
    int64_t from = image;
    bool isInside = true;
    for (size_t i = 0; i < windows.size(); ++i) {
      const PlanWindow &window = windows[i];
      int64_t place = at[i] * window.step + tap[i] * window.dilation - window.padding;
      isInside &= place >= 0 && place < window.image;
      from += place * window.imageStride;
    }
    if (isInside)
      sum += images.at(from) * filters.at(tapNumber);
    ++tapNumber;
  });
  return sum;
}

void Convolver::write(int64_t batch, int64_t filter, const Position &at) {
  int64_t to = batch * convolution.result.batchStride + filter * convolution.result.channelStride;
  for (size_t i = 0; i < windows.size(); ++i)
    to += at[i] * windows[i].resultStride;
  float sum = convolution.adds ? before.at(to) : 0;
  for (int64_t channel = 0; channel < convolution.channels / convolution.groups; ++channel)
    sum += sumOf(batch, filter, channel, at);
  store(convolution.type, result, to, sum);
}

void jit::runtime::emulateConvolution(const PlanConvolution &convolution, const void *images,
                                      const void *filters, void *result) {
  Convolver(convolution, images, filters, result).convolve();
}
