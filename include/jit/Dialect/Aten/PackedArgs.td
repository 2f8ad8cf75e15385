//===- PackedArgs.td - weights of quantized layers as arguments -*- tablegen -*-===//
#ifndef JIT_DIALECT_ATEN_PACKEDARGS_TD
#define JIT_DIALECT_ATEN_PACKEDARGS_TD

include "jit/Dialect/Aten/AtenBase.td"

/// To us a tuple, whose parts lib/Import/PackedParams.h lists.
defvar isTuple = CPred<"::llvm::isa<::jit::TupleType>($_self)">;
def LinearParams : AtenArg<isTuple, "__torch__.torch.classes.quantized.LinearPackedParamsBase", "AnyInfo", "Ignored", "Any">;
def CellParamsList : AtenArg<isList, "__torch__.torch.classes.rnn.CellParamsBase[]", "ListInfo", "Ignored", "AnyList">;

#endif // JIT_DIALECT_ATEN_PACKEDARGS_TD
