// RUN: jit-opt %s --jit-propagate-absent | FileCheck %s

// What both ways of a branch give of a gradient that is not there, or zeros, is not there; nor is what is put into zeros.
// CHECK-LABEL: func.func @forward
// CHECK-NOT: aten.mul
// CHECK-NOT: aten.slice_scatter
// CHECK: return %arg1
func.func @forward(%c: i1, %g: !jit.tensor<[4],f32>, %x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %absent = jit.absent : !jit.tensor<[2],f32>
  %0 = scf.if %c -> !jit.tensor<[2],f32> {
    scf.yield %absent : !jit.tensor<[2],f32>
  } else {
    %half = aten.slice.Tensor %x, %zero, %zero, %two, %one : (!jit.tensor<[4],f32>, i64, i64, i64, i64) -> !jit.tensor<[2],f32>
    %zeros = aten.zeros_like %half, %none, %none, %none, %none, %none : (!jit.tensor<[2],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[2],f32>
    scf.yield %zeros : !jit.tensor<[2],f32>
  }
  %whole = aten.zeros_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4],f32>
  %1 = aten.slice_scatter %whole, %0, %zero, %zero, %two, %one : (!jit.tensor<[4],f32>, !jit.tensor<[2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Tensor %1, %x : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %3 = aten.add.Tensor %g, %2, %one : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  return %3 : !jit.tensor<[4],f32>
}
