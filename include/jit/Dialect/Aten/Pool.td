//===- Pool.td - extremes and means of windows -------------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

class Numbers<int n> : Sized<IntList, n>;

//===----------------------------------------------------------------------===//
// Extremes
//===----------------------------------------------------------------------===//

class MaxPool<int n, string name, string padding, string dilation, dag outs_ = (outs Tensor:$result)>
    : Aten_Op<name, "", (ins Tensor:$self, Numbers<n>:$kernel_size, Default<Numbers<n>, "[]">:$stride,
          Default<Numbers<n>, padding>:$padding, Default<Numbers<n>, dilation>:$dilation,
          Default<Bool, "False">:$ceil_mode), outs_> {
  defvar pooled = "pooled(infer, self, " # n # ", {kernel_size.value, stride.value, padding.value, dilation.value}, ceil_mode, ";
  string typeOfValues = pooled # "self.dtype())";
  string typeOfIndices = pooled # "infer.i64())";
}
class MaxPoolValues<int n, string padding, string dilation> : MaxPool<n, "max_pool" # n # "d", padding, dilation> {
  let keepsChannelsLast = 1;
  let type = typeOfValues;
  let decompose = [{
    return Any(build, build.multi<MaxPool}] # n # [{dWithIndicesOp>(self, kernel_size, stride, padding, dilation, ceil_mode)
                          ->getResult(0));
  }];
}
def Aten_MaxPool1dOp : MaxPoolValues<1, "[0]", "[1]">;
def Aten_MaxPool2dOp : MaxPoolValues<2, "0", "1">;
def Aten_MaxPool3dOp : MaxPoolValues<3, "0", "1">;
/// Indices that nobody reads are not computed.
class MaxPoolWithIndices<int n, string padding, string dilation, string grad>
    : MaxPool<n, "max_pool" # n # "d_with_indices", padding, dilation, (outs Tensor:$values, Tensor:$indices)> {
  let keepsChannelsLast = 1;
  let type = typeOfValues # ", " # typeOfIndices;
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", grad # "(grad, self, kernel_size, stride, padding, dilation, ceil_mode, indices)">];
}
def Aten_MaxPool1dWithIndicesOp : MaxPoolWithIndices<1, "[0]", "[1]", "maxPool1dGrad">;
def Aten_MaxPool2dWithIndicesOp : MaxPoolWithIndices<2, "0", "1", "build.op<MaxPool2dWithIndicesBackwardOp>">;
def Aten_MaxPool3dWithIndicesOp : MaxPoolWithIndices<3, "0", "1", "build.op<MaxPool3dWithIndicesBackwardOp>">;

//===----------------------------------------------------------------------===//
// Means
//===----------------------------------------------------------------------===//

class AvgPool<int n, dag args, string grad> : Aten_Op<"avg_pool" # n # "d", "", args> {
  let keepsChannelsLast = 1;
  let type = "pooled(infer, self, " # n # ", {kernel_size.value, stride.value, padding.value, Value()}, ceil_mode, self.dtype())";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", grad>];
}
def Aten_AvgPool1dOp : AvgPool<1, (ins Tensor:$self, Numbers<1>:$kernel_size, Default<Numbers<1>, "[]">:$stride,
    Default<Numbers<1>, "[0]">:$padding, Default<Bool, "False">:$ceil_mode, Default<Bool, "True">:$count_include_pad),
    "avgPool1dGrad(grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad)">;
class AvgPoolDivisor<int n> : AvgPool<n, (ins Tensor:$self, Numbers<n>:$kernel_size, Default<Numbers<n>, "[]">:$stride,
    Default<Numbers<n>, "0">:$padding, Default<Bool, "False">:$ceil_mode, Default<Bool, "True">:$count_include_pad,
    Default<OptInt, "None">:$divisor_override), "build.op<AvgPool" # n # "dBackwardOp>"
    # "(grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)">;
def Aten_AvgPool2dOp : AvgPoolDivisor<2>;
def Aten_AvgPool3dOp : AvgPoolDivisor<3>;

//===----------------------------------------------------------------------===//
// To a given size
//===----------------------------------------------------------------------===//

class AdaptiveAvgPool<int n, AtenArg sizes, string grad> : Aten_Op<"adaptive_avg_pool" # n # "d", "",
    (ins Tensor:$self, Sized<sizes, n>:$output_size)> {
  let keepsChannelsLast = 1;
  let type = "resized(infer, self, " # n # ", output_size, self.dtype())";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", grad>];
}
def Aten_AdaptiveAvgPool1dOp : AdaptiveAvgPool<1, IntList, "adaptiveAvgPoolGrad(grad, self, 1)">;
def Aten_AdaptiveAvgPool2dOp : AdaptiveAvgPool<2, SymIntList, "build.op<AdaptiveAvgPool2dBackwardOp>(grad, self)">;
def Aten_AdaptiveAvgPool3dOp : AdaptiveAvgPool<3, SymIntList, "build.op<AdaptiveAvgPool3dBackwardOp>(grad, self)">;
// What they are called once a program is decomposed.
class RawAdaptiveAvgPool<int n> : Aten_Composite<"_adaptive_avg_pool" # n # "d", "",
    (ins Tensor:$self, Sized<SymIntList, n>:$output_size), "return build.op<AdaptiveAvgPool" # n # "dOp>(self, output_size);">;
