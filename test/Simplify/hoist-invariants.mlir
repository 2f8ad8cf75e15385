// RUN: jit-opt %s --jit-hoist-products | FileCheck %s

// The parameter and what is made of it are computed once. The zeros that the trip writes into stay, a copy of
// them would be dearer; the broadcast stays, its user reads it as it goes.

jit.slot parameter @w : !jit.tensor<[4],f32> = #jit.storage<"data/0", 0, [1]>

// CHECK-LABEL: func.func @forward
//       CHECK: %[[W:.*]] = jit.slot_get @w
//       CHECK: %[[E:.*]] = aten.exp %[[W]]
//       CHECK: scf.for
//       CHECK: %[[Z:.*]] = aten.zeros
//       CHECK: aten.slice_scatter %[[Z]]
//       CHECK: aten.expand
//       CHECK: aten.mul.Tensor %{{.*}}, %[[E]]
func.func @forward(%x: !jit.tensor<[4],f32>, %row: !jit.tensor<[1],f32>) -> !jit.tensor<[4],f32> {
  %lower = arith.constant 0 : i64
  %upper = arith.constant 5 : i64
  %step = arith.constant 1 : i64
  %r = scf.for %i = %lower to %upper step %step iter_args(%c = %x) -> !jit.tensor<[4],f32> : i64 {
    %0 = arith.constant 0 : i64
    %2 = arith.constant 2 : i64
    %4 = arith.constant 4 : i64
    %false = arith.constant false
    %none = jit.constant !jit.none = unit
    %w = jit.slot_get @w : !jit.tensor<[4],f32>
    %e = aten.exp %w : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %sizes = jit.list %4 : (i64) -> !jit.list<i64>
    %zeros = aten.zeros %sizes, %none, %none, %none, %none : (!jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4],f32>
    %half = aten.slice.Tensor %c, %0, %0, %2, %step : (!jit.tensor<[4],f32>, i64, i64, i64, i64) -> !jit.tensor<[2],f32>
    %filled = aten.slice_scatter %zeros, %half, %0, %2, %4, %step : (!jit.tensor<[4],f32>, !jit.tensor<[2],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
    %wide = aten.expand %row, %sizes, %false : (!jit.tensor<[1],f32>, !jit.list<i64>, i1) -> !jit.tensor<[4],f32>
    %sum = aten.add.Tensor %filled, %wide, %step : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
    %next = aten.mul.Tensor %sum, %e : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %next : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}
