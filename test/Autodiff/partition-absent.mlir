// RUN: jit-opt %s --jit-differentiate=seed=arguments --jit-partition-gradients=absent=1 --jit-propagate-absent --canonicalize | FileCheck %s

// Of a result that has no gradient the backward function computes nothing, and takes what it would need all the same: the forward function is that of
// any other gradients.
// CHECK-LABEL: func.func @forward(
// CHECK: aten.sin
// CHECK: aten.log
// CHECK-LABEL: func.func @forward.backward(
// CHECK-SAME: jit.grad_of = 0
// CHECK-SAME: jit.grad_of = 1
// CHECK: aten.cos
// CHECK-NOT: aten.div
// CHECK-NOT: jit.absent
// CHECK: return
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) {
  %0 = aten.sin %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %1 = aten.log %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %0, %1 : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
}
