//===- ForeignOps.td - calls of functions that are not ours -*- tablegen -*-===//
#ifndef JIT_DIALECT_FOREIGN_OPS_TD
#define JIT_DIALECT_FOREIGN_OPS_TD

include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Foreign_Dialect : Dialect {
  let name = "foreign";
  let cppNamespace = "::jit::foreign";
  let summary = "Calls of functions that the compiler has not written";
  let description = [{
    Between the graph, where such a call is an operator, and LLVM, where it is a call of the runtime.
  }];
}

def Foreign_Shaped : AnyTypeOf<[AnyStaticShapeTensor, AnyStaticShapeMemRef]>;

def Foreign_CallOp : Op<Foreign_Dialect, "call", [
    AttrSizedOperandSegments, DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface,
      ["bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues", "bufferize"]>]> {
  let summary = "Calls the C function of an operator of jit-c/Operators.h";
  let description = [{
    `symbol` is the function, `schema` what people call it by. `layout` has one attribute for each argument of the schema: the
    element type of a tensor, or the type of a number, for the next of the inputs; a string; `unit` for None; an array of these
    for a list. `dtypes` are the element types of the results. Element types are those of the graph: `ui8` and `i1` are bytes.

    The function computes all elements of its results. It may fail, and the call with it: none is made that the program does not
    make.

    ```mlir
    %r = foreign.call "my_scale" "my::scale(Tensor x, float by) -> Tensor" [f32, f64]
        ins(%x, %by : tensor<2x3xf32>, f64) outs(%start : tensor<2x3xf32>) [f32] -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins StrAttr:$symbol, StrAttr:$schema, ArrayAttr:$layout, Variadic<AnyType>:$inputs,
                       Variadic<Foreign_Shaped>:$outs, TypeArrayAttr:$dtypes);
  let results = (outs Variadic<AnyStaticShapeTensor>:$results);
  let assemblyFormat = [{
    $symbol $schema $layout `ins` `(` ($inputs^ `:` type($inputs))? `)` `outs` `(` $outs `:` type($outs) `)` $dtypes
    (`->` type($results)^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
  }];
}

#endif // JIT_DIALECT_FOREIGN_OPS_TD
