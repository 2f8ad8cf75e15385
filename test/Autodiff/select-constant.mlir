// RUN: jit-opt %s --jit-differentiate --split-input-file | FileCheck %s

// No gradient is built for what needs none, of two tensors or the elements of a list.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[R:.*]] = arith.select
//       CHECK: %[[G:.*]] = arith.select
//   CHECK-NOT: arith.select
//       CHECK: return %[[R]], %[[G]]
func.func @forward(%p: i1, %x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  %r = arith.select %p, %x, %y : !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

// -----

// CHECK-LABEL: func.func @forward
//       CHECK: %[[G:.*]] = arith.select
//   CHECK-NOT: arith.select
//       CHECK: return %{{.*}}, %[[G]]
func.func @forward(%i: i64, %x: !jit.tensor<[4],f32>, %y: !jit.tensor<[4],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %list = jit.list %x, %y : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.list<!jit.tensor<[4],f32>>
  %r = aten.__getitem__.t %list, %i : (!jit.list<!jit.tensor<[4],f32>>, i64) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}
