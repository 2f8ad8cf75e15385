//===- Sparse.td - matrices of which the elements that are not 0 are given -*- tablegen -*-===//
//
// What such a matrix is multiplied by is all that may be done to it: jit-expand-sparse.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/AtenBase.td"

defvar sparseOptions = (ins Kw<Default<OptDType, "None">>:$dtype, Kw<Default<OptLayout, "None">>:$layout,
    Kw<Default<OptDevice, "None">>:$device);
defvar lastOption = (ins Kw<Default<OptBool, "None">>:$pin_memory);
defvar lastOptionOff = (ins Kw<Default<OptBool, "False">>:$pin_memory);
defvar isCoalesced = (ins Kw<Default<OptBool, "None">>:$is_coalesced);

def Aten_SparseCooTensorOp : Aten_Op<"sparse_coo_tensor", "indices_size",
    !con((ins Tensor:$indices, Tensor:$values, IntList:$size), sparseOptions, lastOption, isCoalesced)> {
  let type = "sized(infer, size, infer.dtypeOr(dtype, values.dtype()))";
  let decompose = "return build.notYet(\"to be an operand of a matrix product or of to_dense alone\");";
}
def Aten_SparseCooTensorUnsafeOp : Aten_Composite<"_sparse_coo_tensor_unsafe", "",
    !con((ins Tensor:$indices, Tensor:$values, SymIntList:$size), sparseOptions, lastOption, isCoalesced),
    "return build.op<SparseCooTensorOp>(indices, values, size, dtype, layout, device, pin_memory, is_coalesced);">;

// By the number of elements before each row.
def Aten_SparseCsrTensorOp : Aten_Composite<"sparse_csr_tensor", "crow_col_value_size",
    !con((ins Tensor:$crow_indices, Tensor:$col_indices, Tensor:$values, IntList:$size), sparseOptions, lastOptionOff),
    "return sparseByRows({crow_indices, col_indices, values, size}, dtype);">;
def Aten_SparseCompressedTensorOp : Aten_Composite<"sparse_compressed_tensor", "comp_plain_value_size",
    !con((ins Tensor:$compressed_indices, Tensor:$plain_indices, Tensor:$values, SymIntList:$size), sparseOptions, lastOptionOff), [{
  if (!layout || (*layout).known() != 2) return build.notYet("torch.sparse_csr as layout");
  return sparseByRows({compressed_indices, plain_indices, values, size}, dtype);
}]>;

def Aten_CoalesceOp : Aten_Composite<"coalesce", "", (ins Spelled<Tensor, "Tensor(a)">:$self), "return ifSparse(self);",
    (outs Spelled<Tensor, "Tensor(a)">:$result)>;
def Aten_SparseMmOp : Aten_Composite<"_sparse_mm", "", (ins Tensor:$sparse, Tensor:$dense), "return sparseProduct(sparse, dense);">;
