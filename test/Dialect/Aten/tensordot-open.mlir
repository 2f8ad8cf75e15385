// RUN: jit-opt %s --jit-infer-types --jit-decompose | FileCheck %s

// The rows are those of the call; what is summed over is known.
// CHECK-LABEL: func.func @forward(
// CHECK:         aten.mm {{.*}} : (!jit.tensor<[?,4],f32>, !jit.tensor<[4,6],f32>) -> !jit.tensor<[?,6],f32>
// CHECK:         aten.{{view|reshape}} {{.*}} -> !jit.tensor<[?,2,3],f32>
func.func @forward(%x: !jit.tensor<[4,?],f32>, %y: !jit.tensor<[2,4,3],f32>) -> !jit.tensor attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = jit.list %zero : (i64) -> !jit.list<i64>
  %b = jit.list %one : (i64) -> !jit.list<i64>
  %0 = aten.tensordot %x, %y, %a, %b : (!jit.tensor<[4,?],f32>, !jit.tensor<[2,4,3],f32>, !jit.list<i64>, !jit.list<i64>) -> !jit.tensor
  return %0 : !jit.tensor
}
