// RUN: jit-opt %s | FileCheck %s

// Both directions side by side.
// CHECK-LABEL: func.func @sequence
// CHECK: -> (!jit.tensor<[5,2,8],f32>, !jit.tensor<[2,2,4],f32>)
func.func @sequence(%x: !jit.tensor<[5,2,3],f32>, %h: !jit.tensor<[2,2,4],f32>, %params: !jit.list<!jit.tensor>) {
  %layers = arith.constant 1 : i64
  %dropout = arith.constant 0.0 : f64
  %yes = arith.constant true
  %no = arith.constant false
  %r:2 = aten.gru.input %x, %h, %params, %yes, %layers, %dropout, %no, %yes, %no : (!jit.tensor<[5,2,3],f32>, !jit.tensor<[2,2,4],f32>, !jit.list<!jit.tensor>, i1, i64, f64, i1, i1, i1) -> (!jit.tensor<[5,2,8],f32>, !jit.tensor<[2,2,4],f32>)
  return
}
