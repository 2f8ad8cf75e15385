//===- ViewBase.td - what views have in common --------------*- tablegen -*-===//
#ifndef JIT_DIALECT_ATEN_VIEWBASE
#define JIT_DIALECT_ATEN_VIEWBASE

include "jit/Dialect/Aten/AtenBase.td"

/// What copies where strides allow no view.
class Aten_Reshaping<string base, string overload, dag args> : Aten_Op<base, overload, args> {
  let decompose = "return reshaped(self, (*this)->getResult(0));";
  let scatter = "build.op<ViewAsOp>(written, self)";
  let view = "reshapedView(base, self, viewed)";
}
/// What never copies: PyTorch raises where strides allow no view.
class Aten_Viewing<string base, string overload, dag args> : Aten_Reshaping<base, overload, args> {
  let view = "sharedView(base, self, viewed)";
}

#endif // JIT_DIALECT_ATEN_VIEWBASE
