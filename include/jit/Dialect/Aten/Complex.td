//===- Complex.td - complex tensors and their two parts ----*- tablegen -*-===//
//
// Each is one of the words that jit-split-complex speaks of: behind it complex tensors are pairs of real ones.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// Complex numbers in memory: the real part, then the imaginary one
//===----------------------------------------------------------------------===//

def Aten_ViewAsRealOp : Aten_Op<"view_as_real", "", (ins Tensor:$self)> {
  let summary = "The two parts of each element in a new last dimension of size 2";
  let openSizes = 1;
  let grads = [Grad<"self", "build.op<ViewAsComplexOp>(grad)">];
  let type = "viewedAsReal(infer, self)";
  let lowered = 1;
  let scatter = "build.op<ViewAsComplexOp>(written)";
  let view = "partsView(base, self)";
  let hasFolder = 1;
}
def Aten_ViewAsComplexOp : Aten_Op<"view_as_complex", "", (ins Tensor:$self)> {
  let summary = "The last dimension, of size 2, as the parts of one element";
  let openSizes = 1;
  let grads = [Grad<"self", "build.op<ViewAsRealOp>(grad)">];
  let type = "viewedAsComplex(infer, self)";
  let lowered = 1;
  let scatter = "build.op<ViewAsRealOp>(written)";
  let view = "joinedPartsView(base, self)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Parts: of a real tensor the first is itself
//===----------------------------------------------------------------------===//

def Aten_RealOp : Aten_Op<"real", "", (ins Tensor:$self)> {
  let type = "partOf(infer, self)";
  let decompose = "return ifReal(self);";
  let scatter = "withRealPart(self, written)";
  let view = "partView(base, self, 0)";
  let mayBeSelf = 1;
}
def Aten_ImagOp : Aten_Op<"imag", "", (ins Tensor:$self)> {
  let type = "imaginaryPart(infer, self)";
  let lowered = 1;
  let scatter = "build.op<ComplexOp>(build.op<RealOp>(self), written)";
  let view = "partView(base, self, 1)";
}
def Aten_ComplexOp : Aten_Op<"complex", "", (ins Tensor:$real, Tensor:$imag), (outs Tensor:$result), [Pure, ComputesInOut]> {
  let type = "complexOf(infer, operands)";
  let lowered = 1;
}
def Aten_PolarOp : Aten_Composite<"polar", "", (ins Tensor:$abs, Tensor:$angle),
    "return ofPolar(abs, angle);">;

//===----------------------------------------------------------------------===//
// Conjugates: PyTorch marks a tensor, here the sign of a part changes
//===----------------------------------------------------------------------===//

class Conjugated<string base> : Aten_Op<base, "", (ins Tensor:$self)> {
  let type = "Type(self)";
  let decompose = "return ifReal(self);";
}
class ConjugateView<string base> : Conjugated<base> {
  let scatter = "build.op<" # !if(!eq(base, "conj"), "ConjOp", "LazyConjOp") # ">(written)";
  let view = "ViewOf::shares(base)";
  let mayBeSelf = 1;
}
def Aten_ConjOp : ConjugateView<"conj">;
def Aten_LazyConjOp : ConjugateView<"_conj">;
def Aten_ConjPhysicalOp : Conjugated<"conj_physical"> {
  let scatter = "written";
  let view = "physicalView(base, self)";
  let mayBeSelf = 1;
  let isView = 0;
}
def Aten_RawConjPhysicalOp : Conjugated<"_conj_physical">;

def AliasOfSelf : Spelled<Tensor, "Tensor(a)">;
class Settled<string base, string view_> : Aten_Op<base, "", (ins AliasOfSelf:$self), (outs AliasOfSelf:$result)> {
  let type = "Type(self)";
  let decompose = "return self;";
  let scatter = "written";
  let view = view_;
  let mayBeSelf = 1;
  let isView = 0; // the schema is spelled out
}
def Aten_ResolveConjOp : Settled<"resolve_conj", "resolvedView(base, self)">;
def Aten_ResolveNegOp : Settled<"resolve_neg", "resolvedView(base, self)">;
def Aten_PositiveOp : Settled<"positive", "ViewOf::shares(base)">;
def Aten_AdjointOp : Aten_Composite<"adjoint", "", (ins AliasOfSelf:$self), "return adjoint(self);", (outs AliasOfSelf:$result)> {
  let aliases = ["mH", "matrix_H"];
}
