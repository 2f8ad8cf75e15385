// RUN: jit-opt %s | FileCheck %s

// CHECK-LABEL: func.func @statistics
// CHECK: -> (!jit.tensor<[2,3,4],f32>, !jit.tensor<[2,1,1],f32>, !jit.tensor<[2,1,1],f32>)
func.func @statistics(%x: !jit.tensor<[2,3,4],f32>) {
  %3 = arith.constant 3 : i64
  %4 = arith.constant 4 : i64
  %eps = arith.constant 1.0e-05 : f64
  %none = jit.constant !jit.none = unit
  %shape = jit.list %3, %4 : (i64, i64) -> !jit.list<i64>
  %r:3 = aten.native_layer_norm %x, %shape, %none, %none, %eps : (!jit.tensor<[2,3,4],f32>, !jit.list<i64>, !jit.none, !jit.none, f64) -> (!jit.tensor<[2,3,4],f32>, !jit.tensor<[2,1,1],f32>, !jit.tensor<[2,1,1],f32>)
  return
}

// By the running statistics: those of the batch are empty.
// CHECK-LABEL: func.func @running
// CHECK: -> (!jit.tensor<[2,3,4],f32>, !jit.tensor<[0],f32>, !jit.tensor<[0],f32>)
func.func @running(%x: !jit.tensor<[2,3,4],f32>, %s: !jit.tensor<[3],f32>) {
  %number = arith.constant 1.0e-05 : f64
  %none = jit.constant !jit.none = unit
  %r:3 = aten._native_batch_norm_legit_no_training %x, %none, %none, %s, %s, %number, %number : (!jit.tensor<[2,3,4],f32>, !jit.none, !jit.none, !jit.tensor<[3],f32>, !jit.tensor<[3],f32>, f64, f64) -> (!jit.tensor<[2,3,4],f32>, !jit.tensor<[0],f32>, !jit.tensor<[0],f32>)
  return
}
