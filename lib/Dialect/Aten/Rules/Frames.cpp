//===- Frames.cpp - builders for the rules of Spectral.td: frames of a signal -===//

#include "Rules/GraphBuilders.h"
#include "Rules/Spectral.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Pool.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/Spectral.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

namespace {
/// What is known of frames: their size, how far they are apart, and the window.
struct KnownFrames {
  int64_t size, hop;
  /// Of `size` elements; none where it is 1 throughout.
  std::optional<Tensor> window;
};
} // namespace

static Tensor padded(Tensor t, int64_t before, int64_t after) {
  if (before == 0 && after == 0)
    return t;
  return t.b->op<aten::ConstantPadNdOp>(t, t.b->ints({before, after}), 0);
}

static Tensor ones(GraphBuilder &build, int64_t size, Type dtype) {
  Any none = build.none();
  return build.op<aten::OnesOp>(build.ints({size}), int64_t(*typeToDtype(dtype)), none, none, none);
}

/// The number of an Optional that is settled, or another; nullopt where it is not known.
static std::optional<int64_t> knownOr(OptInt number, int64_t other) {
  if (!number.isSettled())
    return std::nullopt;
  return number ? (*number).known() : other;
}

static std::optional<bool> knownOr(OptBool flag, bool other) {
  if (!flag.isSettled())
    return std::nullopt;
  return flag ? (*flag).known() : other;
}

/// Nullopt where too little is known, or the frames are none. `dtype` is that of a window of ones.
static std::optional<KnownFrames> known(const Frames &frames, Type dtype) {
  if (frames.size.known().value_or(0) < 1 || !frames.window.isSettled())
    return std::nullopt;
  int64_t size = *frames.size.known();
  auto hop = knownOr(frames.hop, size / 4), length = knownOr(frames.length, size);
  if (hop.value_or(0) < 1 || length.value_or(0) < 1 || *length > size)
    return std::nullopt;
  if (!frames.window && *length == size)
    return KnownFrames{size, *hop, std::nullopt};
  Tensor window = frames.window ? *frames.window : ones(*frames.size.b, *length, dtype);
  if (!isStatic(window) || window.info().rank() != 1 || window.info().size(0) != *length)
    return std::nullopt;
  int64_t before = (size - *length) / 2;
  return KnownFrames{size, *hop, padded(window, before, size - *length - before)};
}

static bool isComplex(Tensor t) { return isa<ComplexType>(t.info().dtype()); }

//===----------------------------------------------------------------------===//
// Forth
//===----------------------------------------------------------------------===//

std::optional<Tensor> centered(Tensor self, Int size, Bool center, Str mode) {
  GraphBuilder &build = *self.b;
  if (!center.known() || !mode.known() || !self.info().hasRank() || !size.known())
    return std::nullopt;
  if (!*center.known())
    return self;
  int64_t half = *size.known() / 2, rank = self.info().rank();
  // Padding takes a dimension of channels, and one of batches.
  Tensor t = self;
  for (int64_t missing = rank; missing < 3; ++missing)
    t = unsqueeze(t, 0);
  t = build.op<aten::PadOp>(t, build.ints({half, half}), mode, build.none());
  for (int64_t missing = rank; missing < 3; ++missing)
    t = squeeze(t, 0);
  return t;
}

Decomposition stft(Tensor self, Frames given, StftForm form) {
  GraphBuilder &build = *self.b;
  auto alignsToWindow = knownOr(form.alignToWindow, false);
  if (!isStatic(self) || !form.normalized.known() || alignsToWindow != false)
    return build.notYet("the sizes of self, the value of normalized, and False as align_to_window");
  auto frames = known(given, self.info().dtype());
  int64_t rank = self.info().rank();
  if (!frames || rank < 1 || rank > 2 || self.info().size(-1) < frames->size)
    return build.notYet("the values of n_fft, hop_length and win_length, the sizes of a window "
                        "that fits, and one or two dimensions of at least n_fft");
  Tensor parts = build.op<aten::UnfoldOp>(self, -1, frames->size, frames->hop);
  if (frames->window)
    parts = parts * *frames->window;
  auto onesided = knownOr(form.onesided, !isComplex(parts));
  auto givesComplex = knownOr(form.isComplex, isComplex(parts));
  if (!onesided || !givesComplex || (isComplex(parts) && *onesided))
    return build.notYet(
        "the values of onesided and return_complex, and real parts for one-sided frequencies");
  int64_t mode = *form.normalized.known() ? 1 : 0;
  IntList last = build.ints({rank});
  Tensor spectra = isComplex(parts) ? build.op<aten::FftC2cOp>(parts, last, mode, true)
                                    : build.op<aten::FftR2cOp>(parts, last, mode, *onesided);
  Tensor result = transpose(spectra, -1, -2);
  return *givesComplex ? result : build.op<aten::ViewAsRealOp>(result);
}

