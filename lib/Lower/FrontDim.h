//===- FrontDim.h - dimensions counted from the front -----------*- C++ -*-===//
#ifndef JIT_LIB_LOWER_FRONTDIM_H
#define JIT_LIB_LOWER_FRONTDIM_H

#include "jit/Dialect/Aten/TypeRules.h"

namespace jit {

/// The constant `dim` as one counted from the front.
inline std::optional<int64_t> frontDim(mlir::Value dim, int64_t rank) {
  IntInfo info(dim);
  if (!info.known || *info.known < -rank || *info.known >= rank)
    return std::nullopt;
  return *info.known < 0 ? *info.known + rank : *info.known;
}

} // namespace jit

#endif // JIT_LIB_LOWER_FRONTDIM_H
