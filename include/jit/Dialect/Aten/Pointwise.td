//===- Pointwise.td - one element from one element of each operand -*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def Aten_AddTensorOp : Aten_Pointwise<"add", "Tensor",
    (ins Tensor:$self, Tensor:$other, Kw<Default<ScalarParam, "1">>:$alpha)> {
  let scalar = "self + alpha * other";
}
def Aten_AddScalarOp : Aten_Pointwise<"add", "Scalar",
    (ins Tensor:$self, Scalar:$other, Default<ScalarParam, "1">:$alpha)> {
  let scalar = "self + alpha * other";
}
def Aten_SubTensorOp : Aten_Pointwise<"sub", "Tensor",
    (ins Tensor:$self, Tensor:$other, Kw<Default<ScalarParam, "1">>:$alpha)> {
  let scalar = "self - alpha * other";
}
def Aten_SubScalarOp : Aten_Pointwise<"sub", "Scalar",
    (ins Tensor:$self, Scalar:$other, Default<ScalarParam, "1">:$alpha)> {
  let scalar = "self - alpha * other";
}
def Aten_MulTensorOp : Aten_Pointwise<"mul", "Tensor", (ins Tensor:$self, Tensor:$other)> {
  let scalar = "self * other";
}
def Aten_MulScalarOp : Aten_Pointwise<"mul", "Scalar", (ins Tensor:$self, Scalar:$other)> {
  let scalar = "self * other";
}
def Aten_DivTensorOp : Aten_FloatPointwise<"div", "Tensor", (ins Tensor:$self, Tensor:$other)> {
  let scalar = "self / other";
}
def Aten_DivScalarOp : Aten_FloatPointwise<"div", "Scalar", (ins Tensor:$self, Scalar:$other)> {
  let scalar = "self / other";
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

def Aten_EqTensorOp : Aten_Predicate<"eq", "Tensor", (ins Tensor:$self, Tensor:$other)> {
  let scalar = "self == other";
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

def Aten_ReluOp : Aten_Pointwise<"relu", "", (ins Tensor:$self)> {
  let scalar = "max(self, 0.0)";
}
def Aten_SigmoidOp : Aten_FloatPointwise<"sigmoid", "", (ins Tensor:$self)> {
  let scalar = "sigmoid(self)";
}
def Aten_TanhOp : Aten_FloatPointwise<"tanh", "", (ins Tensor:$self)> {
  let scalar = "tanh(self)";
}
