//===- ElementType.td - arithmetic on element types --------*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

defvar anElementType = Spelled<Int, "ScalarType">;

class Aten_OnElementTypes<string base, string overload, dag args, AtenArg result_, string rule>
    : Aten_Op<base, overload, args, (outs result_:$result)> {
  let decompose = "return " # rule # ";";
}

def Aten_PromoteTypesOp : Aten_OnElementTypes<"promote_types", "", (ins DType:$type1, DType:$type2), anElementType,
    "promotedTypes(build, type1, type2)">;
def Aten_CanCastOp : Aten_OnElementTypes<"can_cast", "", (ins DType:$from_, DType:$to), Bool, "canCast(build, from_, to)">;

class Aten_ResultType<string overload, dag args, string operands>
    : Aten_OnElementTypes<"result_type", overload, args, anElementType, "typeOfResult(build, " # operands # ")">;
def Aten_ResultTypeTensorOp : Aten_ResultType<"Tensor", (ins Tensor:$tensor, Tensor:$other), "tensor, other">;
def Aten_ResultTypeScalarOp : Aten_ResultType<"Scalar", (ins Tensor:$tensor, Scalar:$other), "tensor, other">;
def Aten_ResultTypeScalarTensorOp : Aten_ResultType<"Scalar_Tensor", (ins Scalar:$scalar, Tensor:$tensor), "scalar, tensor">;
def Aten_ResultTypeScalarScalarOp : Aten_ResultType<"Scalar_Scalar", (ins Scalar:$scalar1, Scalar:$scalar2), "scalar1, scalar2">;
