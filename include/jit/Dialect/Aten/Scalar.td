//===- Scalar.td - operators on Python ints, floats and bools --*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

/// An operand that is converted to the common type of all operands before the rule sees it.
class Promoted<AtenArg arg>
    : AtenArg<arg.predicate, arg.spelling, arg.info, "Element", arg.graph, arg.resultType>;
def IntOperand : Promoted<Int>;
def FloatOperand : Promoted<Float>;
def BoolOperand : Promoted<Bool>;

class Aten_Unary<string base, string overload, AtenArg operand, AtenArg result, string rule, bit floats = 0>
    : Aten_ScalarOp<base, overload, (ins operand:$a), result> {
  let scalar = rule;
  let toFloat = floats;
}
class Aten_Binary<string base, string overload, AtenArg left, AtenArg right, AtenArg result, string rule, bit floats = 0>
    : Aten_ScalarOp<base, overload, (ins left:$a, right:$b), result> {
  let scalar = rule;
  let toFloat = floats;
}
/// Operands of kinds that are not known before the program is specialized; the result is of their common kind.
class Aten_OnScalars<string base, string overload, string rule>
    : Aten_Binary<base, overload, Scalar, Scalar, Scalar, rule> {
  let type = "promotedNumber(infer, {a.value, b.value})";
}
class Aten_OnScalar<string base, string rule> : Aten_Unary<base, "Scalar", Scalar, Scalar, rule> {
  let type = "promotedNumber(infer, {a.value})";
}

