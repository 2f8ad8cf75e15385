//===- Pool.td - extremes and means of windows -------------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

class Numbers<int n> : Sized<IntList, n>;

//===----------------------------------------------------------------------===//
// Extremes
//===----------------------------------------------------------------------===//

class MaxPool<int n, string name, string padding, string dilation, string type_, dag outs_ = (outs Tensor:$result)>
    : Aten_Op<name, "", (ins Tensor:$self, Numbers<n>:$kernel_size, Default<Numbers<n>, "[]">:$stride,
          Default<Numbers<n>, padding>:$padding, Default<Numbers<n>, dilation>:$dilation,
          Default<Bool, "False">:$ceil_mode), outs_> {
  defvar pooled = "pooled(infer, self, " # n # ", {kernel_size.value, stride.value, padding.value, dilation.value}, ceil_mode, ";
  let type = !subst("POOLED(", pooled, type_);
  let lowered = 1;
}
def Aten_MaxPool1dOp : MaxPool<1, "max_pool1d", "[0]", "[1]", "POOLED(self.dtype())">;
def Aten_MaxPool2dOp : MaxPool<2, "max_pool2d", "0", "1", "POOLED(self.dtype())">;
def Aten_MaxPool3dOp : MaxPool<3, "max_pool3d", "0", "1", "POOLED(self.dtype())">;
class MaxPoolWithIndices<int n, string padding, string dilation>
    : MaxPool<n, "max_pool" # n # "d_with_indices", padding, dilation,
          "POOLED(self.dtype()), POOLED(infer.i64())", (outs Tensor:$values, Tensor:$indices)>;
def Aten_MaxPool1dWithIndicesOp : MaxPoolWithIndices<1, "[0]", "[1]">;
def Aten_MaxPool2dWithIndicesOp : MaxPoolWithIndices<2, "0", "1">;

//===----------------------------------------------------------------------===//
// Means
//===----------------------------------------------------------------------===//

class AvgPool<int n, dag args> : Aten_Op<"avg_pool" # n # "d", "", args> {
  let type = "pooled(infer, self, " # n # ", {kernel_size.value, stride.value, padding.value, Value()}, ceil_mode, self.dtype())";
  let lowered = 1;
}
def Aten_AvgPool1dOp : AvgPool<1, (ins Tensor:$self, Numbers<1>:$kernel_size, Default<Numbers<1>, "[]">:$stride,
    Default<Numbers<1>, "[0]">:$padding, Default<Bool, "False">:$ceil_mode, Default<Bool, "True">:$count_include_pad)>;
class AvgPoolDivisor<int n> : AvgPool<n, (ins Tensor:$self, Numbers<n>:$kernel_size, Default<Numbers<n>, "[]">:$stride,
    Default<Numbers<n>, "0">:$padding, Default<Bool, "False">:$ceil_mode, Default<Bool, "True">:$count_include_pad,
    Default<OptInt, "None">:$divisor_override)>;
def Aten_AvgPool2dOp : AvgPoolDivisor<2>;
def Aten_AvgPool3dOp : AvgPoolDivisor<3>;

//===----------------------------------------------------------------------===//
// To a given size
//===----------------------------------------------------------------------===//

class AdaptiveAvgPool<int n, AtenArg sizes> : Aten_Op<"adaptive_avg_pool" # n # "d", "",
    (ins Tensor:$self, Sized<sizes, n>:$output_size)> {
  let type = "resized(infer, self, " # n # ", output_size, self.dtype())";
  let lowered = 1;
}
def Aten_AdaptiveAvgPool1dOp : AdaptiveAvgPool<1, IntList>;
def Aten_AdaptiveAvgPool2dOp : AdaptiveAvgPool<2, SymIntList>;
def Aten_AdaptiveAvgPool3dOp : AdaptiveAvgPool<3, SymIntList>;
class AdaptiveMaxPool<int n> : Aten_Op<"adaptive_max_pool" # n # "d", "",
    (ins Tensor:$self, Numbers<n>:$output_size), (outs Tensor:$values, Tensor:$indices)> {
  let type = "resized(infer, self, " # n # ", output_size, self.dtype()), resized(infer, self, " # n # ", output_size, infer.i64())";
  let lowered = 1;
}
def Aten_AdaptiveMaxPool1dOp : AdaptiveMaxPool<1>;
def Aten_AdaptiveMaxPool2dOp : AdaptiveMaxPool<2>;
