//===- ComplexScalar.td - operators on Python complex numbers -*- tablegen -*-===//
//
// A complex number is its two floats. Arithmetic is that of these, so that it folds; functions are those of tensors.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/AtenBase.td"

/// A number or a tensor of one element that a rule sees as a complex number.
class AsComplex<AtenArg arg> : AtenArg<arg.predicate, arg.spelling, arg.info, arg.element, "ComplexNumber", arg.resultType>;

class Capitalized<string word> { string is = !toupper(!substr(word, 0, 1)) # !substr(word, 1); }

class Aten_OfComplex<string base, string overload, dag args, AtenArg result_, string rule>
    : Aten_Op<base, overload, args, (outs result_:$result)> {
  let decompose = "return " # rule # ";";
}
class Aten_ComplexUnary<string base, AtenArg result, string rule>
    : Aten_OfComplex<base, "complex", (ins ComplexNumber:$a), result, rule>;
class Aten_ComplexBinary<string base, string overload, AtenArg left, AtenArg right, AtenArg result, string rule>
    : Aten_OfComplex<base, overload, (ins AsComplex<left>:$a, AsComplex<right>:$b), result, rule>;

//===----------------------------------------------------------------------===//
// Arithmetic and comparison
//===----------------------------------------------------------------------===//

multiclass AmongComplex<string base, string rule, AtenArg result = ComplexNumber> {
  def ComplexOp : Aten_ComplexBinary<base, "complex", ComplexNumber, ComplexNumber, result, rule>;
}
multiclass WithFloats<string base, string rule, AtenArg result = ComplexNumber> {
  defm "" : AmongComplex<base, rule, result>;
  def FloatComplexOp : Aten_ComplexBinary<base, "float_complex", Float, ComplexNumber, result, rule>;
  def ComplexFloatOp : Aten_ComplexBinary<base, "complex_float", ComplexNumber, Float, result, rule>;
}
multiclass WithNumbers<string base, string rule> {
  defm "" : WithFloats<base, rule>;
  def IntComplexOp : Aten_ComplexBinary<base, "int_complex", Int, ComplexNumber, ComplexNumber, rule>;
  def ComplexIntOp : Aten_ComplexBinary<base, "complex_int", ComplexNumber, Int, ComplexNumber, rule>;
}
defm Aten_Add : WithNumbers<"add", "a + b">;
defm Aten_Sub : WithNumbers<"sub", "a - b">;
defm Aten_Mul : WithNumbers<"mul", "a * b">;
defm Aten_Div : AmongComplex<"div", "a / b">;
defm Aten_Pow : WithFloats<"pow", "power(a, b)">;
defm Aten_Eq : WithFloats<"eq", "areEqual(a, b)", Bool>;
defm Aten_Ne : WithFloats<"ne", "differ(a, b)", Bool>;
def Aten_NegComplexOp : Aten_ComplexUnary<"neg", ComplexNumber, "-a">;
def Aten_SumComplexOp : Aten_OfComplex<"sum", "complex", (ins ComplexList:$self), ComplexNumber, "sumOfComplex(self)">;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

foreach name = ["exp", "log", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh",
                "acosh", "atanh"] in {
  defvar Name = Capitalized<name>.is;
  def Aten_#Name#ComplexOp : Aten_ComplexUnary<name, ComplexNumber, "functionOf<aten::" # Name # "Op>(a)">;
}
class LogToComplexBase<string overload, AtenArg left, AtenArg right>
    : Aten_ComplexBinary<"log", overload, left, right, ComplexNumber, "logOf(a) / logOf(b)">;
def Aten_LogComplexComplexOp : LogToComplexBase<"complex_complex", ComplexNumber, ComplexNumber>;
def Aten_LogIntComplexOp : LogToComplexBase<"int_complex", Int, ComplexNumber>;
def Aten_LogComplexIntOp : LogToComplexBase<"complex_int", ComplexNumber, Int>;
def Aten_LogFloatComplexOp : LogToComplexBase<"float_complex", Float, ComplexNumber>;
def Aten_LogComplexFloatOp : LogToComplexBase<"complex_float", ComplexNumber, Float>;

def Aten_AbsComplexOp : Aten_ComplexUnary<"abs", Float, "magnitudeOf(a)"> { let ns = "prim"; }
def Aten_AngleComplexOp : Aten_ComplexUnary<"angle", Float, "angleOf(a)">;
def Aten_IsnanComplexOp : Aten_ComplexUnary<"isnan", Bool, "eitherPart<aten::IsnanFloatOp>(a)">;
def Aten_IsinfComplexOp : Aten_ComplexUnary<"isinf", Bool, "eitherPart<aten::IsinfFloatOp>(a)">;
def Aten_IsfiniteComplexOp : Aten_ComplexUnary<"isfinite", Bool, "bothParts<aten::IsfiniteFloatOp>(a)">;

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

foreach left = [Int, Float, Bool] in {
  defvar kind = left.spelling;
  defvar Kind = Capitalized<kind>.is;
  foreach right = [Int, Float, Bool] in {
    defvar overload = kind # "_" # right.spelling;
    defvar Overload = Kind # Capitalized<right.spelling>.is;
    def Aten_Complex#Overload#Op
        : Aten_OfComplex<"Complex", overload, (ins AsComplex<left>:$x, AsComplex<right>:$y), ComplexNumber, "fromParts(x, y)">;
    if !and(!ne(kind, "bool"), !ne(right.spelling, "bool")) then
      def Aten_Polar#Overload#Op : Aten_OfComplex<"polar", !if(!eq(kind, right.spelling), kind, overload),
          (ins AsComplex<left>:$a, AsComplex<right>:$b), ComplexNumber, "fromPolar(a, b)">;
  }
  def Aten_ComplexTensor#Kind#Op
      : Aten_OfComplex<"Complex", "Tensor_" # kind, (ins Tensor:$x, left:$y), ComplexNumber, "complexFrom(x, y)">;
  def Aten_Complex#Kind#TensorOp
      : Aten_OfComplex<"Complex", kind # "_Tensor", (ins left:$x, Tensor:$y), ComplexNumber, "complexFrom(x, y)">;
}
def Aten_ComplexTensorTensorOp
    : Aten_OfComplex<"Complex", "Tensor_Tensor", (ins Tensor:$a, Tensor:$b), ComplexNumber, "complexFrom(a, b)">;
def Aten_ComplexScalarOp : Aten_OfComplex<"Complex", "Scalar", (ins Scalar:$a), ComplexNumber, "complexFrom(a)">;
def Aten_ComplexImplicitOp : Aten_OfComplex<"ComplexImplicit", "", (ins Tensor:$a), ComplexNumber, "complexFrom(a)">;
