//===- Pointwise.td - one element from one element of each operand -*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

/// A tensor that is converted to the computing type but has no say in it.
def TensorParam : AtenArg<isTensor, "Tensor", "TensorInfo", "Param", "Tensor">;

/// The gradients of `self` and of `other`, where the operator has any.
class Grads<string self, string other = ""> {
  list<Grad> all = !if(!empty(self), []<Grad>, [Grad<"self", self>]) # !if(!empty(other), []<Grad>, [Grad<"other", other>]);
}
class Unary<string name, string rule, string grad = ""> : Aten_Pointwise<name, "", (ins Tensor:$self)> {
  let scalar = rule;
  let grads = Grads<grad>.all;
}
class FloatUnary<string name, string rule, string grad = ""> : Aten_FloatPointwise<name, "", (ins Tensor:$self)> {
  let scalar = rule;
  let grads = Grads<grad>.all;
}
class Binary<string name, string overload, string rule, string selfGrad = "", string otherGrad = "", AtenArg second = Tensor,
             list<Trait> extra = [Pure]> : Aten_Pointwise<name, overload, (ins Tensor:$self, second:$other), extra> {
  let scalar = rule;
  let grads = Grads<selfGrad, otherGrad>.all;
}
class BinaryScalar<string name, string overload, string rule, string grad = "", AtenArg second = Scalar, list<Trait> extra = [Pure]>
    : Aten_Pointwise<name, overload, (ins Tensor:$self, second:$other), extra> {
  let scalar = rule;
  let grads = Grads<grad>.all;
}
class FloatBinary<string name, string overload, string rule, string selfGrad = "", string otherGrad = "", AtenArg second = Tensor>
    : Aten_FloatPointwise<name, overload, (ins Tensor:$self, second:$other)> {
  let scalar = rule;
  let grads = Grads<selfGrad, otherGrad>.all;
}
class FloatBinaryScalar<string name, string overload, string rule, string grad = "", AtenArg second = Scalar>
    : Aten_FloatPointwise<name, overload, (ins Tensor:$self, second:$other)> {
  let scalar = rule;
  let grads = Grads<grad>.all;
}

//===----------------------------------------------------------------------===//
// Sums, products
//===----------------------------------------------------------------------===//

class Sum<string name, string rule, string selfGrad, string otherGrad> : Aten_Pointwise<name, "Tensor",
    (ins Tensor:$self, Tensor:$other, Kw<Default<ScalarParam, "1">>:$alpha)> {
  let scalar = rule;
  let grads = Grads<selfGrad, otherGrad>.all;
}
class SumScalar<string name, string rule, string grad> : Aten_Pointwise<name, "Scalar",
    (ins Tensor:$self, Scalar:$other, Default<ScalarParam, "1">:$alpha)> {
  let scalar = rule;
  let grads = Grads<grad>.all;
}
def Aten_AddTensorOp : Sum<"add", "self + alpha * other", "grad", "grad * alpha">;
def Aten_AddScalarOp : SumScalar<"add", "self + alpha * other", "grad">;
def Aten_SubTensorOp : Sum<"sub", "self - alpha * other", "grad", "-(grad * alpha)"> { let aliases = ["subtract.Tensor"]; }
def Aten_SubScalarOp : SumScalar<"sub", "self - alpha * other", "grad"> { let aliases = ["subtract.Scalar"]; }
def Aten_RsubTensorOp : Sum<"rsub", "other - alpha * self", "-(grad * alpha)", "grad">;
def Aten_RsubScalarOp : SumScalar<"rsub", "other - alpha * self", "-(grad * alpha)">;
def Aten_MulTensorOp : Binary<"mul", "Tensor", "self * other", "grad * other", "grad * self", OpmathTensor> {
  let linear = [["self"], ["other"]];
  let aliases = ["multiply.Tensor"];
}
def Aten_MulScalarOp : BinaryScalar<"mul", "Scalar", "self * other", "grad * other", OpmathScalar> {
  let linear = [["self"]];
  let aliases = ["multiply.Scalar"];
}

