//===- Spectral.h - builders for the rules of Spectral.td -------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_SPECTRAL_H
#define JIT_LIB_DIALECT_ATEN_RULES_SPECTRAL_H

#include "jit/Dialect/Aten/GradRules.h"

#include <functional>

namespace jit {

// ---- Types ----
mlir::Type transformed(TypeRules &infer, TensorInfo self);
mlir::Type halfTransformed(TypeRules &infer, TensorInfo self, ListInfo dims, BoolInfo onesided);
mlir::Type realFromHalf(TypeRules &infer, TensorInfo self, ListInfo dims, IntInfo size);

// ---- Windows ----
/// A periodic window is the next longer one without its last element.
struct WindowForm {
  Int length;
  Bool isPeriodic;
  OptInt dtype;
};
/// The elements of a window of the places 0 to `last`, at these places.
using WindowShape = std::function<Tensor(Tensor place, double last)>;
Decomposition window(const WindowForm &form, const WindowShape &shape);
/// alpha - beta cos(2 pi place / last).
WindowShape raisedCosine(Float alpha, Float beta);
Tensor blackman(Tensor place, double last);
Tensor triangle(Tensor place, double last);
WindowShape kaiser(Float beta);

// ---- Transforms ----
struct Spectrum {
  /// All frequencies; those from 0 on of real elements; real elements of those from 0 on.
  enum Kind { Full, Half, FromHalf } kind;
  bool isForward;
};
/// Dimensions, and the sizes to which they are cut or filled up: -1 for the tensor's own.
struct TransformSizes {
  llvm::SmallVector<int64_t> dims, sizes;
};
/// Nullopt where they are not known.
std::optional<TransformSizes> along(OptInt size, Int dim);
std::optional<TransformSizes> along(Tensor self, OptIntList sizes, IntList dims);
std::optional<TransformSizes> along(Tensor self, OptIntList sizes, OptIntList dims);
Decomposition spectrum(Tensor self, Spectrum how, std::optional<TransformSizes> along, Str norm);

/// The frequencies of a transform of n elements that are d apart; those from 0 on for a half.
Decomposition frequencies(Int n, Float d, OptInt dtype, bool isHalf);

// ---- Of windows ----
/// `size` elements each, `hop` apart, times a window of `length` in their middle.
struct Frames {
  Int size;
  OptInt hop, length;
  OptTensor window;
};
struct StftForm {
  Bool normalized;
  OptBool onesided, isComplex, alignToWindow;
};
struct IstftForm {
  Bool center, normalized;
  OptBool onesided;
  OptInt length;
  Bool isComplex;
};
/// [(batch,) samples] to [(batch,) frequencies, frames(, 2)].
Decomposition stft(Tensor self, Frames frames, StftForm form);
/// Back again; the call ends where the windows leave a sample out.
Decomposition istft(Tensor self, Frames frames, IstftForm form);
/// Half of a frame of padding on both sides; nullopt where too little is known.
std::optional<Tensor> centered(Tensor self, Int size, Bool center, Str mode);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_SPECTRAL_H
