//===- JitBase.td - the jit dialect and its types ----------*- tablegen -*-===//
#ifndef JIT_DIALECT_JIT_BASE_TD
#define JIT_DIALECT_JIT_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def Jit_Dialect : Dialect {
  let name = "jit";
  let cppNamespace = "::jit";
  let summary = "The frame of a PyTorch graph: its types, containers, module state and checks";
  let description = [{
    Everything of a TorchScript program that is not an operator: the types of its values, tuples, lists,
    dicts and objects, Optionals, the slots that hold a module's state, marks of in-place writes, and checks
    that fail at run time. Control flow is scf's, scalar arithmetic arith's, functions func's.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  // The attributes that stages hand on: lib/Dialect/Jit/Attributes.cpp.
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

class Jit_Type<string name, string mnemonic_, list<Trait> traits = []>
    : TypeDef<Jit_Dialect, name, traits> {
  let mnemonic = mnemonic_;
}

def Jit_TensorType : Jit_Type<"Tensor", "tensor"> {
  let summary = "A PyTorch tensor, as far as it is known";
  let description = [{
    Sizes and element type, each as far as they are known; the inference stage refines them in place.

    ```mlir
    !jit.tensor                  // nothing is known
    !jit.tensor<*,f32>           // element type alone
    !jit.tensor<[2,?],f32>       // rank 2, the second size unknown
    !jit.tensor<[2,3],?>         // sizes alone
    ```
  }];
  let parameters = (ins "bool":$ranked, ArrayRefParameter<"int64_t">:$sizes, "::mlir::Type":$dtype);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    TypeBuilder<(ins), [{ return $_get($_ctxt, false, ::llvm::ArrayRef<int64_t>(), ::mlir::Type()); }]>,
    TypeBuilder<(ins "::std::optional<::llvm::ArrayRef<int64_t>>":$sizes, "::mlir::Type":$dtype), [{
      return $_get($_ctxt, sizes.has_value(), sizes.value_or(::llvm::ArrayRef<int64_t>()), dtype);
    }]>
  ];
  let extraClassDeclaration = [{
    static constexpr int64_t kDynamic = ::mlir::ShapedType::kDynamic;
    bool hasRank() const { return getRanked(); }
    /// Requires hasRank().
    int64_t getRank() const { return getSizes().size(); }
    bool hasDtype() const { return bool(getDtype()); }
    /// Rank and every size known.
    bool hasStaticSizes() const;
    /// Sizes and element type all known: a builtin tensor type says the same.
    bool isStatic() const { return hasStaticSizes() && hasDtype(); }
    /// The same sizes with another element type, or the reverse; null means unknown.
    TensorType withDtype(::mlir::Type dtype) const;
    TensorType withSizes(::std::optional<::llvm::ArrayRef<int64_t>> sizes) const;
  }];
}

def Jit_NoneType : Jit_Type<"None", "none"> { let summary = "The type of Python's None"; }
def Jit_StrType : Jit_Type<"Str", "str"> { let summary = "A string"; }
def Jit_DeviceType : Jit_Type<"Device", "device"> { let summary = "A torch.device"; }
def Jit_NumberType : Jit_Type<"Number", "number"> {
  let summary = "A Scalar: an int, a float, a bool or a complex, not known which";
}
def Jit_AnyType : Jit_Type<"Any", "any"> { let summary = "Any value at all"; }

class Jit_Container<string name, string mnemonic> : Jit_Type<name, mnemonic> {
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType), [{
    return $_get(elementType.getContext(), elementType);
  }]>];
}
def Jit_OptionalType : Jit_Container<"Optional", "optional"> { let summary = "A value or None"; }
def Jit_ListType : Jit_Container<"List", "list"> { let summary = "A Python list of one element type"; }

def Jit_TupleType : Jit_Type<"Tuple", "tuple"> {
  let summary = "A Python tuple";
  let parameters = (ins OptionalArrayRefParameter<"::mlir::Type">:$types);
  let assemblyFormat = "`<` (`>`) : ($types^ `>`)?";
}

def Jit_DictType : Jit_Type<"Dict", "dict"> {
  let summary = "A Python dict";
  let parameters = (ins "::mlir::Type":$keyType, "::mlir::Type":$valueType);
  let assemblyFormat = "`<` $keyType `,` $valueType `>`";
}

def Jit_ObjectType : Jit_Type<"Object", "object"> {
  let summary = "An instance of a TorchScript class";
  let parameters = (ins StringRefParameter<"qualified class name">:$className);
  let assemblyFormat = "`<` $className `>`";
}

def Jit_StorageAttr : AttrDef<Jit_Dialect, "Storage"> {
  let summary = "Where a tensor's bytes are: a record of the archive, with offset and strides in elements";
  let mnemonic = "storage";
  let parameters = (ins StringRefParameter<"archive member">:$member, "int64_t":$offset,
                        OptionalArrayRefParameter<"int64_t">:$strides);
  let assemblyFormat = "`<` $member `,` $offset `,` `[` (`]`) : ($strides^ `]`)? `>`";
}

def Jit_TensorLike : Type<CPred<"::llvm::isa<::jit::TensorType>($_self)">, "tensor", "::jit::TensorType">;
def Jit_Str : Type<CPred<"::llvm::isa<::jit::StrType>($_self)">, "string", "::jit::StrType">,
              BuildableType<"::jit::StrType::get($_builder.getContext())">;
def Jit_ComplexNumber : Type<CPred<"$_self == ::mlir::ComplexType::get(::mlir::Float64Type::get($_self.getContext()))">,
                             "complex number", "::mlir::ComplexType">,
                        BuildableType<"::mlir::ComplexType::get($_builder.getF64Type())">;
def Jit_List : Type<CPred<"::llvm::isa<::jit::ListType>($_self)">, "list", "::jit::ListType">;
def Jit_Tuple : Type<CPred<"::llvm::isa<::jit::TupleType>($_self)">, "tuple", "::jit::TupleType">;
def Jit_Object : Type<CPred<"::llvm::isa<::jit::ObjectType>($_self)">, "object", "::jit::ObjectType">;

#endif // JIT_DIALECT_JIT_BASE_TD