def Aten_AddcmulOp : Aten_Pointwise<"addcmul", "",
    (ins Tensor:$self, Tensor:$tensor1, Tensor:$tensor2, Kw<Default<ScalarParam, "1">>:$value)> {
  let grads = [Grad<"self", "grad">, Grad<"tensor1", "grad * (tensor2 * value)">,
               Grad<"tensor2", "grad * (tensor1 * value)">];
  let scalar = "self + value * tensor1 * tensor2";
}
def Aten_AddcdivOp : Aten_Pointwise<"addcdiv", "",
    (ins Tensor:$self, Tensor:$tensor1, Tensor:$tensor2, Kw<Default<ScalarParam, "1">>:$value)> {
  let grads = [Grad<"self", "grad">, Grad<"tensor1", "grad * value / tensor2">,
               Grad<"tensor2", "-(grad * value * tensor1 / (tensor2 * tensor2))">];
  let scalar = "self + value * tensor1 / tensor2";
}
def Aten_LerpScalarOp : Aten_Pointwise<"lerp", "Scalar", (ins Tensor:$self, Tensor:$end, ScalarParam:$weight)> {
  let grads = [Grad<"self", "grad - grad * weight">, Grad<"end", "grad * weight">];
  let scalar = "lerp(self, end, weight)";
}
def Aten_LerpTensorOp : Aten_Pointwise<"lerp", "Tensor", (ins Tensor:$self, Tensor:$end, Tensor:$weight)> {
  let grads = [Grad<"self", "grad * (1.0 - weight)">, Grad<"end", "grad * weight">,
               Grad<"weight", "grad * (end - self)">];
  let scalar = "lerp(self, end, weight)";
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

def Aten_DivTensorOp : FloatBinary<"div", "Tensor", "self / other", "grad / other", "-(grad * (result / other))", OpmathTensor> {
  let linear = [["self"]];
  let aliases = ["divide.Tensor", "true_divide.Tensor"];
}
def Aten_DivScalarOp : FloatBinaryScalar<"div", "Scalar", "self / other", "grad / other", OpmathScalar> {
  let linear = [["self"]];
  let aliases = ["divide.Scalar", "true_divide.Scalar"];
}

defvar dividing = [Pure, DividesElements];

/// Division with a rounding mode: floats stay floats, integers become floats where it is None.
class DivMode<string overload, AtenArg divisor>
    : Aten_Op<"div", overload, (ins Tensor:$self, divisor:$other, Kw<OptStr>:$rounding_mode), (outs Tensor:$result), dividing> {
  let type = "divided(infer, {operands[0], operands[1]}, rounding_mode)";
  let scalar = "divided(self, other, rounding_mode)";
  let grads = [Grad<"self", "unlessRounded(rounding_mode, grad / other)">];
}
def Aten_DivTensorModeOp : DivMode<"Tensor_mode", OpmathTensor> {
  let aliases = ["divide.Tensor_mode"];
  let grads = [Grad<"self", "unlessRounded(rounding_mode, grad / other)">,
               Grad<"other", "unlessRounded(rounding_mode, -(grad * (result / other)))">];
}
def Aten_DivScalarModeOp : DivMode<"Scalar_mode", OpmathScalar> { let aliases = ["divide.Scalar_mode"]; }

def Aten_FloorDivideOp : Binary<"floor_divide", "", "floorDiv(self, other)", "", "", OpmathTensor, dividing>;
def Aten_FloorDivideScalarOp : BinaryScalar<"floor_divide", "Scalar", "floorDiv(self, other)", "", OpmathScalar, dividing>;
def Aten_RemainderTensorOp
    : Binary<"remainder", "Tensor", "floorMod(self, other)", "grad", "-(grad * quotient(self, other, \"floor\"))", Tensor, dividing>;
def Aten_RemainderScalarOp : BinaryScalar<"remainder", "Scalar", "floorMod(self, other)", "grad", Scalar, dividing>;
def Aten_RemainderScalarTensorOp : Aten_Pointwise<"remainder", "Scalar_Tensor", (ins Scalar:$self, Tensor:$other), dividing> {
  let scalar = "floorMod(self, other)";
}
def Aten_FmodTensorOp
    : Binary<"fmod", "Tensor", "truncMod(self, other)", "grad", "-(grad * quotient(self, other, \"trunc\"))", Tensor, dividing>;
def Aten_FmodScalarOp : BinaryScalar<"fmod", "Scalar", "truncMod(self, other)", "grad", Scalar, dividing>;
def Aten_ReciprocalOp : FloatUnary<"reciprocal", "1.0 / self", "-(grad * result * result)">;

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

def Aten_PowTensorTensorOp : Aten_Pointwise<"pow", "Tensor_Tensor", (ins Tensor:$self, Tensor:$exponent)> {
  let scalar = "power(self, exponent)";
  let grads = [Grad<"self", "where(exponent == 0.0, 0.0, grad * (exponent * pow(self, exponent - 1.0)))">,
               Grad<"exponent", "grad * where(self == 0.0 && exponent >= 0.0, 0.0, result * log(self))">];
}
def Aten_PowTensorScalarOp : Aten_Pointwise<"pow", "Tensor_Scalar", (ins Tensor:$self, Scalar:$exponent)> {
  let scalar = "power(self, exponent)";
  let grads = [Grad<"self", "powerGrad(self, exponent, grad)">];
}
def Aten_PowScalarOp : Aten_Pointwise<"pow", "Scalar", (ins Scalar:$self, Tensor:$exponent)> {
  let givesRows = 1;
  let scalar = "power(self, exponent)";
  let grads = [Grad<"exponent", "powerGradOfExponent(self, exponent, result, grad)">];
}
def Aten_SquareOp : Aten_Op<"square", "", (ins Tensor:$self)> {
  let keepsStrides = 1;
  let type = "squared(infer, self)";
  let decompose = "return build.op<PowTensorScalarOp>(self, 2);";
}
def Aten_SqrtOp : FloatUnary<"sqrt", "sqrt(self)", "grad / (result * 2.0)">;
def Aten_RsqrtOp : FloatUnary<"rsqrt", "rsqrt(self)", "grad * result * result * result * -0.5">;
def Aten_HypotOp
    : Binary<"hypot", "", "hypot(self, other)", "grad * (self / result)", "grad * (other / result)">;

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

class Comparison<string name, string relation>
    : Aten_Predicate<name, "Tensor", (ins Tensor:$self, Tensor:$other)> {
  let scalar = "self " # relation # " other";
}
class ComparisonScalar<string name, string relation>
    : Aten_Predicate<name, "Scalar", (ins Tensor:$self, Scalar:$other)> {
  let scalar = "self " # relation # " other";
}
def Aten_EqTensorOp : Comparison<"eq", "==">;
def Aten_EqScalarOp : ComparisonScalar<"eq", "==">;
def Aten_NeTensorOp : Comparison<"ne", "!="> { let aliases = ["not_equal.Tensor"]; }
def Aten_NeScalarOp : ComparisonScalar<"ne", "!="> { let aliases = ["not_equal.Scalar"]; }
def Aten_LtTensorOp : Comparison<"lt", "<"> { let aliases = ["less.Tensor"]; }
def Aten_LtScalarOp : ComparisonScalar<"lt", "<"> { let aliases = ["less.Scalar"]; }
def Aten_LeTensorOp : Comparison<"le", "<="> { let aliases = ["less_equal.Tensor"]; }
def Aten_LeScalarOp : ComparisonScalar<"le", "<="> { let aliases = ["less_equal.Scalar"]; }
def Aten_GtTensorOp : Comparison<"gt", ">"> { let aliases = ["greater.Tensor"]; }
def Aten_GtScalarOp : ComparisonScalar<"gt", ">"> { let aliases = ["greater.Scalar"]; }
def Aten_GeTensorOp : Comparison<"ge", ">="> { let aliases = ["greater_equal.Tensor"]; }
def Aten_GeScalarOp : ComparisonScalar<"ge", ">="> { let aliases = ["greater_equal.Scalar"]; }

class Test<string name, string rule> : Aten_Predicate<name, "", (ins Tensor:$self)> { let scalar = rule; }
def Aten_IsnanOp : Test<"isnan", "isNan(self)">;
def Aten_IsinfOp : Test<"isinf", "isInf(self)">;
/// PyTorch makes it of several operators, whose strides differ where dimensions have size 1.
def Aten_IsfiniteOp : Test<"isfinite", "isFinite(self)"> {
  let unusualStrides = 1;
  let newLayout = "finiteLayout(self, stridedOf)";
}
def Aten_IsposinfOp : Test<"isposinf", "isPosInf(self)">;
def Aten_IsneginfOp : Test<"isneginf", "isNegInf(self)">;

//===----------------------------------------------------------------------===//
// Logic and bits
//===----------------------------------------------------------------------===//

class Logic<string name, string rule> : Aten_Predicate<name, "", (ins Tensor:$self, Tensor:$other)> {
  let scalar = rule;
}
def Aten_LogicalAndOp : Logic<"logical_and", "logicalAnd(self, other)">;
def Aten_LogicalOrOp : Logic<"logical_or", "logicalOr(self, other)">;
def Aten_LogicalXorOp : Logic<"logical_xor", "truth(self) ^ truth(other)">;
def Aten_LogicalNotOp : Test<"logical_not", "logicalNot(self)">;

class BinaryScalarTensor<string name, string rule>
    : Aten_Pointwise<name, "Scalar_Tensor", (ins Scalar:$self, Tensor:$other)> { let scalar = rule; }
let type = "integral(infer, infer.pointwise(operands, {operands[0], operands[1]}, false))" in {
def Aten_BitwiseAndTensorOp : Binary<"bitwise_and", "Tensor", "self & other"> { let aliases = ["__and__.Tensor"]; }
def Aten_BitwiseAndScalarOp : BinaryScalar<"bitwise_and", "Scalar", "self & other"> { let aliases = ["__and__.Scalar"]; }
def Aten_BitwiseAndScalarTensorOp : BinaryScalarTensor<"bitwise_and", "self & other">;
def Aten_BitwiseOrTensorOp : Binary<"bitwise_or", "Tensor", "self | other"> { let aliases = ["__or__.Tensor"]; }
def Aten_BitwiseOrScalarOp : BinaryScalar<"bitwise_or", "Scalar", "self | other"> { let aliases = ["__or__.Scalar"]; }
def Aten_BitwiseOrScalarTensorOp : BinaryScalarTensor<"bitwise_or", "self | other">;
def Aten_BitwiseXorTensorOp : Binary<"bitwise_xor", "Tensor", "self ^ other"> { let aliases = ["__xor__.Tensor"]; }
def Aten_BitwiseXorScalarOp : BinaryScalar<"bitwise_xor", "Scalar", "self ^ other"> { let aliases = ["__xor__.Scalar"]; }
def Aten_BitwiseXorScalarTensorOp : BinaryScalarTensor<"bitwise_xor", "self ^ other">;
}
def Aten_BitwiseNotOp : Unary<"bitwise_not", "~self"> { let type = "integral(infer, Type(self))"; }
def Aten_BitwiseLeftShiftTensorOp : Binary<"bitwise_left_shift", "Tensor", "shiftLeft(self, other)"> {
  let aliases = ["__lshift__.Tensor"];
}
def Aten_BitwiseLeftShiftTensorScalarOp : BinaryScalar<"bitwise_left_shift", "Tensor_Scalar", "shiftLeft(self, other)"> {
  let aliases = ["__lshift__.Scalar"];
}
def Aten_BitwiseRightShiftTensorOp : Binary<"bitwise_right_shift", "Tensor", "shiftRight(self, other)"> {
  let aliases = ["__rshift__.Tensor"];
}
def Aten_BitwiseRightShiftTensorScalarOp
    : BinaryScalar<"bitwise_right_shift", "Tensor_Scalar", "shiftRight(self, other)"> { let aliases = ["__rshift__.Scalar"]; }

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

class Where<string overload, AtenArg first, AtenArg second>
    : Aten_Pointwise<"where", overload, (ins RawTensor:$condition, first:$self, second:$other)> {
  let scalar = "select(truth(condition), self, other)";
}
defvar whereSelf = Grad<"self", "where(condition, grad, 0.0)">;
defvar whereOther = Grad<"other", "where(condition, 0.0, grad)">;
def Aten_WhereSelfOp : Where<"self", Tensor, Tensor> {
  let grads = [whereSelf, whereOther];
  let linear = [["self", "other"]];
}
def Aten_WhereScalarSelfOp : Where<"ScalarSelf", Scalar, Tensor> { let grads = [whereOther]; }
def Aten_WhereScalarOtherOp : Where<"ScalarOther", Tensor, Scalar> { let grads = [whereSelf]; }
def Aten_WhereScalarOp : Where<"Scalar", Scalar, Scalar> {
  let type = "selectedScalars(infer, condition, {operands[1], operands[2]})";
}
class MaskedFill<string overload, AtenArg value>
    : Aten_Pointwise<"masked_fill", overload, (ins Tensor:$self, RawTensor:$mask, value:$value)> {
  let givesRows = 1;
  let scalar = "select(truth(mask), value, self)";
  let grads = [Grad<"self", "where(mask, 0.0, grad)">];
}
def Aten_MaskedFillScalarOp : MaskedFill<"Scalar", ScalarParam>;
def Aten_MaskedFillTensorOp : MaskedFill<"Tensor", TensorParam> {
  let grads = [Grad<"self", "where(mask, 0.0, grad)">, Grad<"value", "where(mask, grad, 0.0)">];
}

class Clamp<string overload, AtenArg bound>
    : Aten_Pointwise<"clamp", overload, (ins Tensor:$self, Default<bound, "None">:$min, Default<bound, "None">:$max)> {
  let scalar = "clamped(self, min, max)";
  let grads = [Grad<"self", "clampGrad(self, min, max, grad)">];
}
def Aten_ClampOp : Clamp<"", OptScalar> { let aliases = ["clip"]; }
def Aten_ClampTensorOp : Clamp<"Tensor", OptTensor> {
  let aliases = ["clip.Tensor"];
  let grads = [Grad<"self", "clampGrad(self, min, max, grad)">, Grad<"min", "clampGradOfMin(self, *min, max, grad)">,
               Grad<"max", "clampGradOfMax(self, min, *max, grad)">];
}
class ClampSide<string name, string overload, dag args, string rule> : Aten_Pointwise<name, overload, args> {
  let scalar = rule;
}
defvar atLeastSelf = Grad<"self", "where(self >= min, grad, 0.0)">;
defvar atMostSelf = Grad<"self", "where(self <= max, grad, 0.0)">;
def Aten_ClampMinOp : ClampSide<"clamp_min", "", (ins Tensor:$self, Scalar:$min), "atLeast(self, min)"> {
  let grads = [atLeastSelf];
}
def Aten_ClampMinTensorOp : ClampSide<"clamp_min", "Tensor", (ins Tensor:$self, Tensor:$min), "atLeast(self, min)"> {
  let grads = [atLeastSelf, Grad<"min", "where(self < min, grad, 0.0)">];
}
def Aten_ClampMaxOp : ClampSide<"clamp_max", "", (ins Tensor:$self, Scalar:$max), "atMost(self, max)"> {
  let grads = [atMostSelf];
}
def Aten_ClampMaxTensorOp : ClampSide<"clamp_max", "Tensor", (ins Tensor:$self, Tensor:$max), "atMost(self, max)"> {
  let grads = [atMostSelf, Grad<"max", "where(self > max, grad, 0.0)">];
}

// Of two equal elements each gets half of the gradient; of a number and NaN, both all of it.
def Aten_MaximumOp : Binary<"maximum", "", "max(self, other)",
    "where(self < other, 0.0, sharedByEquals(self, other, grad))", "where(other < self, 0.0, sharedByEquals(self, other, grad))"> {
  let aliases = ["max.other"];
}
def Aten_MinimumOp : Binary<"minimum", "", "min(self, other)",
    "where(self > other, 0.0, sharedByEquals(self, other, grad))", "where(other > self, 0.0, sharedByEquals(self, other, grad))"> {
  let aliases = ["min.other"];
}
def Aten_FmaxOp : Binary<"fmax", "", "maxNumber(self, other)", "where(self >= other || isNan(other), grad, 0.0)",
    "where(self >= other || isNan(other), 0.0, grad)">;
def Aten_FminOp : Binary<"fmin", "", "minNumber(self, other)", "where(self <= other || isNan(other), grad, 0.0)",
    "where(self <= other || isNan(other), 0.0, grad)">;
def Aten_NanToNumOp : Aten_Pointwise<"nan_to_num", "", (ins Tensor:$self, Default<OptFloat, "None">:$nan,
    Default<OptFloat, "None">:$posinf, Default<OptFloat, "None">:$neginf)> {
  let scalar = "nanToNum(self, nan, posinf, neginf, (*this)->getOperand(0).getType())";
  let grads = [Grad<"self", "grad * isFinite(self)">];
}
def Aten_HeavisideOp : Aten_Pointwise<"heaviside", "", (ins Tensor:$self, Tensor:$values)> {
  let scalar = "select(self == 0.0, values, select(self > 0.0, constant(build, 1), constant(build, 0)))";
}

//===----------------------------------------------------------------------===//
// Signs and rounding
//===----------------------------------------------------------------------===//

def Aten_AbsOp : Unary<"abs", "abs(self)", "grad * sign(self)"> {
  let aliases = ["absolute", "prim::abs(Tensor x) -> Tensor"]; // torch.absolute, Python's abs
  let type = "inReal(infer, self.tensor)";
}
def Aten_NegOp : Unary<"neg", "-self", "-grad"> { let linear = [["self"]]; let aliases = ["negative"]; }
def Aten_SignOp : Unary<"sign", "sign(self)", "zerosLike(grad)">;
def Aten_SgnOp : Unary<"sgn", "sign(self)", "build.none()">;
def Aten_FloorOp : Unary<"floor", "floor(self)", "zerosLike(grad)">;
def Aten_CeilOp : Unary<"ceil", "ceil(self)", "zerosLike(grad)">;
def Aten_RoundOp : Unary<"round", "round(self)", "zerosLike(grad)">;
def Aten_TruncOp : Unary<"trunc", "trunc(self)", "zerosLike(grad)"> { let aliases = ["fix"]; }
def Aten_FracOp : Unary<"frac", "self - trunc(self)", "grad">;
def Aten_SignbitOp : Test<"signbit", "signBit(self)">;
def Aten_CopysignTensorOp : FloatBinary<"copysign", "Tensor", "copySign(self, other)",
    "where(self == 0.0, 0.0, grad * (result / self))", "zerosLike(grad)">;
def Aten_CopysignScalarOp : FloatBinaryScalar<"copysign", "Scalar", "copySign(self, other)",
    "where(self == 0.0, 0.0, grad * (result / self))">;

//===----------------------------------------------------------------------===//
// Exponentials and trigonometry
//===----------------------------------------------------------------------===//

def Aten_ExpOp : FloatUnary<"exp", "exp(self)", "grad * result">;
def Aten_Exp2Op : FloatUnary<"exp2", "exp2(self)", "grad * result * 0.6931471805599453">;
def Aten_Expm1Op : FloatUnary<"expm1", "expm1(self)", "grad * (result + 1.0)">;
def Aten_LogOp : FloatUnary<"log", "log(self)", "grad / self">;
def Aten_Log2Op : FloatUnary<"log2", "log2(self)", "grad / (self * 0.6931471805599453)">;
def Aten_Log10Op : FloatUnary<"log10", "log10(self)", "grad / (self * 2.302585092994046)">;
def Aten_Log1pOp : FloatUnary<"log1p", "log1p(self)", "grad / (self + 1.0)">;
def Aten_SinOp : FloatUnary<"sin", "sin(self)", "grad * cos(self)">;
def Aten_CosOp : FloatUnary<"cos", "cos(self)", "-(grad * sin(self))">;
def Aten_TanOp : FloatUnary<"tan", "tan(self)", "grad * (result * result + 1.0)">;
def Aten_AsinOp : FloatUnary<"asin", "asin(self)", "grad * rsqrt(1.0 - self * self)">;
def Aten_AcosOp : FloatUnary<"acos", "acos(self)", "-(grad * rsqrt(1.0 - self * self))">;
def Aten_AtanOp : FloatUnary<"atan", "atan(self)", "grad / (self * self + 1.0)">;
def Aten_SinhOp : FloatUnary<"sinh", "sinh(self)", "grad * cosh(self)">;
def Aten_CoshOp : FloatUnary<"cosh", "cosh(self)", "grad * sinh(self)">;
def Aten_TanhOp : FloatUnary<"tanh", "tanh(self)", "grad * (1.0 - result * result)">;
def Aten_AsinhOp : FloatUnary<"asinh", "asinh(self)", "grad * rsqrt(self * self + 1.0)">;
def Aten_AcoshOp : FloatUnary<"acosh", "acosh(self)", "grad * rsqrt(self * self - 1.0)">;
def Aten_AtanhOp : FloatUnary<"atanh", "atanh(self)", "grad / (1.0 - self * self)">;
def Aten_Atan2Op : FloatBinary<"atan2", "", "atan2(self, other)", "turned(grad, other, self, other)",
    "-turned(grad, self, self, other)"> { let aliases = ["arctan2"]; }
def Aten_ErfOp : FloatUnary<"erf", "erf(self)", "grad * exp(-(self * self)) * 1.1283791670955126">;
def Aten_ErfcOp : FloatUnary<"erfc", "erfc(self)", "grad * exp(-(self * self)) * -1.1283791670955126">;
def Aten_SincOp : FloatUnary<"sinc", "sinc(self)", "sincGrad(self, grad)">;
def Aten_Deg2radOp : FloatUnary<"deg2rad", "self * 0.017453292519943295", "grad * 0.017453292519943295">;
def Aten_Rad2degOp : FloatUnary<"rad2deg", "self * 57.29577951308232", "grad * 57.29577951308232">;
def Aten_LogaddexpOp : FloatBinary<"logaddexp", "", "logAddExp(self, other)", "grad / (exp(other - self) + 1.0)",
    "grad / (exp(self - other) + 1.0)">;
def Aten_LogitOp : Aten_FloatPointwise<"logit", "", (ins Tensor:$self, Default<OptFloat, "None">:$eps)> {
  let scalar = "logit(self, eps)";
  let grads = [Grad<"self", "logitGrad(self, eps, grad)">];
}
defvar xLogYSelf = "where(self == 0.0 && other <= 0.0, 0.0, build.op<XlogyTensorOp>(grad, other))";
def Aten_XlogyTensorOp : FloatBinary<"xlogy", "Tensor", "xLogY(self, other)", xLogYSelf, "grad * self / other">;
def Aten_XlogyScalarOtherOp : FloatBinaryScalar<"xlogy", "Scalar_Other", "xLogY(self, other)",
    "where(self == 0.0 && fullLike(self, other) <= 0.0, 0.0, build.op<XlogyScalarOtherOp>(grad, other))">;
def Aten_XlogyScalarSelfOp : Aten_FloatPointwise<"xlogy", "Scalar_Self", (ins Scalar:$self, Tensor:$other)> {
  let scalar = "xLogY(self, other)";
  let grads = [Grad<"other", "grad * self / other">];
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

def Aten_ReluOp : Unary<"relu", "atLeast(self, 0.0)", "where(result <= 0.0, 0.0, grad)">;
def Aten_Relu6Op : Unary<"relu6", "atMost(atLeast(self, 0.0), 6.0)", "where(self > 0.0 && self < 6.0, grad, 0.0)">;
def Aten_SigmoidOp : FloatUnary<"sigmoid", "sigmoid(self)", "grad * (result * (1.0 - result))">;
def Aten_SiluOp : Unary<"silu", "self * sigmoid(self)", "grad * (sigmoid(self) * (self * (1.0 - sigmoid(self)) + 1.0))">;
def Aten_MishOp : Unary<"mish", "self * tanh(log1p(exp(self)))", "mishGrad(self, grad)">;
def Aten_HardsigmoidOp : Unary<"hardsigmoid", "min(max(self + 3.0, 0.0), 6.0) / 6.0",
    "where(self > -3.0 && self < 3.0, grad * double(1.0f / 6.0f), 0.0)">;
def Aten_HardswishOp : Unary<"hardswish", "self * min(max(self + 3.0, 0.0), 6.0) / 6.0",
    "where(self <= -3.0, 0.0, where(self >= 3.0, grad, grad * (self / 3.0 + 0.5)))">;
def Aten_LogSigmoidOp : Unary<"log_sigmoid", "min(self, 0.0) - log1p(exp(-abs(self)))", "grad * sigmoid(-self)"> {
  let givesRows = 1;
}
def Aten_SeluOp : Unary<"selu", "selu(self)",
    "where(self > 0.0, grad * 1.0507009873554805, grad * exp(self) * 1.7580993408473766)">;
def Aten_GeluOp : Aten_Pointwise<"gelu", "", (ins Tensor:$self, Kw<Default<Str, "\"none\"">>:$approximate)> {
  let scalar = "gelu(self, approximate == \"tanh\")";
  let grads = [Grad<"self", "geluGrad(self, approximate, grad)">];
}
def Aten_HardtanhOp : Aten_Pointwise<"hardtanh", "",
    (ins Tensor:$self, Default<ScalarParam, "-1">:$min_val, Default<ScalarParam, "1">:$max_val)> {
  let scalar = "atMost(atLeast(self, min_val), max_val)";
  let grads = [Grad<"self", "where(self > min_val && self < max_val, grad, 0.0)">];
}
def Aten_LeakyReluOp : Aten_Pointwise<"leaky_relu", "",
    (ins Tensor:$self, Default<ScalarParam, "0.01">:$negative_slope)> {
  let scalar = "select(self > 0.0, self, self * negative_slope)";
  let grads = [Grad<"self", "where(self > 0.0, grad, grad * negative_slope)">];
}
def Aten_EluOp : Aten_Pointwise<"elu", "", (ins Tensor:$self, Default<ScalarParam, "1">:$alpha,
    Default<ScalarParam, "1">:$scale, Default<ScalarParam, "1">:$input_scale)> {
  let scalar = "select(self >= 0.0, self * scale, expm1(self * input_scale) * (alpha * scale))";
  let grads = [Grad<"self", "where(self > 0.0, grad, grad * exp(self * input_scale) * input_scale * alpha) * scale">];
}
def Aten_CeluOp : Aten_Pointwise<"celu", "", (ins Tensor:$self, Default<ScalarParam, "1.">:$alpha)> {
  let scalar = "select(self > 0.0, self, expm1(self * (1.0 / alpha)) * alpha)";
  let grads = [Grad<"self", "where(self > 0.0, grad, grad * exp(self / alpha))">];
}
def Aten_SoftplusOp : Aten_Pointwise<"softplus", "",
    (ins Tensor:$self, Default<ScalarParam, "1">:$beta, Default<ScalarParam, "20">:$threshold)> {
  let scalar = "select(self * beta > threshold, self, log1p(exp(self * beta)) / beta)";
  let grads = [Grad<"self", "where(self * beta > threshold, grad, grad * sigmoid(self * beta))">];
}
def Aten_ThresholdOp : Aten_Pointwise<"threshold", "",
    (ins Tensor:$self, ScalarParam:$threshold, ScalarParam:$value)> {
  let scalar = "select(self <= threshold, value, self)";
  let grads = [Grad<"self", "where(self <= threshold, 0.0, grad)">];
}
def Aten_HardshrinkOp : Aten_Pointwise<"hardshrink", "", (ins Tensor:$self, Default<ScalarParam, "0.5">:$lambd)> {
  let scalar = "select(logicalAnd(self >= -inPromotedType(lambd), self <= inPromotedType(lambd)), constant(build, 0), self)";
  let grads = [Grad<"self", "where(abs(self) > lambd, grad, 0.0)">];
}
def Aten_SoftshrinkOp : Aten_Pointwise<"softshrink", "", (ins Tensor:$self, Default<ScalarParam, "0.5">:$lambd)> {
  let scalar = "select(self > lambd, self - lambd, select(self < -lambd, self + lambd, self * 0.0))";
  let grads = [Grad<"self", "where(abs(self) > lambd, grad, 0.0)">];
}

def Aten_PreluOp : Aten_Op<"prelu", "", (ins Tensor:$self, Tensor:$weight)> {
  let summary = "leaky_relu with a slope for each channel";
  let type = "Type(self)";
  let decompose = "return prelu(self, weight);";
}
def Aten_GluOp : Aten_Op<"glu", "", (ins Tensor:$self, Default<Int, "-1">:$dim)> {
  let summary = "The first half along `dim`, gated by the second";
  let type = "gated(infer, self, dim)";
  let decompose = "return gated(self, dim);";
}
