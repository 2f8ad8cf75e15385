// RUN: jit-opt %s --jit-differentiate | FileCheck %s

// A trip hands on what is outside as it is: each of its gradients adds up.
// CHECK-LABEL: func.func @forward
//       CHECK: scf.for %{{.*}} iter_args(%[[G:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}})
//       CHECK:   %[[SUM:.*]] = aten.add.Tensor %[[Y]], %[[G]]
//       CHECK:   scf.yield %{{.*}}, %[[SUM]]
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[4],f32> {jit.requires_grad})
    -> !jit.tensor<[4],f32> {
  %lower = arith.constant 0 : i64
  %upper = arith.constant 2 : i64
  %step = arith.constant 1 : i64
  %r = scf.for %i = %lower to %upper step %step iter_args(%c = %x) -> !jit.tensor<[4],f32> : i64 {
    scf.yield %y : !jit.tensor<[4],f32>
  }
  return %r : !jit.tensor<[4],f32>
}
