//===- View.td - sizes, and operators whose result shares memory -*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

def Aten_SizeOp : Aten_Op<"size", "", (ins Tensor:$self), (outs IntList:$result)> {
  let summary = "All sizes, as a list";
  let decompose = [{
    if (!self.info().hasRank()) return build.notYet();
    return sizesOf(self);
  }];
}
def Aten_SizeIntOp : Aten_Op<"size", "int", (ins Tensor:$self, Int:$dim), (outs Int:$result)> {
  let summary = "One size";
  let decompose = [{
    if (!dim.known() || !isSizeKnown(self, *dim.known())) return build.notYet();
    return sizeOf(self, *dim.known());
  }];
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

def Aten_TransposeIntOp : Aten_Op<"transpose", "int", (ins Tensor:$self, Int:$dim0, Int:$dim1)> {
  let summary = "Two dimensions swapped";
  let type = "transposed(infer, self, dim0, dim1)";
  let lowered = 1;
  let scatter = "build.op<TransposeIntOp>(written, dim0, dim1)";
}
