//===- Spectral.td - Fourier transforms --------------------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// What the others are made of. `normalization`: 0 for none, 1 for the root of the number of elements, 2 for that number
//===----------------------------------------------------------------------===//

def Aten_FftC2cOp : Aten_Op<"_fft_c2c", "",
    (ins Tensor:$self, SymIntList:$dim, Int:$normalization, Bool:$forward)> {
  let type = "transformed(infer, self)";
  let lowered = 1;
  let unusualStrides = 1;
}
def Aten_FftR2cOp : Aten_Op<"_fft_r2c", "", (ins Tensor:$self, IntList:$dim, Int:$normalization, Bool:$onesided)> {
  let summary = "Of real elements; the last of the dimensions holds the frequencies from 0 on alone where `onesided`";
  let type = "halfTransformed(infer, self, dim, onesided)";
  let lowered = 1;
  let unusualStrides = 1;
}
def Aten_FftC2rOp : Aten_Op<"_fft_c2r", "", (ins Tensor:$self, IntList:$dim, Int:$normalization, SymInt:$last_dim_size)> {
  let summary = "Back to real elements, from the frequencies from 0 on in the last of the dimensions";
  let type = "realFromHalf(infer, self, dim, last_dim_size)";
  let lowered = 1;
  let unusualStrides = 1;
}

//===----------------------------------------------------------------------===//
// Along one dimension, cut or filled up with zeros to `n`; along several
//===----------------------------------------------------------------------===//

defvar norm_ = (ins Default<OptStr, "None">:$norm);
class Spectrum<string base, dag args, string body>
    : Aten_Composite<"fft_" # base, "", !con((ins Tensor:$self), args, norm_), "return spectrum(self, " # body # ", norm);">;
multiclass Spectra<string name, string kind, string isForward> {
  defvar how = "{Spectrum::" # kind # ", " # isForward # "}";
  def Op : Spectrum<name, (ins Default<OptSymInt, "None">:$n, Default<Int, "-1">:$dim), how # ", along(n, dim)">;
  def 2Op : Spectrum<name # "2", (ins Default<Sized<OptSymIntList, 1>, "None">:$s,
      Default<Sized<IntList, 1>, "[-2, -1]">:$dim), how # ", along(self, s, dim)">;
  def nOp : Spectrum<name # "n", (ins Default<Sized<OptSymIntList, 1>, "None">:$s,
      Default<Sized<OptIntList, 1>, "None">:$dim), how # ", along(self, s, dim)">;
}
defm Aten_FftFft : Spectra<"fft", "Full", "true">;
defm Aten_FftIfft : Spectra<"ifft", "Full", "false">;
defm Aten_FftRfft : Spectra<"rfft", "Half", "true">;
defm Aten_FftIrfft : Spectra<"irfft", "FromHalf", "false">;
defm Aten_FftHfft : Spectra<"hfft", "FromHalf", "true">;
defm Aten_FftIhfft : Spectra<"ihfft", "Half", "false">;

//===----------------------------------------------------------------------===//
// Frequencies
//===----------------------------------------------------------------------===//

class Frequencies<string base, string isHalf> : Aten_Composite<base, "",
    (ins Int:$n, Default<Float, "1.">:$d, Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptLayout, "None">>:$layout,
         Kw<Default<OptDevice, "None">>:$device, Kw<Default<OptBool, "None">>:$pin_memory),
    "return frequencies(n, d, dtype, " # isHalf # ");">;
def Aten_FftFftfreqOp : Frequencies<"fft_fftfreq", "false">;
def Aten_FftRfftfreqOp : Frequencies<"fft_rfftfreq", "true">;

//===----------------------------------------------------------------------===//
// Of windows
//===----------------------------------------------------------------------===//

defvar frames = (ins Int:$n_fft, Default<OptInt, "None">:$hop_length, Default<OptInt, "None">:$win_length,
    Default<OptTensor, "None">:$window);
defvar form = (ins Default<Bool, "False">:$normalized, Default<OptBool, "None">:$onesided,
    Default<OptBool, "None">:$return_complex, Default<OptBool, "None">:$align_to_window);
def Aten_StftOp : Aten_Composite<"stft", "", !con((ins Tensor:$self), frames, form),
    "return stft(self, {n_fft, hop_length, win_length, window}, {normalized, onesided, return_complex, align_to_window});">;
def Aten_StftCenterOp : Aten_Composite<"stft", "center", !con((ins Tensor:$self), frames,
    (ins Default<Bool, "True">:$center, Default<Str, "\"reflect\"">:$pad_mode), form), [{
  auto padded = centered(self, n_fft, center, pad_mode);
  if (!padded) return build.notYet("the values of n_fft, center and pad_mode, and the sizes of self");
  return stft(*padded, {n_fft, hop_length, win_length, window}, {normalized, onesided, return_complex, align_to_window});
}]>;
def Aten_IstftOp : Aten_Composite<"istft", "", !con((ins Tensor:$self), frames,
    (ins Default<Bool, "True">:$center, Default<Bool, "False">:$normalized, Default<OptBool, "None">:$onesided,
         Default<OptInt, "None">:$length, Default<Bool, "False">:$return_complex)),
    "return istft(self, {n_fft, hop_length, win_length, window}, {center, normalized, onesided, length, return_complex});">;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

defvar windowOptions = (ins Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptLayout, "None">>:$layout,
    Kw<Default<OptDevice, "None">>:$device, Kw<Default<OptBool, "None">>:$pin_memory);
class Aten_Window<string base, string overload, dag form, string shape, string periodic = "periodic">
    : Aten_Composite<base, overload, !con((ins Int:$window_length), form, windowOptions),
                     "return window({window_length, " # periodic # ", dtype}, " # shape # ");">;
multiclass WindowFunction<string base, string shape> {
  def Op : Aten_Window<base, "", (ins), shape, "build.flag(true)">;
  def PeriodicOp : Aten_Window<base, "periodic", (ins Bool:$periodic), shape>;
}
defm Aten_HannWindow : WindowFunction<"hann_window", "raisedCosine(build.f(0.5), build.f(0.5))">;
defm Aten_BlackmanWindow : WindowFunction<"blackman_window", "blackman">;
defm Aten_BartlettWindow : WindowFunction<"bartlett_window", "triangle">;
defm Aten_HammingWindow : WindowFunction<"hamming_window", "raisedCosine(build.f(0.54), build.f(0.46))">;
def Aten_HammingWindowAlphaOp : Aten_Window<"hamming_window", "periodic_alpha", (ins Bool:$periodic, Float:$alpha),
    "raisedCosine(alpha, build.f(0.46))">;
def Aten_HammingWindowAlphaBetaOp : Aten_Window<"hamming_window", "periodic_alpha_beta",
    (ins Bool:$periodic, Float:$alpha, Float:$beta), "raisedCosine(alpha, beta)">;
defm Aten_KaiserWindow : WindowFunction<"kaiser_window", "kaiser(build.f(12.0))">;
def Aten_KaiserWindowBetaOp : Aten_Window<"kaiser_window", "beta", (ins Bool:$periodic, Float:$beta), "kaiser(beta)">;
