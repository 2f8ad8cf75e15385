// RUN: jit-opt %s --jit-differentiate --canonicalize --cse --split-input-file | FileCheck %s

// What depends only in the first trip: later ones see what the trip before put in its place.

// CHECK-LABEL: func.func @forward
//       CHECK: scf.for
//       CHECK: %[[ZEROS:.*]] = aten.zeros_like %arg0
//       CHECK: %[[LOOP:.*]]:2 = scf.for %{{.*}} iter_args(%{{[a-z0-9]+}} = %[[ZEROS]], %[[S:[a-z0-9]+]] = %{{.*}})
//       CHECK: %[[OFS:.*]] = aten.mul.Tensor %[[S]]
//       CHECK: %[[OFC:.*]] = aten.mul.Tensor %[[S]]
//   CHECK-NOT: aten.add.Tensor
//       CHECK: scf.yield %[[OFC]], %[[OFS]]
//       CHECK: return %{{.*}}, %[[LOOP]]#0
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %z: !jit.tensor<[4],f32>, %w: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %r:2 = scf.for %i = %0 to %3 step %1 iter_args(%c = %x, %s = %z) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) : i64 {
    %m = aten.mul.Tensor %s, %c : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %w, %m : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
  }
  return %r#1 : !jit.tensor<[4],f32>
}
