// RUN: jit-opt %s --jit-decompose | FileCheck %s

// Each factor gets a dimension, then all are multiplied and summed.
// CHECK-COUNT-3: aten.view
// CHECK: aten.sum.dim_IntList
func.func @forward(%a: !jit.tensor<[2,3],f32>, %b: !jit.tensor<[3,4],f32>, %c: !jit.tensor<[2,4],f32>) -> !jit.tensor {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %last = jit.list %2 : (i64) -> !jit.list<i64>
  %first = jit.list %0 : (i64) -> !jit.list<i64>
  %middle = jit.list %1 : (i64) -> !jit.list<i64>
  %r = aten._trilinear %a, %b, %c, %last, %first, %middle, %middle, %1 : (!jit.tensor<[2,3],f32>, !jit.tensor<[3,4],f32>, !jit.tensor<[2,4],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor
  return %r : !jit.tensor
}
