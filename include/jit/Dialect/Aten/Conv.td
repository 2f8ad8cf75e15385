//===- Conv.td - convolutions and their windows ------------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// The general form
//===----------------------------------------------------------------------===//

defvar convolutionType = "convolved(infer, {input.value, weight.value, stride.value, padding.value, dilation.value, output_padding.value, groups.value}, transposed.known)";
def Aten_ConvolutionOp : Aten_Op<"convolution", "",
    (ins Tensor:$input, Tensor:$weight, OptTensor:$bias, SymIntList:$stride, SymIntList:$padding, SymIntList:$dilation,
         Bool:$transposed, SymIntList:$output_padding, SymInt:$groups)> {
  let summary = "Any convolution; one number in a list stands for every dimension";
  let keepsChannelsLast = 1;
  let type = convolutionType;
  let lowered = 1;
  let openSizes = 1;
  defvar operands = "{input, weight, stride, padding, dilation, transposed, output_padding, groups}, ";
  let grads = [Grad<"input", "convolutionGradInput(" # operands # "grad)">,
               Grad<"weight", "convolutionGradWeight(" # operands # "grad)">,
               Grad<"bias", "convolutionGradBias(input, weight, grad)">];
}
def Aten_ConvolutionBackwardOp : Aten_Composite<"convolution_backward", "",
    (ins Tensor:$grad_output, Tensor:$input, Tensor:$weight, OptSymIntList:$bias_sizes, SymIntList:$stride, SymIntList:$padding,
         SymIntList:$dilation, Bool:$transposed, SymIntList:$output_padding, SymInt:$groups, Sized<BoolList, 3>:$output_mask),
    [{return convolutionBackward({input, weight, stride, padding, dilation, transposed, output_padding, groups}, grad_output);}],
    (outs Tensor:$grad_input, Tensor:$grad_weight, Tensor:$grad_bias)> {
  let summary = "The three gradients of a convolution, whichever the mask asks for";
}
defvar toConvolution = [{
  return build.op<ConvolutionOp>(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}];
def Aten_RawConvolutionOp : Aten_Op<"_convolution", "",
    (ins Tensor:$input, Tensor:$weight, OptTensor:$bias, SymIntList:$stride, SymIntList:$padding, SymIntList:$dilation,
         Bool:$transposed, SymIntList:$output_padding, SymInt:$groups, Bool:$benchmark, Bool:$deterministic,
         Bool:$cudnn_enabled, Bool:$allow_tf32)> {
  let keepsChannelsLast = 1;
  let type = convolutionType;
  let decompose = toConvolution;
}
def Aten_RawConvolutionDeprecatedOp : Aten_Op<"_convolution", "deprecated",
    (ins Tensor:$input, Tensor:$weight, OptTensor:$bias, SymIntList:$stride, SymIntList:$padding, SymIntList:$dilation,
         Bool:$transposed, IntList:$output_padding, SymInt:$groups, Bool:$benchmark, Bool:$deterministic,
         Bool:$cudnn_enabled)> {
  let type = convolutionType;
  let decompose = toConvolution;
}

//===----------------------------------------------------------------------===//
// By the number of dimensions
//===----------------------------------------------------------------------===//

defvar forwardType = "convolved(infer, {input.value, weight.value, stride.value, padding.value, dilation.value, Value(), groups.value}, false)";

class Conv<int n, string ones, string zeros> : Aten_Op<"conv" # n # "d", "",
    (ins Tensor:$input, Tensor:$weight, Default<OptTensor, "None">:$bias, Default<Sized<SymIntList, n>, ones>:$stride,
         Default<Sized<SymIntList, n>, zeros>:$padding, Default<Sized<SymIntList, n>, ones>:$dilation,
         Default<SymInt, "1">:$groups)> {
  let keepsChannelsLast = 1;
  let type = forwardType;
  let decompose = [{
    return build.op<ConvolutionOp>(input, weight, bias, stride, padding, dilation, false, build.ints({0}), groups);
  }];
}
def Aten_Conv1dOp : Conv<1, "[1]", "[0]">;
def Aten_Conv2dOp : Conv<2, "[1, 1]", "[0, 0]">;
def Aten_Conv3dOp : Conv<3, "[1, 1, 1]", "[0, 0, 0]">;

/// Padding by name: "valid" for none, "same" for an output as large as the input.
class ConvPadding<int n, string ones> : Aten_Op<"conv" # n # "d", "padding",
    (ins Tensor:$input, Tensor:$weight, Default<OptTensor, "None">:$bias, Default<Sized<SymIntList, n>, ones>:$stride,
         Default<Str, "\"valid\"">:$padding, Default<Sized<SymIntList, n>, ones>:$dilation, Default<SymInt, "1">:$groups)> {
  let keepsChannelsLast = 1;
  let type = forwardType;
  let decompose = "return build.op<ConvolutionModeOp>(input, weight, bias, stride, padding, dilation, groups);";
}
def Aten_Conv1dPaddingOp : ConvPadding<1, "[1]">;
def Aten_Conv2dPaddingOp : ConvPadding<2, "[1, 1]">;
def Aten_Conv3dPaddingOp : ConvPadding<3, "[1, 1, 1]">;
def Aten_ConvolutionModeOp : Aten_Op<"_convolution_mode", "",
    (ins Tensor:$input, Tensor:$weight, OptTensor:$bias, SymIntList:$stride, Str:$padding, SymIntList:$dilation,
         SymInt:$groups)> {
  let type = forwardType;
  let decompose = "return convolutionByMode(input, weight, bias, stride, padding, dilation, groups);";
}

class ConvTranspose<int n, string overload, string ones, string zeros> : Aten_Op<"conv_transpose" # n # "d", overload,
    (ins Tensor:$input, Tensor:$weight, Default<OptTensor, "None">:$bias, Default<Sized<SymIntList, n>, ones>:$stride,
         Default<Sized<SymIntList, n>, zeros>:$padding, Default<Sized<SymIntList, n>, zeros>:$output_padding,
         Default<SymInt, "1">:$groups, Default<Sized<SymIntList, n>, ones>:$dilation)> {
  let keepsChannelsLast = 1;
  let type = "convolved(infer, {input.value, weight.value, stride.value, padding.value, dilation.value, output_padding.value, groups.value}, true)";
  let decompose = [{
    return build.op<ConvolutionOp>(input, weight, bias, stride, padding, dilation, true, output_padding, groups);
  }];
}
def Aten_ConvTranspose1dOp : ConvTranspose<1, "", "[1]", "[0]">;
def Aten_ConvTranspose2dOp : ConvTranspose<2, "input", "[1, 1]", "[0, 0]">;
def Aten_ConvTranspose3dOp : ConvTranspose<3, "input", "[1, 1, 1]", "[0, 0, 0]">;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

def Aten_Im2colOp : Aten_Op<"im2col", "", (ins Tensor:$self, Sized<IntList, 2>:$kernel_size,
    Sized<IntList, 2>:$dilation, Sized<IntList, 2>:$padding, Sized<IntList, 2>:$stride)> {
  let summary = "Each window of an image as a column";
  let type = "windowColumns(infer, self, kernel_size, dilation, padding, stride)";
  let lowered = 1;
  let grads = [Grad<"self", "build.op<Col2imOp>(grad, build.list(llvm::ArrayRef<Int>{sizeOf(self, -2), sizeOf(self, -1)}),"
      " kernel_size, dilation, padding, stride)">];
}
def Aten_Col2imOp : Aten_Op<"col2im", "", (ins Tensor:$self, Sized<SymIntList, 2>:$output_size,
    Sized<IntList, 2>:$kernel_size, Sized<IntList, 2>:$dilation, Sized<IntList, 2>:$padding, Sized<IntList, 2>:$stride)> {
  let summary = "The image whose elements are the sums of all columns that have them";
  let type = "columnImage(infer, self, output_size, "
      "windowsOf(2, kernel_size.value, stride.value, padding.value, dilation.value))";
  let lowered = 1;
  let grads = [Grad<"self", "build.op<Im2colOp>(grad, kernel_size, dilation, padding, stride)">];
}
