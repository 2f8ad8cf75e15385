// What a call gives for an argument of any type may be nested; its parts are cast where the program says what they are.
// RUN: jit-opt %s --jit-specialize="args=[f32[2],(f32[3],7)]" | FileCheck %s

// CHECK: func.func @forward(%arg0: !jit.tensor<[2],f32> {{.*}}, %arg1: !jit.tensor<[3],f32>
// CHECK: return %arg0, %arg1
func.func @forward(%xs: !jit.list<!jit.any>) -> (!jit.any, !jit.tensor) {
  %parts:2 = jit.list_unpack %xs : (!jit.list<!jit.any>) -> (!jit.any, !jit.any)
  %pair = jit.unchecked_cast %parts#1 : !jit.any to !jit.tuple<!jit.tensor, i64>
  %y, %n = jit.tuple_unpack %pair : (!jit.tuple<!jit.tensor, i64>) -> (!jit.tensor, i64)
  return %parts#0, %y : !jit.any, !jit.tensor
}
