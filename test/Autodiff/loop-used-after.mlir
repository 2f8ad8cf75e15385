// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// What is used in a loop and after it has both gradients: the backward loop goes on from the one that is there.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[R:.*]] = scf.for
//       CHECK: %[[SEED:.*]] = aten.ones_like
//       CHECK: %[[AFTER:.*]] = aten.mul.Tensor %[[SEED]], %[[R]]
//       CHECK: %[[SUM:.*]] = aten._grad_sum_to_size %[[AFTER]]
//       CHECK: scf.for {{.*}} = %[[SUM]]{{[,)]}}
//       CHECK: return
func.func @forward(%x: !jit.tensor<[4],f32>, %w: !jit.tensor<[4],f32> {jit.requires_grad}, %n: i64) -> !jit.tensor<[4],f32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (!jit.tensor<[4],f32>) : i64 {
    %s = aten.mul.Tensor %a, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %s : !jit.tensor<[4],f32>
  }
  %e = aten.mul.Tensor %r, %w : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %e : !jit.tensor<[4],f32>
}
