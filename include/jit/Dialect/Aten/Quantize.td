//===- Quantize.td - floats as the few values that integers would have -*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

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
