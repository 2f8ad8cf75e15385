//===- JitOps.td - the frame of a graph --------------------*- tablegen -*-===//
#ifndef JIT_DIALECT_JIT_OPS_TD
#define JIT_DIALECT_JIT_OPS_TD

include "jit/Dialect/Jit/JitBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Jit_Op<string mnemonic, list<Trait> traits = []> : Op<Jit_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

def Jit_ConstantOp : Jit_Op<"constant", [Pure, ConstantLike]> {
  let summary = "A string, a device or None";
  let description = [{
    Numbers are `arith.constant`; lists are `jit.list` over them.

    ```mlir
    %s = jit.constant !jit.str = "zeros"
    %n = jit.constant !jit.none = unit
    ```
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "type($result) `=` $value attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, NoneType::get($_builder.getContext()), $_builder.getUnitAttr());
  }]>, OpBuilder<(ins "::llvm::StringRef":$text), [{
    build($_builder, $_state, StrType::get($_builder.getContext()), $_builder.getStringAttr(text));
  }]>];
}

def Jit_ComplexOp : Jit_Op<"complex", [Pure]> {
  let summary = "A Python complex of its two parts";
  let arguments = (ins F64:$re, F64:$im);
  let results = (outs Jit_ComplexNumber:$result);
  let assemblyFormat = "$re `,` $im attr-dict";
}

def Jit_ComplexPartsOp : Jit_Op<"complex_parts", [Pure]> {
  let summary = "The real and the imaginary part of a Python complex";
  let arguments = (ins Jit_ComplexNumber:$number);
  let results = (outs F64:$re, F64:$im);
  let assemblyFormat = "$number attr-dict";
  let hasFolder = 1;
}

def Jit_ListOp : Jit_Op<"list", [Pure]> {
  let summary = "A list of the given elements";
  let arguments = (ins Variadic<AnyType>:$elements);
  let results = (outs Jit_List:$result);
  let assemblyFormat = "$elements attr-dict `:` functional-type($elements, $result)";
}

def Jit_ListUnpackOp : Jit_Op<"list_unpack", [Pure]> {
  let summary = "The elements of a list whose length is part of the program";
  let arguments = (ins Jit_List:$list);
  let results = (outs Variadic<AnyType>:$elements);
  let assemblyFormat = "$list attr-dict `:` functional-type($list, $elements)";
  let hasCanonicalizeMethod = 1;
}

def Jit_TupleOp : Jit_Op<"tuple", [Pure]> {
  let summary = "A tuple of the given elements";
  let arguments = (ins Variadic<AnyType>:$elements);
  let results = (outs Jit_Tuple:$result);
  let assemblyFormat = "$elements attr-dict `:` functional-type($elements, $result)";
}

def Jit_TupleUnpackOp : Jit_Op<"tuple_unpack", [Pure]> {
  let summary = "All elements of a tuple";
  let arguments = (ins Jit_Tuple:$tuple);
  let results = (outs Variadic<AnyType>:$elements);
  let assemblyFormat = "$tuple attr-dict `:` functional-type($tuple, $elements)";
  let hasCanonicalizeMethod = 1;
}

def Jit_TupleIndexOp : Jit_Op<"tuple_index", [Pure]> {
  let summary = "One element of a tuple, counted from 0";
  let arguments = (ins Jit_Tuple:$tuple, I64Attr:$index);
  let results = (outs AnyType:$element);
  let assemblyFormat = "$tuple `[` $index `]` attr-dict `:` functional-type($tuple, $element)";
  let hasCanonicalizeMethod = 1;
}

def Jit_DictOp : Jit_Op<"dict", [Pure, SameVariadicOperandSize]> {
  let summary = "A dict of the given keys and values";
  let arguments = (ins Variadic<AnyType>:$keys, Variadic<AnyType>:$values);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    `keys` `(` ($keys^ `:` type($keys))? `)` `values` `(` ($values^ `:` type($values))? `)` attr-dict `:` type($result)
  }];
}