/// The overloads of an operator on two numbers whose result is `ints` for two ints and otherwise `floats`.
multiclass Numeric<string base, string rule, AtenArg ints, AtenArg floats, string ns_ = "aten"> {
  let ns = ns_ in {
    def IntOp : Aten_Binary<base, "int", IntOperand, IntOperand, ints, rule, !and(!eq(ints.spelling, "float"), !eq(floats.spelling, "float"))>;
    def FloatOp : Aten_Binary<base, "float", FloatOperand, FloatOperand, floats, rule>;
  }
}
multiclass Mixed<string base, string rule, AtenArg result, string ns_ = "aten"> {
  let ns = ns_ in {
    def IntFloatOp : Aten_Binary<base, "int_float", IntOperand, FloatOperand, result, rule>;
    def FloatIntOp : Aten_Binary<base, "float_int", FloatOperand, IntOperand, result, rule>;
  }
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

multiclass Arithmetic<string base, string rule> {
  defm "" : Numeric<base, rule, Int, Float>;
  defm "" : Mixed<base, rule, Float>;
  def Op : Aten_OnScalars<base, "", rule>;
}
defm Aten_Add : Arithmetic<"add", "a + b">;
defm Aten_Sub : Arithmetic<"sub", "a - b">;
defm Aten_Mul : Arithmetic<"mul", "a * b">;
defm Aten_Floordiv : Arithmetic<"floordiv", "floorDiv(a, divisor(b))">;
defm Aten_Remainder : Arithmetic<"remainder", "floorMod(a, divisor(b))">;

defm Aten_Div : Numeric<"div", "a / b", Float, Float>;
def Aten_DivOp : Aten_Binary<"div", "", Scalar, Scalar, Float, "a / b", 1>;
defm Aten_Pow : Numeric<"pow", "checkedPower(a, b)", Float, Float>;
defm Aten_Pow : Mixed<"pow", "checkedPower(a, b)", Float>;
def Aten_PowScalarScalarOp : Aten_Binary<"pow", "Scalar_Scalar", Scalar, Scalar, Float, "checkedPower(a, b)", 1>;
def Aten_PowIntToIntOp : Aten_Binary<"pow", "int_to_int", IntOperand, IntOperand, Int, "pow(a, b)">;
defm Aten_Fmod : Numeric<"fmod", "truncMod(a, b)", Float, Float>;
defm Aten_Fmod : Mixed<"fmod", "truncMod(a, b)", Float>;
def Aten_RoundToZeroFloordivIntOp
    : Aten_Binary<"__round_to_zero_floordiv", "int", IntOperand, IntOperand, Int, "truncDiv(a, divisor(b))">;

multiclass Negation<string base, string rule, string ns_ = "aten"> {
  let ns = ns_ in {
    def IntOp : Aten_Unary<base, "int", IntOperand, Int, rule>;
    def FloatOp : Aten_Unary<base, "float", FloatOperand, Float, rule>;
    def ScalarOp : Aten_OnScalar<base, rule>;
  }
}
defm Aten_Neg : Negation<"neg", "-a">;
defm Aten_Abs : Negation<"abs", "abs(a)", "prim">;

defm Aten_Min : Numeric<"min", "min(a, b)", Int, Float, "prim">;
defm Aten_Min : Mixed<"min", "min(a, b)", Float, "prim">;
defm Aten_Max : Numeric<"max", "max(a, b)", Int, Float, "prim">;
defm Aten_Max : Mixed<"max", "max(a, b)", Float, "prim">;

//===----------------------------------------------------------------------===//
// Functions of one number
//===----------------------------------------------------------------------===//

/// Rounding gives an int.
multiclass Rounding<string base> {
  def IntOp : Aten_Unary<base, "int", IntOperand, Int, "a">;
  def FloatOp : Aten_Unary<base, "float", FloatOperand, Int, base # "(a)">;
}
defm Aten_Floor : Rounding<"floor">;
defm Aten_Ceil : Rounding<"ceil">;

multiclass Function<string base, string rule = base # "(a)"> {
  def IntOp : Aten_Unary<base, "int", IntOperand, Float, rule, 1>;
  def FloatOp : Aten_Unary<base, "float", FloatOperand, Float, rule>;
}
defm Aten_Sqrt : Function<"sqrt">;
defm Aten_Exp : Function<"exp">;
defm Aten_Log : Function<"log">;
defm Aten_Sin : Function<"sin">;
defm Aten_Cos : Function<"cos">;
defm Aten_Tan : Function<"tan">;
defm Aten_Tanh : Function<"tanh">;
defm Aten_Round : Function<"round">;
defm Aten_Asin : Function<"asin">;
defm Aten_Acos : Function<"acos">;
defm Aten_Atan : Function<"atan">;
defm Aten_Sinh : Function<"sinh">;
defm Aten_Cosh : Function<"cosh">;
defm Aten_Asinh : Function<"asinh">;
defm Aten_Acosh : Function<"acosh">;
defm Aten_Atanh : Function<"atanh">;
defm Aten_Log10 : Function<"log10">;
defm Aten_Log1p : Function<"log1p">;
defm Aten_Expm1 : Function<"expm1">;
defm Aten_Erf : Function<"erf">;
defm Aten_Erfc : Function<"erfc">;
defm Aten_Lgamma : Function<"lgamma", "logGamma(a)">;
defm Aten_Gamma : Function<"gamma", "gammaOf(a)">;
defm Aten_Fabs : Function<"fabs", "abs(a)">;
defm Aten_Degrees : Function<"degrees", "a * 57.295779513082323">;
defm Aten_Radians : Function<"radians", "a * 0.017453292519943295">;

class KindOfFloat<string base, string rule> : Aten_Unary<base, "float", FloatOperand, Bool, rule>;
def Aten_IsnanFloatOp : KindOfFloat<"isnan", "isNan(a)">;
def Aten_IsinfFloatOp : KindOfFloat<"isinf", "isInf(a)">;
def Aten_IsfiniteFloatOp : KindOfFloat<"isfinite", "isFinite(a)">;

//===----------------------------------------------------------------------===//
// Functions of two numbers
//===----------------------------------------------------------------------===//

