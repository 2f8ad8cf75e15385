// RUN: jit-opt %s --split-input-file --jit-sink-sums --canonicalize | FileCheck %s

// What is carried was not zeros, is read along another dimension, or twice what it was is added: the addition stays.

// CHECK-LABEL: func.func @added
//       CHECK: scf.for
// CHECK-COUNT-3: aten.add.Tensor
//       CHECK: scf.yield
func.func @added(%g: !jit.tensor<[10],f32>, %x: !jit.tensor<[10,10],f32>) -> (!jit.tensor<[10,10],f32>, !jit.tensor<[10,10],f32>, !jit.tensor<[10,10],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %10 = arith.constant 10 : i64
  %none = jit.constant !jit.none = unit
  %zeros = aten.zeros_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[10,10],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[10,10],f32>
  %r:3 = scf.for %i = %0 to %10 step %1 iter_args(%a = %x, %b = %zeros, %c = %zeros)
      -> (!jit.tensor<[10,10],f32>, !jit.tensor<[10,10],f32>, !jit.tensor<[10,10],f32>) : i64 {
    %a0 = aten.select.int %a, %0, %i : (!jit.tensor<[10,10],f32>, i64, i64) -> !jit.tensor<[10],f32>
    %a1 = aten.add.Tensor %a0, %g, %1 : (!jit.tensor<[10],f32>, !jit.tensor<[10],f32>, i64) -> !jit.tensor<[10],f32>
    %a2 = aten.select_scatter %a, %a1, %0, %i : (!jit.tensor<[10,10],f32>, !jit.tensor<[10],f32>, i64, i64) -> !jit.tensor<[10,10],f32>
    %b0 = aten.select.int %b, %1, %i : (!jit.tensor<[10,10],f32>, i64, i64) -> !jit.tensor<[10],f32>
    %b1 = aten.add.Tensor %b0, %g, %1 : (!jit.tensor<[10],f32>, !jit.tensor<[10],f32>, i64) -> !jit.tensor<[10],f32>
    %b2 = aten.select_scatter %b, %b1, %0, %i : (!jit.tensor<[10,10],f32>, !jit.tensor<[10],f32>, i64, i64) -> !jit.tensor<[10,10],f32>
    %c0 = aten.select.int %c, %0, %i : (!jit.tensor<[10,10],f32>, i64, i64) -> !jit.tensor<[10],f32>
    %c1 = aten.add.Tensor %c0, %g, %2 : (!jit.tensor<[10],f32>, !jit.tensor<[10],f32>, i64) -> !jit.tensor<[10],f32>
    %c2 = aten.select_scatter %c, %c1, %0, %i : (!jit.tensor<[10,10],f32>, !jit.tensor<[10],f32>, i64, i64) -> !jit.tensor<[10,10],f32>
    scf.yield %a2, %b2, %c2 : !jit.tensor<[10,10],f32>, !jit.tensor<[10,10],f32>, !jit.tensor<[10,10],f32>
  }
  return %r#0, %r#1, %r#2 : !jit.tensor<[10,10],f32>, !jit.tensor<[10,10],f32>, !jit.tensor<[10,10],f32>
}

// -----

// Trips write a part of the zeros, and what was there before the loop is seen after it.

// CHECK-LABEL: func.func @part
//   CHECK-NOT: jit.poison
//       CHECK: %[[ZEROS:.*]] = aten.zeros_like
//       CHECK: scf.for %{{.*}} iter_args(%[[B:.*]] = %[[ZEROS]], %[[C:.*]] = %{{.*}})
//   CHECK-NOT: aten.select.int
//       CHECK: aten.select_scatter %[[B]]
//       CHECK: aten.select_scatter %[[C]]
func.func @part(%g: !jit.tensor<[10],f32>, %x: !jit.tensor<[10,10],f32>) -> (!jit.tensor<[10,10],f32>, !jit.tensor<[10,10],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %9 = arith.constant 9 : i64
  %10 = arith.constant 10 : i64
  %none = jit.constant !jit.none = unit
  %zeros = aten.zeros_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[10,10],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[10,10],f32>
  %r:2 = scf.for %i = %0 to %9 step %1 iter_args(%b = %zeros, %c = %x) -> (!jit.tensor<[10,10],f32>, !jit.tensor<[10,10],f32>) : i64 {
    %b0 = aten.select.int %b, %0, %i : (!jit.tensor<[10,10],f32>, i64, i64) -> !jit.tensor<[10],f32>
    %b1 = aten.add.Tensor %g, %b0, %1 : (!jit.tensor<[10],f32>, !jit.tensor<[10],f32>, i64) -> !jit.tensor<[10],f32>
    %b2 = aten.select_scatter %b, %b1, %0, %i : (!jit.tensor<[10,10],f32>, !jit.tensor<[10],f32>, i64, i64) -> !jit.tensor<[10,10],f32>
    %c2 = aten.select_scatter %c, %g, %0, %i : (!jit.tensor<[10,10],f32>, !jit.tensor<[10],f32>, i64, i64) -> !jit.tensor<[10,10],f32>
    scf.yield %b2, %c2 : !jit.tensor<[10,10],f32>, !jit.tensor<[10,10],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[10,10],f32>, !jit.tensor<[10,10],f32>
}

// -----

// The slice is used for something else than the sum as well, and added to itself.

// CHECK-LABEL: func.func @other_uses
//       CHECK: scf.for
//       CHECK: aten.select.int %{{.*}} : (!jit.tensor<[10,10],f32>
//       CHECK: aten.exp
//       CHECK: aten.add.Tensor %[[A:.*]], %[[A]]
func.func @other_uses(%x: !jit.tensor<[10,10],f32>) -> !jit.tensor<[10,10],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %none = jit.constant !jit.none = unit
  %zeros = aten.zeros_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[10,10],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[10,10],f32>
  %r = scf.for %i = %0 to %10 step %1 iter_args(%b = %zeros) -> (!jit.tensor<[10,10],f32>) : i64 {
    %b0 = aten.select.int %b, %0, %i : (!jit.tensor<[10,10],f32>, i64, i64) -> !jit.tensor<[10],f32>
    %e = aten.exp %b0 : (!jit.tensor<[10],f32>) -> !jit.tensor<[10],f32>
    %d = aten.add.Tensor %b0, %b0, %1 : (!jit.tensor<[10],f32>, !jit.tensor<[10],f32>, i64) -> !jit.tensor<[10],f32>
    %f = aten.mul.Tensor %e, %d : (!jit.tensor<[10],f32>, !jit.tensor<[10],f32>) -> !jit.tensor<[10],f32>
    %b2 = aten.select_scatter %b, %f, %0, %i : (!jit.tensor<[10,10],f32>, !jit.tensor<[10],f32>, i64, i64) -> !jit.tensor<[10,10],f32>
    scf.yield %b2 : !jit.tensor<[10,10],f32>
  }
  return %r : !jit.tensor<[10,10],f32>
}
