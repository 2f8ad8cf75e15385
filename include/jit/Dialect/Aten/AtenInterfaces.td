//===- AtenInterfaces.td - what the stages ask of an operator ---*- tablegen -*-===//
#ifndef JIT_DIALECT_ATEN_INTERFACES_TD
#define JIT_DIALECT_ATEN_INTERFACES_TD

include "mlir/IR/OpBase.td"

def AtenOpInterface : OpInterface<"AtenOpInterface"> {
  let description = "Every operator: the PyTorch schema it implements, from its record.";
  let cppNamespace = "::jit";
  let methods = [StaticInterfaceMethod<"The schema in PyTorch's own notation, defaults included",
                                       "::llvm::StringRef", "getSchema">,
                 StaticInterfaceMethod<"The schemas of its other names, such as `multiply` of `mul`",
                                       "::llvm::SmallVector<::llvm::StringRef, 0>", "getAliases">];
}

def PointwiseOpInterface : OpInterface<"PointwiseOpInterface"> {
  let description = [{
    An operator that computes each element of its result from one element of each (broadcast) tensor operand.
    One lowering pattern serves them all, and any of them fuse with one another.
  }];
  let cppNamespace = "::jit";
  let methods = [
    InterfaceMethod<[{
      One element of the result. `args` has one value per operand: an element for a tensor, the operand itself
      for anything else. The value returned has the type that computeType gives or is i1 for a predicate; the
      caller converts it to the element type of the result.
    }], "::mlir::Value", "emitScalar", (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
                                            "::mlir::ValueRange":$args)>,
    InterfaceMethod<"The element type that the operands are promoted to by PyTorch's rules; null where it is not known",
                    "::mlir::Type", "promotedType">
  ];
  let extraClassDeclaration = [{
    /// The element type in which the operator computes: f32 where its operands are promoted to halves.
    ::mlir::Type computeType();
  }];
}

def DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let description = "An operator that says what it is in terms of simpler ones.";
  let cppNamespace = "::jit";
  let methods = [InterfaceMethod<[{
    Builds the simpler operators before this one and gives what replaces its results. Fails, with nothing
    built that matters, where too little is known yet (a rank, a constant), and says what.
  }], "::jit::Decomposed", "decompose", (ins "::mlir::OpBuilder &":$builder)>];
}

def ViewOpInterface : OpInterface<"ViewOpInterface"> {
  let description = [{
    An operator whose result shares the memory of its first operand, always or where the strides of that or its element
    type allow it.
  }];
  let cppNamespace = "::jit";
  let methods = [
    InterfaceMethod<
      "The first operand as it is after `value` was written through this view; null where that is no matter of whole parts",
      "::mlir::Value", "scatter", (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$base, "::mlir::Value":$value)>,
    InterfaceMethod<"Whether the result shares the memory of the first operand, whose layout is `base`, and its own layout",
      "::jit::ViewOf", "viewOf", (ins "const ::jit::Layout &":$base)>
  ];
}

def NewLayoutInterface : OpInterface<"NewLayoutInterface"> {
  let description = [{
    An operator whose result is new memory with strides of its own, as they follow from those of operands.
  }];
  let cppNamespace = "::jit";
  let methods = [InterfaceMethod<[{
    The layout of the result, whose sizes are known; nullopt where it does not follow from what `stridedOf` knows of operands
    and of what lists among them hold.
  }], "::std::optional<::jit::Layout>", "newLayout", (ins "::jit::StridedOf":$stridedOf)>];
}

def SplitOpInterface : OpInterface<"SplitOpInterface"> {
  let description = "An operator that gives the parts of its first operand as a list of views.";
  let cppNamespace = "::jit";
  let methods = [InterfaceMethod<
      "The part at a place that is counted from the front; null where it cannot be told without making all of them",
      "::mlir::Value", "part", (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$at)>];
}

def FillOpInterface : OpInterface<"FillOpInterface"> {
  let description = "An operator that gives a tensor with one number in all elements.";
  let cppNamespace = "::jit";
  let methods = [InterfaceMethod<"The number; nullopt where it is not a constant", "::std::optional<double>", "getFill">];
}

def LinearOpInterface : OpInterface<"LinearOpInterface"> {
  let description = "An operator that is linear in some of its operands.";
  let cppNamespace = "::jit";
  let methods = [StaticInterfaceMethod<
      "Sets of operands in which the result is linear together, the others held: zeros for all of a set give zeros",
      "::llvm::SmallVector<::llvm::SmallVector<unsigned, 2>, 2>", "getLinearOperands">];
}

def ProductOpInterface : OpInterface<"ProductOpInterface"> {
  let description = "A matrix product in which each row of one operand gives a row of the result, whatever the others are.";
  let cppNamespace = "::jit";
  let methods = [StaticInterfaceMethod<"The operands that have the rows and the weight, by number",
                                       "::std::pair<unsigned, unsigned>", "getRowsAndWeight">];
}

def DropoutOpInterface : OpInterface<"DropoutOpInterface"> {
  let description = "An operator that drops elements out in training.";
  let cppNamespace = "::jit";
  let methods = [StaticInterfaceMethod<[{
    The operands that say how much, by number: the probability, then as far as there are such whether to do it, and the number
    of layers, between which it is done.
  }], "::llvm::SmallVector<unsigned, 3>", "getDropoutOperands">];
}

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let description = "An operator that says what the gradients of its operands are.";
  let cppNamespace = "::jit";
  let methods = [InterfaceMethod<[{
    Adds this operator's share to the gradients of those operands that the builder wants. Fails, after an error,
    where the operands do not go together.
  }], "::llvm::LogicalResult", "differentiate", (ins "::jit::GradBuilder &":$build)>];
}

#endif // JIT_DIALECT_ATEN_INTERFACES_TD
