//===- Autocast.h - builders for the rules of Autocast.td -------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_AUTOCAST_H
#define JIT_LIB_DIALECT_ATEN_RULES_AUTOCAST_H

#include "jit/Dialect/Aten/GraphRules.h"

namespace jit {

/// Whether autocast is enabled where the program's tensors are on that kind of device.
Decomposition autocastApplies(GraphBuilder &build, Str device, Bool enabled);
/// `self` in the element type of a number, where the program's tensors are on that kind of device,
/// autocast is enabled for it, and `self` has floating elements that are not double.
Decomposition autocasted(Tensor self, Str device, Bool enabled, OptInt dtype);
/// The same in f32, if one of `operands` that are cast has that type.
Decomposition autocastedToWidest(Tensor self, TensorList operands, Str device, Bool enabled,
                                 OptInt dtype);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_AUTOCAST_H