//===----------------------------------------------------------------------===//
// And back
//===----------------------------------------------------------------------===//

/// Frames, [..., frames, size], added up where they overlap, [..., samples].
static Tensor overlapped(Tensor frames, int64_t hop) {
  GraphBuilder &build = *frames.b;
  int64_t count = frames.info().size(-2), size = frames.info().size(-1);
  SmallVector<int64_t> sizes(frames.info().sizes().drop_back());
  sizes.back() = size + hop * (count - 1);
  int64_t dim = int64_t(sizes.size()) - 1;
  return build.op<aten::UnfoldBackwardOp>(frames, build.ints(sizes), dim, size, hop);
}

/// Ends the call where a sample is in no window, so that nothing could be said of it.
static void guardCovered(Tensor envelope) {
  GraphBuilder &build = *envelope.b;
  Tensor isCovered = build.op<aten::AllOp>(abs(envelope) >= 1e-11);
  Value ok = build.op<aten::ItemOp>(isCovered).v;
  GuardOp::create(build.builder, build.loc, ok, "builtins.RuntimeError",
                  "istft: expected windows that overlap in every sample", ValueRange());
}

/// The real elements of spectra [..., frames, frequencies], or complex ones.
static Tensor framesOf(Tensor spectra, int64_t size, int64_t mode, bool isHalf, bool givesComplex) {
  GraphBuilder &build = *spectra.b;
  IntList last = build.ints({spectra.info().rank() - 1});
  if (givesComplex)
    return build.op<aten::FftC2cOp>(spectra, last, mode, false);
  int64_t half = size / 2 + 1;
  if (!isHalf)
    spectra = slice(spectra, spectra.info().rank() - 1, 0, half);
  return build.op<aten::FftC2rOp>(spectra, last, mode, size);
}

Decomposition istft(Tensor self, Frames given, IstftForm form) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !isComplex(self) || !form.center.known() || !form.normalized.known() ||
      !form.isComplex.known() || !form.length.isSettled())
    return build.notYet("the sizes of complex parts, and the values of center, normalized, "
                        "onesided, length and return_complex");
  Type part = cast<ComplexType>(self.info().dtype()).getElementType();
  auto frames = known(given, part);
  int64_t rank = self.info().rank();
  if (!frames || rank < 2 || rank > 3)
    return build.notYet(
        "the values of n_fft, hop_length and win_length, and parts of two or three dimensions");
  int64_t size = frames->size, frequencies = self.info().size(-2), count = self.info().size(-1);
  auto isHalf = knownOr(form.onesided, frequencies != size);
  auto length = knownOr(form.length, -1);
  if (!isHalf || !length || count < 1 || frequencies != (*isHalf ? size / 2 + 1 : size) ||
      (*isHalf && *form.isComplex.known()))
    return build.notYet("as many frequencies as n_fft gives, the value of length, and frames");
  Tensor parts = framesOf(transpose(self, -1, -2), size, *form.normalized.known() ? 1 : 2, *isHalf,
                          *form.isComplex.known());
  Tensor window = frames->window ? *frames->window : ones(build, size, part);
  int64_t samples = size + frames->hop * (count - 1), start = *form.center.known() ? size / 2 : 0;
  int64_t end = *length >= 0 ? start + *length : samples - start;
  auto cut = [&](Tensor t) { return slice(t, t.info().rank() - 1, start, std::min(end, samples)); };
  Tensor squares = build.op<aten::ExpandOp>(window * window, build.ints({count, size}), false);
  Tensor envelope = cut(overlapped(squares, frames->hop));
  guardCovered(envelope);
  Tensor signal = cut(overlapped(parts * window, frames->hop)) / envelope;
  return padded(signal, 0, std::max<int64_t>(0, end - samples));
}

} // namespace jit
