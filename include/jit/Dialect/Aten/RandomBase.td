//===- RandomBase.td - what operators that draw numbers have in common -*- tablegen -*-===//
#ifndef JIT_DIALECT_ATEN_RANDOMBASE
#define JIT_DIALECT_ATEN_RANDOMBASE

include "jit/Dialect/Aten/AtenBase.td"

/// An operator that draws: as long as it has no generator no two of a kind are the same.
def DrawsNumbers : NativeOpTrait<"DrawsNumbers"> { let cppNamespace = "::jit"; }

#endif // JIT_DIALECT_ATEN_RANDOMBASE
