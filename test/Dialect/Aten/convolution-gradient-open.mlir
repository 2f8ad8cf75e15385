// RUN: jit-opt %s --jit-infer-types --jit-decompose | FileCheck %s

// What flows back along sides that the call tells: the input's is cropped to its sides, the weight's is a product for each of the two taps.
// CHECK-DAG: aten.convolution {{.*}} -> !jit.tensor<[2,3,?],f32>
// CHECK-DAG: aten.constant_pad_nd
// CHECK-COUNT-2: aten.matmul
// CHECK: aten.cat
func.func @side(%grad: !jit.tensor<[2,4,?],f32>, %x: !jit.tensor<[2,3,?],f32>, %w: !jit.tensor<[4,3,2],f32>) -> (!jit.tensor, !jit.tensor, !jit.tensor) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %no = arith.constant false
  %yes = arith.constant true
  %none = jit.constant !jit.none = unit
  %stride = jit.list %2 : (i64) -> !jit.list<i64>
  %zeros = jit.list %0 : (i64) -> !jit.list<i64>
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  %mask = jit.list %yes, %yes, %yes : (i1, i1, i1) -> !jit.list<i1>
  %r:3 = aten.convolution_backward %grad, %x, %w, %none, %stride, %ones, %ones, %no, %zeros, %1, %mask : (!jit.tensor<[2,4,?],f32>, !jit.tensor<[2,3,?],f32>, !jit.tensor<[4,3,2],f32>, !jit.none, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1, !jit.list<i64>, i64, !jit.list<i1>) -> (!jit.tensor, !jit.tensor, !jit.tensor)
  return %r#0, %r#1, %r#2 : !jit.tensor, !jit.tensor, !jit.tensor
}