/// The overloads of a function of two floats.
multiclass FunctionOfTwo<string base, string rule> {
  defm "" : Numeric<base, rule, Float, Float>;
  defm "" : Mixed<base, rule, Float>;
}
defm Aten_Atan2 : FunctionOfTwo<"atan2", "atan2(a, b)">;
defm Aten_Copysign : FunctionOfTwo<"copysign", "copySign(a, b)">;
defm Aten_Mathremainder : FunctionOfTwo<"mathremainder", "nearestRemainder(a, b)">;
class LogToBase<string overload, AtenArg left, AtenArg right, bit floats = 0>
    : Aten_Binary<"log", overload, left, right, Float, "log(a) / log(b)", floats>;
def Aten_LogIntIntOp : LogToBase<"int_int", IntOperand, IntOperand, 1>;
def Aten_LogFloatFloatOp : LogToBase<"float_float", FloatOperand, FloatOperand>;
def Aten_LogIntFloatOp : LogToBase<"int_float", IntOperand, FloatOperand>;
def Aten_LogFloatIntOp : LogToBase<"float_int", FloatOperand, IntOperand>;
def Aten_LdexpFloatOp : Aten_ScalarOp<"ldexp", "", (ins FloatOperand:$x, IntOperand:$i), Float> { let scalar = "scaled(x, i)"; }
def Aten_GcdIntOp : Aten_Binary<"gcd", "int", IntOperand, IntOperand, Int, "greatestDivisor(a, b)">;
def Aten_FactorialIntOp : Aten_Unary<"factorial", "int", IntOperand, Int, "factorial(a)">;

/// A pair of numbers.
class Aten_Pair<string base, string overload, dag args, AtenArg first, AtenArg second, string rule>
    : Aten_Op<base, overload, args, (outs first:$first, second:$second)> {
  let decompose = "return " # rule # ";";
}
def Aten_DivmodIntOp : Aten_Pair<"divmod", "int", (ins Int:$x, Int:$y), Int, Int, "quotientAndRemainder(x, y)">;
def Aten_DivmodFloatOp : Aten_Pair<"divmod", "float", (ins Float:$x, Float:$y), Float, Float, "quotientAndRemainder(x, y)">;
def Aten_DivmodIntFloatOp : Aten_Pair<"divmod", "int_float", (ins Int:$x, Float:$y), Float, Float, "mixedQuotientAndRemainder(x, y)">;
def Aten_DivmodFloatIntOp : Aten_Pair<"divmod", "float_int", (ins Float:$x, Int:$y), Float, Float, "mixedQuotientAndRemainder(x, y)">;
def Aten_ModfOp : Aten_Pair<"modf", "", (ins Float:$a), Float, Float, "fractionAndWhole(a)">;

//===----------------------------------------------------------------------===//
// Comparison and logic
//===----------------------------------------------------------------------===//

multiclass Comparison<string base, string rule> {
  defm "" : Numeric<base, rule, Bool, Bool>;
  defm "" : Mixed<base, rule, Bool>;
  def Op : Aten_Binary<base, "", Scalar, Scalar, Bool, rule>;
}
defm Aten_Eq : Comparison<"eq", "a == b">;
defm Aten_Ne : Comparison<"ne", "a != b">;
defm Aten_Lt : Comparison<"lt", "a < b">;
defm Aten_Le : Comparison<"le", "a <= b">;
defm Aten_Gt : Comparison<"gt", "a > b">;
defm Aten_Ge : Comparison<"ge", "a >= b">;
def Aten_EqBoolOp : Aten_Binary<"eq", "bool", BoolOperand, BoolOperand, Bool, "a == b">;
def Aten_NeBoolOp : Aten_Binary<"ne", "bool", BoolOperand, BoolOperand, Bool, "a != b">;

