//===- Mask.td - elements that are chosen by what they are -----*- tablegen -*-===//
//
// How many there are is known when the elements are: types leave that size open.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// Where
//===----------------------------------------------------------------------===//

def Aten_NonzeroOp : Aten_Op<"nonzero", "", (ins Tensor:$self)> {
  let summary = "The places of the elements that are not zero, a row for each, in the order of the elements";
  let type = "placesOfNonzero(infer, self)";
  let unusualStrides = 1;
  let lowered = 1;
  let openSizes = 1;
  let aliases = ["argwhere"];
}
def Aten_NonzeroNumpyOp : Aten_Composite<"nonzero_numpy", "", (ins Tensor:$self), "return placesByDimension(self);",
    (outs Spelled<TensorList, "Tensor[]">:$result)>;
def Aten_WhereOp : Aten_Composite<"where", "", (ins Tensor:$condition), "return placesByDimension(condition);",
    (outs Spelled<TensorList, "Tensor[]">:$result)>;
def Aten_NonzeroStaticOp : Aten_Composite<"nonzero_static", "",
    (ins Tensor:$self, Kw<SymInt>:$size, Kw<Default<Int, "-1">>:$fill_value), "return firstPlaces(self, size, fill_value);">;

class TriangleIndices<string name, string side> : Aten_Composite<name, "", (ins Int:$row, Int:$col, Default<Int, "0">:$offset,
    Kw<Default<OptDType, "4">>:$dtype, Kw<Default<OptLayout, "None">>:$layout, Kw<Default<OptDevice, "None">>:$device,
    Kw<Default<OptBool, "None">>:$pin_memory), "return placesInTriangle(row, col, offset, dtype, " # side # ");">;
def Aten_TrilIndicesOp : TriangleIndices<"tril_indices", "/*isLower=*/true">;
def Aten_TriuIndicesOp : TriangleIndices<"triu_indices", "/*isLower=*/false">;

//===----------------------------------------------------------------------===//
// Which
//===----------------------------------------------------------------------===//

def Aten_MaskedSelectOp : Aten_Composite<"masked_select", "", (ins Tensor:$self, Tensor:$mask), "return chosen(self, mask);">;
def Aten_MaskedScatterOp : Aten_Composite<"masked_scatter", "", (ins Tensor:$self, Tensor:$mask, Tensor:$source),
    "return filledInOrder(self, mask, source);">;

//===----------------------------------------------------------------------===//
// Each once
//===----------------------------------------------------------------------===//

class Unique<string name, dag args, string body> : Aten_Composite<name, "", args, "return " # body # ";",
    (outs Tensor:$values, Tensor:$inverse, Tensor:$counts)>;
defvar no = Default<Bool, "False">;
def Aten_Unique2Op : Unique<"_unique2",
    (ins Tensor:$self, Default<Bool, "True">:$sorted, no:$return_inverse, no:$return_counts),
    "uniqueElements(self, return_inverse, return_counts)">;
def Aten_UniqueDimOp : Unique<"unique_dim",
    (ins Tensor:$self, Int:$dim, Default<Bool, "True">:$sorted, no:$return_inverse, no:$return_counts), "uniqueSlices(self, dim)">;
def Aten_UniqueConsecutiveOp : Unique<"unique_consecutive",
    (ins Tensor:$self, no:$return_inverse, no:$return_counts, Default<OptInt, "None">:$dim),
    "uniqueRuns(self, return_inverse, return_counts, dim)">;