def Aten_RawAdaptiveAvgPool2dOp : RawAdaptiveAvgPool<2>;
def Aten_RawAdaptiveAvgPool3dOp : RawAdaptiveAvgPool<3>;
class AdaptiveMaxPool<int n> : Aten_Op<"adaptive_max_pool" # n # "d", "",
    (ins Tensor:$self, Numbers<n>:$output_size), (outs Tensor:$values, Tensor:$indices)> {
  let type = "resized(infer, self, " # n # ", output_size, self.dtype()), resized(infer, self, " # n # ", output_size, infer.i64())";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"self", "adaptiveMaxPoolGrad(self, indices, " # n # ", grad)">];
}
def Aten_AdaptiveMaxPool1dOp : AdaptiveMaxPool<1>;
def Aten_AdaptiveMaxPool2dOp : AdaptiveMaxPool<2>;
def Aten_AdaptiveMaxPool3dOp : AdaptiveMaxPool<3>;

class FractionalMaxPool<int n> : Aten_Composite<"fractional_max_pool" # n # "d", "",
    (ins Tensor:$self, Numbers<n>:$kernel_size, Numbers<n>:$output_size, Tensor:$random_samples),
    "return fractionalMaxPool(self, kernel_size, output_size, random_samples);", (outs Tensor:$values, Tensor:$indices)>;
def Aten_FractionalMaxPool2dOp : FractionalMaxPool<2>;
def Aten_FractionalMaxPool3dOp : FractionalMaxPool<3>;

//===----------------------------------------------------------------------===//
// What flows back: each element is the sum over the windows that it is in
//===----------------------------------------------------------------------===//

class MaxPoolBackward<int n> : Aten_Op<"max_pool" # n # "d_with_indices_backward", "",
    (ins Tensor:$grad_output, Tensor:$self, Numbers<n>:$kernel_size, Numbers<n>:$stride, Numbers<n>:$padding,
         Numbers<n>:$dilation, Bool:$ceil_mode, Tensor:$indices)> {
  let type = "Type(self)";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"grad_output", "pickedByIndices(grad, indices, " # n # ")">, Grad<"self", "build.none()">];
}
def Aten_MaxPool2dWithIndicesBackwardOp : MaxPoolBackward<2>;
def Aten_MaxPool3dWithIndicesBackwardOp : MaxPoolBackward<3>;
class AvgPoolBackward<int n> : Aten_Op<"avg_pool" # n # "d_backward", "",
    (ins Tensor:$grad_output, Tensor:$self, Numbers<n>:$kernel_size, Numbers<n>:$stride, Numbers<n>:$padding,
         Bool:$ceil_mode, Bool:$count_include_pad, OptInt:$divisor_override)> {
  let type = "Type(self)";
  let lowered = 1;
  let openSizes = 1;
  let grads = [Grad<"grad_output", "build.op<AvgPool" # n # "dOp>"
      # "(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)">, Grad<"self", "build.none()">];
}
def Aten_AvgPool2dBackwardOp : AvgPoolBackward<2>;
def Aten_AvgPool3dBackwardOp : AvgPoolBackward<3>;
class AdaptiveAvgPoolBackward<int n>
    : Aten_Op<"_adaptive_avg_pool" # n # "d_backward", "", (ins Tensor:$grad_output, Tensor:$self)> {
  let type = "Type(self)";
  let decompose = "return adaptiveAvgPoolGrad(grad_output, self, " # n # ");";
}
def Aten_AdaptiveAvgPool2dBackwardOp : AdaptiveAvgPoolBackward<2>;
def Aten_AdaptiveAvgPool3dBackwardOp : AdaptiveAvgPoolBackward<3>;
def Aten_UnfoldBackwardOp : Aten_Op<"unfold_backward", "",
    (ins Tensor:$grad_in, SymIntList:$input_sizes, Int:$dim, Int:$size, Int:$step)> {
  let summary = "The sum of all windows, each at its place, over zeros of `input_sizes`";
  let type = "unfolded(infer, grad_in, input_sizes)";
  let lowered = 1;
  let grads = [Grad<"grad_in", "unfolded(grad, dim, size, step)">];
}