multiclass Bitwise<string base, string rule> {
  def BoolOp : Aten_Binary<base, "bool", BoolOperand, BoolOperand, Bool, rule>;
  def IntOp : Aten_Binary<base, "int", IntOperand, IntOperand, Int, rule>;
}
defm Aten_And : Bitwise<"__and__", "a & b">;
defm Aten_Or : Bitwise<"__or__", "a | b">;
defm Aten_Xor : Bitwise<"__xor__", "a ^ b">;
def Aten_LshiftIntOp : Aten_Binary<"__lshift__", "int", IntOperand, IntOperand, Int, "shiftLeft(a, b)">;
def Aten_RshiftIntOp : Aten_Binary<"__rshift__", "int", IntOperand, IntOperand, Int, "shiftRight(a, b)">;
def Aten_NotOp : Aten_ScalarOp<"__not__", "", (ins BoolOperand:$self), Bool> { let scalar = "logicalNot(self)"; }

//===----------------------------------------------------------------------===//
// Conversion: the value is converted to the type of the result
//===----------------------------------------------------------------------===//

def Aten_IntBoolOp : Aten_Unary<"Int", "bool", BoolOperand, Int, "a">;
def Aten_IntFloatOp : Aten_Unary<"Int", "float", FloatOperand, Int, "a">;
def Aten_IntScalarOp : Aten_Unary<"Int", "Scalar", Scalar, Int, "a">;
def Aten_FloatBoolOp : Aten_Unary<"Float", "bool", BoolOperand, Float, "a">;
def Aten_FloatIntOp : Aten_Unary<"Float", "int", IntOperand, Float, "a">;
def Aten_FloatScalarOp : Aten_Unary<"Float", "Scalar", Scalar, Float, "a">;
def Aten_BoolIntOp : Aten_Unary<"Bool", "int", IntOperand, Bool, "a">;
def Aten_BoolFloatOp : Aten_Unary<"Bool", "float", FloatOperand, Bool, "a">;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

def Aten_RangeLengthOp : Aten_ScalarOp<"__range_length", "", (ins IntOperand:$lo, IntOperand:$hi, IntOperand:$step), Int> {
  let summary = "How many numbers range(lo, hi, step) has";
  let scalar = "rangeLength(lo, hi, step)";
}
def Aten_DeriveIndexOp : Aten_ScalarOp<"__derive_index", "", (ins IntOperand:$index, IntOperand:$start, IntOperand:$step), Int> {
  let summary = "The index-th number of range(start, ..., step)";
  let scalar = "start + index * step";
}

//===----------------------------------------------------------------------===//
// From tensors
//===----------------------------------------------------------------------===//

def Aten_ItemOp : Aten_Op<"item", "", (ins Tensor:$self), (outs Scalar:$result)> {
  let summary = "The one element of a tensor, as a number of the kind of its element type";
  let description = "What is made from numbers alone gives that number: canonicalization looks through it.";
  let type = "itemType(infer, self)";
  let lowered = 1;
  let hasCanonicalizeMethod = 1;
  let aliases = ["_local_scalar_dense"];
}
/// The element converted to one kind.
class Aten_FromTensor<string base, string overload, AtenArg result_>
    : Aten_Op<base, overload, (ins Tensor:$a), (outs result_:$result)> {
  let decompose = [{
    if (!a.info().dtype()) return build.notYet("the element type of a");
    return numberFromTensor(a, (*this)->getResult(0).getType());
  }];
}
def Aten_IntTensorOp : Aten_FromTensor<"Int", "Tensor", Int>;
def Aten_FloatTensorOp : Aten_FromTensor<"Float", "Tensor", Float>;
def Aten_BoolTensorOp : Aten_FromTensor<"Bool", "Tensor", Bool>;
class Aten_Implicit<string base, AtenArg result_> : Aten_FromTensor<base, "", result_> {
  let decompose = "return implicitNumber(a, (*this)->getResult(0).getType());";
}
def Aten_IntImplicitOp : Aten_Implicit<"IntImplicit", Int>;
def Aten_FloatImplicitOp : Aten_Implicit<"FloatImplicit", Float>;
def Aten_ScalarImplicitOp : Aten_Implicit<"ScalarImplicit", Scalar> { let type = "itemType(infer, a)"; }
