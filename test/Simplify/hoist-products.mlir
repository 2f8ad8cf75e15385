// RUN: jit-opt %s --split-input-file --jit-hoist-products --canonicalize | FileCheck %s

// The input projection of a recurrent network: all steps are one product before the loop. The product of what
// the loop carries stays.

// CHECK-LABEL: func.func @steps_first
//  CHECK-SAME: (%[[X:.*]]: !jit.tensor<[10,4,3],f32>, %[[W:.*]]: !jit.tensor<[5,3],f32>
//       CHECK: %[[ROWS:.*]] = aten.view %[[X]], {{.*}} -> !jit.tensor<[40,3],f32>
//       CHECK: %[[ALL:.*]] = aten.linear %[[ROWS]], %[[W]], {{.*}} -> !jit.tensor<[40,5],f32>
//       CHECK: %[[STEPS:.*]] = aten.view %[[ALL]], {{.*}} -> !jit.tensor<[10,4,5],f32>
//       CHECK: scf.for %[[I:[a-z0-9]+]] =
//       CHECK: %[[STEP:.*]] = aten.select.int %[[STEPS]], %{{.*}}, %[[I]]
//   CHECK-NOT: aten.linear
//       CHECK: aten.mm
//       CHECK: aten.add.Tensor %[[STEP]]
func.func @steps_first(%x: !jit.tensor<[10,4,3],f32>, %w: !jit.tensor<[5,3],f32>, %b: !jit.tensor<[5],f32>,
                       %u: !jit.tensor<[5,5],f32>, %h: !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r = scf.for %i = %0 to %10 step %1 iter_args(%c = %h) -> !jit.tensor<[4,5],f32> : i64 {
    %step = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.linear %step, %w, %b : (!jit.tensor<[4,3],f32>, !jit.tensor<[5,3],f32>, !jit.tensor<[5],f32>) -> !jit.tensor<[4,5],f32>
    %q = aten.mm %c, %u : (!jit.tensor<[4,5],f32>, !jit.tensor<[5,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten.add.Tensor %p, %q, %1 : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>, i64) -> !jit.tensor<[4,5],f32>
    scf.yield %s : !jit.tensor<[4,5],f32>
  }
  return %r : !jit.tensor<[4,5],f32>
}

// -----

// Steps in the second dimension, from the last to the first.

// CHECK-LABEL: func.func @batch_first_backward
//       CHECK: aten.mm %{{.*}} -> !jit.tensor<[40,5],f32>
//       CHECK: %[[STEPS:.*]] = aten.view %{{.*}} -> !jit.tensor<[4,10,5],f32>
//       CHECK: scf.for %[[I:[a-z0-9]+]] =
//       CHECK: %[[AT:.*]] = arith.subi %{{.*}}, %[[I]]
//       CHECK: aten.select.int %[[STEPS]], %{{.*}}, %[[AT]] {{.*}} -> !jit.tensor<[4,5],f32>
func.func @batch_first_backward(%x: !jit.tensor<[4,10,3],f32>, %w: !jit.tensor<[3,5],f32>, %h: !jit.tensor<[4,5],f32>)
    -> !jit.tensor<[4,5],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %9 = arith.constant 9 : i64
  %10 = arith.constant 10 : i64
  %r = scf.for %i = %0 to %10 step %1 iter_args(%c = %h) -> !jit.tensor<[4,5],f32> : i64 {
    %at = arith.subi %9, %i : i64
    %step = aten.select.int %x, %1, %at : (!jit.tensor<[4,10,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %step, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten.mul.Tensor %p, %c : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    scf.yield %s : !jit.tensor<[4,5],f32>
  }
  return %r : !jit.tensor<[4,5],f32>
}
