//===- WindowFunctions.cpp - builders for the rules of Spectral.td: windows -===//

#include "Rules/Spectral.h"
#include "jit/Dialect/Aten/Bessel.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/View.h"

#include <numbers>

using namespace mlir;

namespace jit {

static constexpr double pi = std::numbers::pi;

Decomposition window(const WindowForm &form, const WindowShape &shape) {
  GraphBuilder &build = *form.length.b;
  auto length = form.length.known();
  auto isPeriodic = form.isPeriodic.known();
  if (!length || !isPeriodic || !form.dtype.isSettled())
    return build.notYet("the values of window_length and periodic, and whether dtype is None");
  Any none = build.none();
  Int dtype = form.dtype ? *form.dtype : build.i(int64_t(ScalarType::Float));
  if (*length == 1)
    return build.op<aten::OnesOp>(build.ints({1}), dtype, none, none, none);
  Tensor place = build.op<aten::ArangeOp>(*length, int64_t(ScalarType::Double), none, none, none);
  Tensor elements = shape(place, double(*isPeriodic ? *length : *length - 1));
  return build.op<aten::ToDTypeOp>(elements, dtype, false, false, none);
}

WindowShape raisedCosine(Float alpha, Float beta) {
  return [=](Tensor place, double last) {
    return -(cos(place * (2 * pi / last)) * Any(beta)) + Any(alpha);
  };
}

Tensor blackman(Tensor place, double last) {
  return cos(place * (4 * pi / last)) * 0.08 - cos(place * (2 * pi / last)) * 0.5 + 0.42;
}

Tensor triangle(Tensor place, double last) { return 1.0 - abs(place * (2 / last) - 1.0); }

WindowShape kaiser(Float beta) {
  return [=](Tensor place, double last) -> Tensor {
    GraphBuilder &build = *place.b;
    Tensor fromMiddle = place * (2 / last) - 1.0;
    Tensor height = build.op<aten::I0Op>(sqrt(1.0 - square(fromMiddle)) * Any(beta));
    return height / Tensor(build.op<aten::I0Op>(fullLike(place, beta)));
  };
}

} // namespace jit
