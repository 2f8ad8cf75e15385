//===- Custom.td - operators of a user's own ---------------*- tablegen -*-===//
#ifndef JIT_DIALECT_ATEN_CUSTOM_TD
#define JIT_DIALECT_ATEN_CUSTOM_TD

include "jit/Dialect/Aten/AtenBase.td"
include "jit/Dialect/Jit/JitBase.td"

/// Not Pure: what it computes may raise, so it stays behind the conditions that it stands behind.
def Aten_CustomOp : Op<Aten_Dialect, "custom", [NoMemoryEffect, AtenOpInterface, GivesRows,
    DeclareOpInterfaceMethods<InferTypeOpInterface>, DeclareOpInterfaceMethods<DifferentiableOpInterface>]> {
  let summary = "An operator of a file of operators, which has it under this schema";
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$signature);
  let results = (outs Variadic<Jit_TensorLike>:$outputs);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The schema is each operation's own, its signature: no name leads here by itself.
    static ::llvm::StringRef getSchema() { return {}; }
    static ::llvm::SmallVector<::llvm::StringRef, 0> getAliases() { return {}; }
    static bool isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange actual) {
      return ::jit::areConsistent(inferred, actual);
    }
  }];
  let extraClassDefinition = [{
::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser, ::mlir::OperationState &result) {
  return ::jit::aten::parseOperator(parser, result);
}
void $cppClass::print(::mlir::OpAsmPrinter &printer) { ::jit::aten::printOperator(printer, getOperation()); }
  }];
}

#endif // JIT_DIALECT_ATEN_CUSTOM_TD
