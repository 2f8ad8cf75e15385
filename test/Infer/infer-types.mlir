// RUN: jit-opt %s --jit-infer-types | FileCheck %s

// Types follow from the arguments; two branches keep what both know.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: -> !jit.tensor<[2,?],f32>
func.func @branches(%c: i1, %a: !jit.tensor<[2,3],f32>, %b: !jit.tensor<[2,1],f32>) -> !jit.tensor {
  // CHECK: %[[R:.*]] = scf.if %{{.*}} -> (!jit.tensor<[2,?],f32>)
  %r = scf.if %c -> !jit.tensor {
    // CHECK: aten.mul.Tensor {{.*}} -> !jit.tensor<[2,3],f32>
    %x = aten.mul.Tensor %a, %b : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,1],f32>) -> !jit.tensor
    scf.yield %x : !jit.tensor
  } else {
    // CHECK: aten.mul.Tensor {{.*}} -> !jit.tensor<[2,1],f32>
    %x = aten.mul.Tensor %b, %b : (!jit.tensor<[2,1],f32>, !jit.tensor<[2,1],f32>) -> !jit.tensor
    scf.yield %x : !jit.tensor
  }
  return %r : !jit.tensor
}

// A loop variable loses the size that the first trip changes and keeps the rest.
// CHECK-LABEL: func.func @loop
// CHECK: iter_args(%[[ACC:.*]] = %{{.*}}) -> (!jit.tensor<[2,?],f32>)
// CHECK: aten.mul.Tensor %[[ACC]], %{{.*}} : (!jit.tensor<[2,?],f32>, !jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
func.func @loop(%n: i64, %a: !jit.tensor<[2,3],f32>, %b: !jit.tensor<[2,1],f32>) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %init = jit.derefine %b : !jit.tensor<[2,1],f32> to !jit.tensor
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (!jit.tensor) : i64 {
    %x = aten.mul.Tensor %acc, %a : (!jit.tensor, !jit.tensor<[2,3],f32>) -> !jit.tensor
    scf.yield %x : !jit.tensor
  }
  return %r : !jit.tensor
}
