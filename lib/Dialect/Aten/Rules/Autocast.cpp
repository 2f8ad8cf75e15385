//===- Autocast.cpp - builders for the rules of Autocast.td ---------------===//

#include "Rules/Autocast.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

/// Whether a region casts anything here; nullopt while that is not known.
static std::optional<bool> isEnabled(GraphBuilder &build, Str device, Bool enabled) {
  std::optional<bool> known = enabled.known();
  if (!device.known() || !known)
    return std::nullopt;
  return *known && *isOnDevice(build, *device.known()).known();
}

/// Whether a region casts elements of this type, which is not null.
static bool isCast(Type dtype) { return isa<FloatType>(dtype) && !dtype.isF64(); }

Decomposition autocastApplies(GraphBuilder &build, Str device, Bool enabled) {
  std::optional<bool> applies = isEnabled(build, device, enabled);
  if (!applies)
    return build.notYet("whether autocast is enabled for which device");
  return build.flag(*applies);
}

Decomposition autocasted(Tensor self, Str device, Bool enabled, OptInt dtype) {
  GraphBuilder &build = *self.b;
  std::optional<bool> applies = isEnabled(build, device, enabled);
  if (!applies)
    return build.notYet("whether autocast is enabled for which device");
  if (!*applies)
    return self;
  if (!self.info().dtype())
    return build.notYet("the element type of self");
  if (!isCast(self.info().dtype()))
    return self;
  return build.op<aten::ToDTypeOp>(self, dtype, false, false, build.none());
}

Decomposition autocastedToWidest(Tensor self, TensorList operands, Str device, Bool enabled,
                                 OptInt dtype) {
  GraphBuilder &build = *self.b;
  auto elements = operands.elements();
  if (!elements)
    return build.notYet("the operands");
  bool isAnyF32 = false;
  for (Value element : *elements) {
    Type type = TensorInfo(element).dtype();
    if (!type)
      return build.notYet("the element types of all operands");
    isAnyF32 |= type.isF32();
  }
  return autocasted(self, device, enabled,
                    isAnyF32 ? OptInt(build, build.i(int64_t(ScalarType::Float)).v) : dtype);
}

} // namespace jit
