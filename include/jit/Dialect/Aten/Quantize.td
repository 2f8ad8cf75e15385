//===- Quantize.td - floats as the few values that integers would have -*- tablegen -*-===//
include "jit/Dialect/Aten/PackedArgs.td"

/// The gradient of what is within the range is that of the identity; nothing flows to the step or to its zero.
class FakeQuantize<string name, string overload, dag args, string grid, dag outs_ = (outs Tensor:$result)>
    : Aten_Op<name, overload, args, outs_> {
  bit hasMask = !eq(!size(outs_), 2);
  let namedResults = hasMask;
  let type = "Type(self)" # !if(hasMask, ", infer.predicate(operands.take_front(1))", "");
  let decompose = !if(hasMask, "return onGrid(self, " # grid # ", /*withMask=*/true);", "return onGrid(self, " # grid # ");");
  let grads = [Grad<"self", "gradOnGrid(self, " # grid # ", " # !if(hasMask, "grad_output", "grad") # ")">]
    # !if(!eq(!getdagarg<AtenArg>(args, 1).spelling, "Tensor"),
          [Grad<"scale", "build.none()">, Grad<"zero_point", "build.none()">], []<Grad>);
}
defvar range = (ins Int:$quant_min, Int:$quant_max);
defvar byNumbers = !con((ins Tensor:$self, Float:$scale, Int:$zero_point), range);
def Aten_FakeQuantizePerTensorAffineOp : FakeQuantize<"fake_quantize_per_tensor_affine", "", byNumbers,
    "{scale, zero_point, {}, quant_min, quant_max}">;
def Aten_FakeQuantizePerTensorAffineCachemaskOp : FakeQuantize<"fake_quantize_per_tensor_affine_cachemask", "", byNumbers,
    "{scale, zero_point, {}, quant_min, quant_max}", (outs Tensor:$output, Tensor:$mask)>;
def Aten_FakeQuantizePerTensorAffineTensorQparamsOp : FakeQuantize<"fake_quantize_per_tensor_affine", "tensor_qparams",
    !con((ins Tensor:$self, Tensor:$scale, Tensor:$zero_point), range), "{scale, zero_point, {}, quant_min, quant_max}">;
def Aten_FakeQuantizePerChannelAffineOp : FakeQuantize<"fake_quantize_per_channel_affine", "",
    !con((ins Tensor:$self, Tensor:$scale, Tensor:$zero_point, Int:$axis), range), "{scale, zero_point, axis, quant_min, quant_max}">;

//===----------------------------------------------------------------------===//
// Layers whose weights are bytes
//===----------------------------------------------------------------------===//

/// Weights that are bytes are multiplied with X as bytes, those that are floats with X as it is.
class DynamicLinear<string name, dag more, string isReduced> : Aten_Op<name, "",
    !con((ins Tensor:$X, LinearParams:$W_prepack), more), (outs Tensor:$Y)> {
  let ns = "quantized";
  let namedResults = 1;
  let type = "packedLinear(infer, X, W_prepack)";
  let decompose = "return packedLinear(X, W_prepack, " # isReduced # ", /*hasRelu=*/"
      # !if(!eq(!find(name, "relu"), -1), "false", "true") # ");";
  let grads = [Grad<"X", "build.none()">];
}
defvar reduceRange = (ins Default<Bool, "False">:$reduce_range);
def Aten_LinearDynamicOp : DynamicLinear<"linear_dynamic", reduceRange, "reduce_range">;
def Aten_LinearReluDynamicOp : DynamicLinear<"linear_relu_dynamic", reduceRange, "reduce_range">;
def Aten_LinearDynamicFp16Op : DynamicLinear<"linear_dynamic_fp16", (ins), "build.flag(false)">;
def Aten_LinearReluDynamicFp16Op : DynamicLinear<"linear_relu_dynamic_fp16", (ins), "build.flag(false)">;
