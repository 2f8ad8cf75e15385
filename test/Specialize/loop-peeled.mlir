// RUN: jit-opt %s --jit-specialize="args=f32[4],f32[1],5" --canonicalize | FileCheck %s

// The first trip broadcasts what is carried to its lasting size, so it is taken out of the loop.
// CHECK-LABEL: func.func @forward
// CHECK: %[[FIRST:.*]] = aten.mul.Tensor {{.*}} : (!jit.tensor<[1],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
// CHECK: scf.for %{{.*}} = %c1{{.*}} to %c5{{.*}} iter_args(%{{.*}} = %[[FIRST]]) -> (!jit.tensor<[4],f32>)
func.func @forward(%x: !jit.tensor, %start: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %start) -> (!jit.tensor) : i64 {
    %next = aten.mul.Tensor %acc, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
    scf.yield %next : !jit.tensor
  }
  return %r : !jit.tensor
}
