//===- OpaqueOps.td - operators that are not known ---------*- tablegen -*-===//
#ifndef JIT_DIALECT_JIT_OPAQUEOPS_TD
#define JIT_DIALECT_JIT_OPAQUEOPS_TD

include "jit/Dialect/Jit/JitBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Jit_OpaqueOp : Op<Jit_Dialect, "opaque", [SingleBlock]> {
  let summary = "A node of a printed graph that is nothing known here, as it is written";
  let description = [{
    Whatever a graph's text holds can be translated and printed again. What the node does is not known: it may read, write
    and raise, so it stays where it is, as often as it is there. A call that gets to it is refused with the reason.

    `constants` is what the text has between the brackets, `types` what it has as the types of the results, an empty
    string where it has none. The regions are the node's blocks; of a node with a graph beside it (`isolated`) there is
    one more, the last, which uses nothing from outside.

    ```mlir
    %y = jit.opaque "prim::Group"["dim=0"](%x) because "operator prim::Group is not known" {types = ["Float(2, 3)"]}
        : (!jit.tensor) -> !jit.tensor
    ```
  }];
  let arguments = (ins StrAttr:$node, OptionalAttr<StrAttr>:$constants, Variadic<AnyType>:$inputs, StrAttr:$reason,
                       StrArrayAttr:$types, UnitAttr:$isolated);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$blocks);
  let assemblyFormat = [{
    $node (`[` $constants^ `]`)? `` `(` $inputs `)` `because` $reason attr-dict `:` functional-type($inputs, results) $blocks
  }];
  let hasVerifier = 1;
}

def Jit_OpaqueYieldOp : Op<Jit_Dialect, "opaque_yield", [Pure, Terminator, HasParent<"OpaqueOp">]> {
  let summary = "What a block of an opaque node ends in";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // JIT_DIALECT_JIT_OPAQUEOPS_TD
