// RUN: jit-opt %s --split-input-file --jit-sink-sums | FileCheck %s

// What is added is an argument of the function, a product that was made before the loop, a product of what the loop does not change, and
// a permutation that reorders nothing.

// CHECK-LABEL: func.func @outside
//       CHECK: aten.mm
//       CHECK: scf.for
// CHECK-COUNT-2: aten.mm
//       CHECK: scf.yield
//   CHECK-NOT: aten.mm
func.func @outside(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %x: !jit.tensor<[2,5],f32>, %y: !jit.tensor<[2,4],f32>, %f: !jit.tensor<[10,5,2],f32>, %start: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %xt = aten.t %x : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
  %before = aten.mm %xt, %y : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
  %order = jit.list %0, %1 : (i64, i64) -> !jit.list<i64>
  %r:4 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %other = %start, %third = %start, %fourth = %start) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) : i64 {
    %s = aten.add.Tensor %sum, %start, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %u = aten.add.Tensor %other, %before, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %t = aten.t %x : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %v = aten.add.Tensor %third, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %a = aten.select.int %f, %0, %i : (!jit.tensor<[10,5,2],f32>, i64, i64) -> !jit.tensor<[5,2],f32>
    %same = aten.permute %a, %order : (!jit.tensor<[5,2],f32>, !jit.list<i64>) -> !jit.tensor<[5,2],f32>
    %q = aten.mm %same, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %w = aten.add.Tensor %fourth, %q, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %u, %v, %w : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
  }
  return %r#0, %r#1, %r#2, %r#3 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
}