def Jit_DerefineOp : Jit_Op<"derefine", [Pure]> {
  let summary = "The same value under a wider type (T or None as Optional[T], int as Scalar, T as Any)";
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `to` type($result)";
  let hasFolder = 1;
}

def Jit_UncheckedCastOp : Jit_Op<"unchecked_cast", [Pure]> {
  let summary = "The same value under a narrower type that control flow has already established";
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `to` type($result)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Jit_EitherOp : Jit_Op<"either", [Pure]> {
  let summary = "What a call returns if it is one of two values that have no type in common, and data tell which";
  let arguments = (ins I1:$condition, AnyType:$ifTrue, AnyType:$ifFalse);
  let results = (outs Jit_AnyType:$result);
  let assemblyFormat = "$condition `,` $ifTrue `,` $ifFalse attr-dict `:` type($ifTrue) `,` type($ifFalse)";
}

def Jit_PoisonOp : Jit_Op<"poison", [Pure]> {
  let summary = "A value on a path that ends in an exception: it is never used";
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Jit_AbsentOp : Jit_Op<"absent", [Pure]> {
  let summary = "A tensor that is not there: as a gradient it stands for zeros";
  let description = [{
    What a call that gives no tensor for an argument, or no gradient for a result, is specialised by. It has the
    type of the tensor that it stands for.
  }];
  let results = (outs Jit_TensorLike:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Jit_FormatOp : Jit_Op<"format", [Pure]> {
  let summary = "str.format: each {} of the template is replaced by the next argument";
  let arguments = (ins Jit_Str:$text, Variadic<AnyType>:$args);
  let results = (outs Jit_Str:$result);
  let assemblyFormat = "$text `(` ($args^ `:` type($args))? `)` attr-dict";
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// Objects and module state
//===----------------------------------------------------------------------===//

def Jit_GetAttrOp : Jit_Op<"get_attr", [MemoryEffects<[MemRead]>]> {
  let summary = "An attribute of an object; a submodule where the type is an object";
  let arguments = (ins Jit_Object:$object, StrAttr:$name);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$object `[` $name `]` attr-dict `:` functional-type($object, $result)";
}

def Jit_SetAttrOp : Jit_Op<"set_attr", [MemoryEffects<[MemWrite]>]> {
  let summary = "Assigns an attribute of an object";
  let arguments = (ins Jit_Object:$object, StrAttr:$name, AnyType:$value);
  let assemblyFormat = "$object `[` $name `]` `=` $value attr-dict `:` type($object) `,` type($value)";
}

def Jit_CreateObjectOp : Jit_Op<"create_object", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A new object that lives in this call, its attributes not yet set";
  let results = (outs Jit_Object:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Jit_SlotOp : Jit_Op<"slot", [Symbol]> {
  let summary = "One piece of a module's state, under its state_dict path";
  let description = [{
    The value is the initial one: `#jit.storage` for a tensor, whose bytes stay in the archive; an integer,
    float, bool, string, unit (None) or array attribute for the rest. The type is the declared one, but for
    a tensor it carries the stored sizes and element type.

    ```mlir
    jit.slot @"encoder.0.weight" : !jit.tensor<[8,4,3],f32> = #jit.storage<"data/3", 0, [12, 3, 1]>
    jit.slot @training : i1 = false
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, AnyAttr:$value, UnitAttr:$parameter);
  let assemblyFormat = "(`parameter` $parameter^)? $sym_name `:` $type `=` $value attr-dict";
}

def Jit_AliasOp : Jit_Op<"alias", [Symbol]> {
  let summary = "A second path to a submodule or slot: the same state under both names";
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$target);
  let assemblyFormat = "$sym_name `=` $target attr-dict";
}

def Jit_SlotGetOp : Jit_Op<"slot_get", [MemoryEffects<[MemRead]>]> {
  let summary = "The present value of a slot";
  let arguments = (ins FlatSymbolRefAttr:$slot);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$slot attr-dict `:` type($result)";
}

def Jit_SlotSetOp : Jit_Op<"slot_set", [MemoryEffects<[MemWrite]>]> {
  let summary = "Assigns a slot";
  let arguments = (ins FlatSymbolRefAttr:$slot, AnyType:$value);
  let assemblyFormat = "$slot `=` $value attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// Mutation
//===----------------------------------------------------------------------===//

def Jit_OverwriteOp : Jit_Op<"overwrite", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The mark of an in-place operator: `self` takes the elements of `value`";
  let description = [{
    `x.mul_(y)` is `jit.overwrite %x, (aten.mul.Tensor %x, %y)`; the result is `self` after the write.
    The value has or broadcasts to the sizes of `self` and is converted to its element type. Writes reach
    every view of `self` and whatever it is a view of.
  }];
  let arguments = (ins Jit_TensorLike:$self, Jit_TensorLike:$value);
  let results = (outs Jit_TensorLike:$result);
  let assemblyFormat = "$self `,` $value attr-dict `:` functional-type(operands, $result)";
}

def Jit_BecomeOp : Jit_Op<"become", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The mark of an operator that changes a tensor's sizes in place: `self` is `value` from here on";
  let description = [{
    `x.unsqueeze_(0)` is `jit.become %x, (aten.unsqueeze %x, 0)`; the result is `self` afterwards. Memory is not written, and
    other views of it stay what they are. Gone after Specialize.
  }];
  let arguments = (ins Jit_TensorLike:$self, Jit_TensorLike:$value);
  let results = (outs Jit_TensorLike:$result);
  let assemblyFormat = "$self `,` $value attr-dict `:` functional-type(operands, $result)";
}

def Jit_AppendOp : Jit_Op<"append", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "list.append: the list itself grows";
  let arguments = (ins Jit_List:$list, AnyType:$element);
  let assemblyFormat = "$list `,` $element attr-dict `:` type($list) `,` type($element)";
}

def Jit_ListAppendOp : Jit_Op<"list_append", [Pure]> {
  let summary = "A new list with one more element at its end";
  let arguments = (ins Jit_List:$list, AnyType:$element);
  let results = (outs Jit_List:$result);
  let assemblyFormat = "$list `,` $element attr-dict `:` functional-type(operands, $result)";
  let hasCanonicalizeMethod = 1;
}

def Jit_ReplaceOp : Jit_Op<"replace", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The mark of a list or dict that changes otherwise: it takes the content of `value`";
  let description = [{
    What `jit.overwrite` is to tensors. `items.insert(0, x)` is `jit.replace %items, %longer`, where `%longer` was made
    of the list as it is.
  }];
  let arguments = (ins AnyType:$container, AnyType:$value);
  let assemblyFormat = "$container `,` $value attr-dict `:` type($container) `,` type($value)";
}

def Jit_DictMergeOp : Jit_Op<"dict_merge", [Pure]> {
  let summary = "The entries of one dict, then those of the other: of equal keys the first's place and the other's value";
  let arguments = (ins AnyType:$first, AnyType:$second);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$first `,` $second attr-dict `:` functional-type(operands, $result)";
  let hasCanonicalizeMethod = 1;
}

def Jit_DictEraseOp : Jit_Op<"dict_erase", [Pure]> {
  let summary = "A dict without the entry of one key, which it has";
  let arguments = (ins AnyType:$dict, AnyType:$key);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$dict `[` $key `]` attr-dict `:` functional-type(operands, $result)";
  let hasCanonicalizeMethod = 1;
}

def Jit_ListFromTensorOp : Jit_Op<"list_from_tensor", [Pure]> {
  let summary = "The list of a tensor's slices along its first dimension";
  let description = [{
    What a loop that appends one tensor per trip becomes: the loop fills a tensor with a leading dimension
    for the trips, and the list is its slices.
  }];
  let arguments = (ins Jit_TensorLike:$tensor);
  let results = (outs Jit_List:$result);
  let assemblyFormat = "$tensor attr-dict `:` functional-type(operands, $result)";
}

def Jit_ListConcatOp : Jit_Op<"list_concat", [Pure]> {
  let summary = "The elements of one list, then those of the other";
  let arguments = (ins Jit_List:$first, Jit_List:$second);
  let results = (outs Jit_List:$result);
  let assemblyFormat = "$first `,` $second attr-dict `:` functional-type(operands, $result)";
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

def Jit_OptimizerStepOp : Jit_Op<"optimizer_step", [Pure]> {
  let summary = "A parameter after one step of an optimizer along the gradient of the loss";
  let description = [{
    `optimizer` is "sgd", "adam" or "adamw"; `options` are its numbers by PyTorch's names. `state` is what the
    optimizer carries from step to step: for Adam the two averages, for SGD with momentum the buffer; the
    results after the first are their next values. `step` counts from 1.
  }];
  let arguments = (ins Jit_TensorLike:$loss, Jit_TensorLike:$step, Jit_TensorLike:$parameter,
                       Variadic<Jit_TensorLike>:$state, StrAttr:$optimizer, DictionaryAttr:$options);
  let results = (outs Jit_TensorLike:$updated, Variadic<Jit_TensorLike>:$nextState);
  let assemblyFormat = [{
    $optimizer $options `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

def Jit_GroupOp : Jit_Op<"group", [Pure, SingleBlock, NoRegionArguments]> {
  let summary = "Pointwise operators that are computed in one pass over their elements";
  let description = [{
    All operators of the group give tensors of the same sizes. What the group yields is stored; every other
    value of it exists for one element at a time.

    ```mlir
    %r = jit.group -> (!jit.tensor<[4,8],f32>) {
      %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4,8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[4,8],f32>
      %1 = aten.tanh %0 : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
      jit.yield %1 : !jit.tensor<[4,8],f32>
    }
    ```
  }];
  let results = (outs Variadic<Jit_TensorLike>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`->` `(` type($results) `)` attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Jit_YieldOp : Jit_Op<"yield", [Pure, Terminator, HasParent<"GroupOp">]> {
  let summary = "What a group stores";
  let arguments = (ins Variadic<Jit_TensorLike>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

//===----------------------------------------------------------------------===//
// Exceptions
//===----------------------------------------------------------------------===//

def Jit_RaiseOp : Jit_Op<"raise"> {
  let summary = "Raises a Python exception; nothing after it is reached";
  let arguments = (ins Jit_Str:$message, StrAttr:$pythonClass);
  let assemblyFormat = "$message `,` $pythonClass attr-dict";
}

def Jit_MissingOp : Jit_Op<"missing", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "A call of an operator that is not there: an error of the calls that get to it";
  let description = [{
    Programs name operators that no call of theirs ever reaches, in training mode say. The message is what a call that
    does is refused with. The type of the result is a guess.
  }];
  let arguments = (ins StrAttr:$message);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$message attr-dict `:` type($result)";
}

def Jit_GuardOp : Jit_Op<"guard"> {
  let summary = "Stops the call with a Python exception unless the condition holds";
  let description = [{
    The message is a str.format template over scalar arguments. Compiled code returns at once when the
    condition is false, from whatever control flow it stands in.

    ```mlir
    jit.guard %ok, "builtins.ValueError", "expected 512 samples, got {}"(%n : i64)
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$pythonClass, StrAttr:$message, Variadic<AnyType>:$args);
  let assemblyFormat = [{
    $condition `,` $pythonClass `,` $message (`(` $args^ `:` type($args) `)`)? attr-dict
  }];
  let hasCanonicalizeMethod = 1;
}

#endif // JIT_DIALECT_JIT_OPS_TD
