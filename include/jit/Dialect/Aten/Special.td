//===- Special.td - special functions, and compositions of pointwise ones -*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// Of one element
//===----------------------------------------------------------------------===//

class SpecialUnary<string name, string rule, string grad> : Aten_FloatPointwise<name, "", (ins Tensor:$self)> {
  let scalar = rule;
  let grads = [Grad<"self", grad>];
}
def Aten_SpecialEntrOp : SpecialUnary<"special_entr", "entropy(self)", "grad * (-1.0 * log(self) - 1.0)">;
def Aten_SpecialNdtrOp : SpecialUnary<"special_ndtr", "normalDistribution(self)",
    "grad * exp(self * self * -0.5) * 0.3989422804014327">;
def Aten_AngleOp : SpecialUnary<"angle", "angle(self)", "zerosLike(self)"> {
  let type = "inReal(infer, infer.pointwise(operands, {operands[0]}, true))";
}
def Aten_RoundDecimalsOp : Aten_Composite<"round", "decimals", (ins Tensor:$self, Kw<Int>:$decimals),
    "return roundedTo(self, decimals);">;

def Aten_FrexpTensorOp : Aten_Composite<"frexp", "Tensor", (ins Tensor:$self), "return mantissaAndExponent(self);",
    (outs Tensor:$mantissa, Tensor:$exponent)> {
  let namedResults = 1;
}

//===----------------------------------------------------------------------===//
// Of two
//===----------------------------------------------------------------------===//

class Xlog1py<string overload, dag args> : Aten_FloatPointwise<"special_xlog1py", overload, args> {
  let scalar = "xLog1pY(self, other)";
}
def Aten_SpecialXlog1pyOp : Xlog1py<"", (ins Tensor:$self, Tensor:$other)> {
  let grads = [Grad<"self", "where(self == 0.0 && other <= -1.0, 0.0, build.op<SpecialXlog1pyOp>(grad, other))">,
               Grad<"other", "grad * (self / (other + 1.0))">];
}
def Aten_SpecialXlog1pyScalarOp : Xlog1py<"other_scalar", (ins Tensor:$self, Scalar:$other)> {
  let grads = [Grad<"self", "xLog1pGradOfSelf(self, other, grad)">];
}
def Aten_SpecialXlog1pySelfScalarOp : Xlog1py<"self_scalar", (ins Scalar:$self, Tensor:$other)> {
  let grads = [Grad<"other", "grad / (other + 1.0) * self">];
}
def Aten_Logaddexp2Op : Aten_FloatPointwise<"logaddexp2", "", (ins Tensor:$self, Tensor:$other)> {
  let scalar = "logAddExp2(self, other)";
  let grads = [Grad<"self", "grad / (build.op<Exp2Op>(other - self) + 1.0)">,
               Grad<"other", "grad / (build.op<Exp2Op>(self - other) + 1.0)">];
}

class OfIntegers<string name, string rule> : Aten_Pointwise<name, "", (ins Tensor:$self, Tensor:$other)> {
  let scalar = rule;
}
def Aten_GcdOp : OfIntegers<"gcd", "greatestDivisor(self, other)">;
def Aten_LcmOp : OfIntegers<"lcm", "leastMultiple(self, other)">;
def Aten_NextafterOp : Aten_Pointwise<"nextafter", "", (ins Tensor:$self, Tensor:$other)> {
  let scalar = "nextAfter(self, other)";
}

// In double precision.
class FloatPower<string overload, AtenArg base, AtenArg exponent_, string powered>
    : Aten_Composite<"float_power", overload, (ins base:$self, exponent_:$exponent), "return " # powered # ";">;
def Aten_FloatPowerTensorTensorOp : FloatPower<"Tensor_Tensor", Tensor, Tensor,
    "build.op<PowTensorTensorOp>(inDouble(self), inDouble(exponent))">;
def Aten_FloatPowerTensorScalarOp : FloatPower<"Tensor_Scalar", Tensor, Scalar,
    "build.op<PowTensorScalarOp>(inDouble(self), exponent)">;
def Aten_FloatPowerScalarOp : FloatPower<"Scalar", Scalar, Tensor, "build.op<PowScalarOp>(self, inDouble(exponent))">;
def Aten_LdexpOp : Aten_Composite<"ldexp", "Tensor", (ins Tensor:$self, Tensor:$other),
    "return scaledByPower(self, other);">;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

def Aten_SafeSoftmaxOp : Aten_Composite<"_safe_softmax", "",
    (ins Tensor:$self, Int:$dim, Default<OptDType, "None">:$dtype), "return safeSoftmax(self, dim, dtype);">;
def Aten_AddReluTensorOp : Aten_Composite<"_add_relu", "Tensor",
    (ins Tensor:$self, Tensor:$other, Kw<Default<Scalar, "1">>:$alpha),
    "return build.op<ReluOp>(build.op<AddTensorOp>(self, other, alpha));">;
