// RUN: jit-opt %s --split-input-file --jit-sink-sums --canonicalize | FileCheck %s

// The gradient of a tensor of which each trip used one slice: no trip adds to what another one wrote, so
// nothing is added to, and no zeros are needed.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[EMPTY:.*]] = jit.poison : !jit.tensor<[10,4],f32>
//       CHECK: scf.for %{{.*}} iter_args(%[[C:.*]] = %{{.*}}, %[[S:.*]] = %[[EMPTY]])
//       CHECK: %[[B:.*]] = aten.tanh
//   CHECK-NOT: aten.add.Tensor
//       CHECK: aten.select_scatter %[[S]], %[[B]]
func.func @forward(%g: !jit.tensor<[4],f32>, %x: !jit.tensor<[10,4],f32>) -> (!jit.tensor<[4],f32>, !jit.tensor<[10,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %none = jit.constant !jit.none = unit
  %zeros = aten.zeros_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[10,4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[10,4],f32>
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%c = %g, %sum = %zeros) -> (!jit.tensor<[4],f32>, !jit.tensor<[10,4],f32>) : i64 {
    %b = aten.tanh %c : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %old = aten.select.int %sum, %0, %i : (!jit.tensor<[10,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %new = aten.add.Tensor %old, %b, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
    %next = aten.select_scatter %sum, %new, %0, %i : (!jit.tensor<[10,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[10,4],f32>
    scf.yield %b, %next : !jit.tensor<[4],f32>, !jit.tensor<[10,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[4],f32>, !jit.tensor<[10,4],f32>
}

// -----

// The slice before, which another trip wrote.

// CHECK-LABEL: func.func @slice_before
//       CHECK: aten.zeros_like
//       CHECK: scf.for
//       CHECK: aten.select.int
//       CHECK: aten.add.Tensor
func.func @slice_before(%g: !jit.tensor<[4],f32>, %x: !jit.tensor<[10,4],f32>) -> !jit.tensor<[10,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %none = jit.constant !jit.none = unit
  %zeros = aten.zeros_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[10,4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[10,4],f32>
  %r = scf.for %i = %1 to %10 step %1 iter_args(%sum = %zeros) -> (!jit.tensor<[10,4],f32>) : i64 {
    %before = arith.subi %i, %1 : i64
    %old = aten.select.int %sum, %0, %before : (!jit.tensor<[10,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %new = aten.add.Tensor %old, %g, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
    %next = aten.select_scatter %sum, %new, %0, %i : (!jit.tensor<[10,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[10,4],f32>
    scf.yield %next : !jit.tensor<[10,4],f32>
  }
  return %r : !jit.tensor<[10,4],f32>
}
