//===- Scalar.td - operators on Python ints, floats and bools --*- tablegen -*-===//
include "jit/Dialect/Aten/AtenBase.td"

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def Aten_AddIntOp : Aten_ScalarOp<"add", "int", (ins Int:$a, Int:$b), Int> {
  let scalar = "a + b";
}
