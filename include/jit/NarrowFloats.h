//===- NarrowFloats.h - floats narrower than f32 on the host ----*- C++ -*-===//
#ifndef JIT_NARROWFLOATS_H
#define JIT_NARROWFLOATS_H

#include "jit/ScalarType.h"
#include "llvm/ADT/APFloat.h"

#include <cstring>

namespace jit {

/// Of the type's elements; null where those are no floats narrower than f32.
inline const llvm::fltSemantics *narrowFormatOf(ScalarType type) {
  switch (type) {
  case ScalarType::Half:
    return &llvm::APFloat::IEEEhalf();
  case ScalarType::BFloat16:
    return &llvm::APFloat::BFloat();
  case ScalarType::Float8E5M2:
    return &llvm::APFloat::Float8E5M2();
  case ScalarType::Float8E4M3FN:
    return &llvm::APFloat::Float8E4M3FN();
  case ScalarType::Float8E5M2FNUZ:
    return &llvm::APFloat::Float8E5M2FNUZ();
  case ScalarType::Float8E4M3FNUZ:
    return &llvm::APFloat::Float8E4M3FNUZ();
  default:
    return nullptr;
  }
}

/// The number of a narrow format that lies at `bytes`; a float has them all.
inline float readNarrow(const llvm::fltSemantics &format, const void *bytes) {
  unsigned width = llvm::APFloat::semanticsSizeInBits(format);
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, width / 8);
  return float(llvm::APFloat(format, llvm::APInt(width, bits)).convertToDouble());
}

/// Stores the number of a narrow format that is nearest.
inline void writeNarrow(const llvm::fltSemantics &format, double number, void *bytes) {
  llvm::APFloat narrow(number);
  bool lost;
  narrow.convert(format, llvm::APFloat::rmNearestTiesToEven, &lost);
  uint64_t bits = narrow.bitcastToAPInt().getZExtValue();
  std::memcpy(bytes, &bits, llvm::APFloat::semanticsSizeInBits(format) / 8);
}

} // namespace jit

#endif // JIT_NARROWFLOATS_H
