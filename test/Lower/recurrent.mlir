// RUN: jit-opt %s --jit-lower | FileCheck %s

// The loop carries outputs and state, and does two products a step.
// CHECK-LABEL: func.func @lstm(
// CHECK: scf.for {{.*}} -> (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x16xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x16xf32>)
// CHECK: math.tanh
// CHECK: tensor.insert_slice {{.*}} into tensor<5x2x4xf32>
func.func @lstm(%x: !jit.tensor<[5,2,3],f32>, %h: !jit.tensor<[1,2,4],f32>, %c: !jit.tensor<[1,2,4],f32>, %w: !jit.tensor<[16,3],f32>, %u: !jit.tensor<[16,4],f32>) -> !jit.tensor<[5,2,4],f32> {
  %layers = arith.constant 1 : i64
  %dropout = arith.constant 0.0 : f64
  %no = arith.constant false
  %state = jit.list %h, %c : (!jit.tensor<[1,2,4],f32>, !jit.tensor<[1,2,4],f32>) -> !jit.list<!jit.tensor>
  %params = jit.list %w, %u : (!jit.tensor<[16,3],f32>, !jit.tensor<[16,4],f32>) -> !jit.list<!jit.tensor>
  %r:3 = aten.lstm.input %x, %state, %params, %no, %layers, %dropout, %no, %no, %no : (!jit.tensor<[5,2,3],f32>, !jit.list<!jit.tensor>, !jit.list<!jit.tensor>, i1, i64, f64, i1, i1, i1) -> (!jit.tensor<[5,2,4],f32>, !jit.tensor<[1,2,4],f32>, !jit.tensor<[1,2,4],f32>)
  return %r#0 : !jit.tensor<[5,2,4],f32>
}
