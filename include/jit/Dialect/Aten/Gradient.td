//===- Gradient.td - gradients that a program asks for -----*- tablegen -*-===//
//
// `torch.autograd.grad` and `requires_grad`. What a tensor's history is, is a matter of the values of a function without
// writes: until then these operators only stand where the program has them. jit-expand-gradients answers them.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/AtenBase.td"

def WrittenSelf : Spelled<Tensor, "Tensor(a!)">;
def OptTensors : AtenArg<isList, "Tensor?[]", "ListInfo", "Ignored", "AnyList",
    "infer.list(OptionalType::get(infer.tensor()))">;

// jit-resolve-leaves makes values of it: the tensor has another name from there on.
def GivesOperand : NativeOpTrait<"PicksElement"> { let cppNamespace = "::jit"; }
def Aten_RequiresGradInPlaceOp : Aten_Op<"requires_grad_", "", (ins WrittenSelf:$self, Default<Bool, "True">:$requires_grad),
    (outs WrittenSelf:$result), [GivesOperand]> {
  let type = "Type(self)";
  let lowered = 1;
}
def Aten_RequiresGradOp : Aten_Op<"requires_grad", "", (ins Tensor:$a), (outs Bool:$result)> {
  let ns = "prim";
  let decompose = "return requiresNoGrad(a, *this);";
}

/// Two of them are never one, even of the same tensor: each is a variable of its own.
def VariableEffects : DeclareOpInterfaceMethods<MemoryEffectsOpInterface>;
class Aten_Variable<string base> : Aten_Op<base, "", (ins Tensor:$self), (outs Tensor:$result), [VariableEffects]> {
  let type = "Type(self)";
  let decompose = "return self;";
  let scatter = "written";
  let view = "ViewOf::shares(base)";
  let grads = [Grad<"self", "grad">];
}
def Aten_LeafOp : Aten_Variable<"_leaf"> {
  let summary = "A tensor that requires a gradient from here on: x.requires_grad_()";
}
def Aten_VariableOp : Aten_Variable<"_variable"> {
  let summary = "A tensor by which something is differentiated, so that no other is taken for the same value";
}

def Aten_GradOp : Aten_Op<"grad", "", (ins TensorList:$outputs, TensorList:$inputs,
    Default<OptList<"Tensor?[]?">, "None">:$grad_outputs, Default<OptBool, "None">:$retain_graph,
    Default<Bool, "False">:$create_graph, Default<Bool, "False">:$allow_unused), (outs OptTensors:$result)> {
  let summary = "The gradients of outputs by inputs: while a program is specialised, one aten._gradient for each input";
  let lowered = 1;
}
def Aten_GradientOp : Aten_Op<"_gradient", "", (ins TensorList:$outputs, TensorList:$inputs, OptTensors:$grad_outputs,
    Int:$index, Bool:$create_graph, Bool:$allow_unused)> {
  let summary = "The gradient of a sum of outputs, weighted by grad_outputs, by one of the inputs";
  let type = "gradientType(infer, inputs, index)";
  let lowered = 1;
}
