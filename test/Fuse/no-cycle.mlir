// RUN: jit-opt %s --jit-fuse-pointwise | FileCheck %s

// Either pair could share a pass, but not both: each would wait for the other.
// CHECK-LABEL: func.func @forward
//       CHECK: %[[A:.*]] = aten.tanh %arg0
//       CHECK: %[[S:.*]] = aten.sum %[[A]]
//       CHECK: %[[G:.*]]:2 = jit.group
//       CHECK: aten.mul.Tensor %[[A]], %[[G]]#0
//   CHECK-NOT: jit.group
func.func @forward(%x: !jit.tensor<[4],f32>, %y: !jit.tensor<[],f32>) -> (!jit.tensor<[],f32>, !jit.tensor<[4],f32>) {
  %none = jit.constant !jit.none = unit
  %a1 = aten.tanh %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %b1 = aten.tanh %y : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %s = aten.sum %a1, %none : (!jit.tensor<[4],f32>, !jit.none) -> !jit.tensor<[],f32>
  %b2 = aten.mul.Tensor %s, %b1 : (!jit.tensor<[],f32>, !jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %a2 = aten.mul.Tensor %a1, %b1 : (!jit.tensor<[4],f32>, !jit.tensor<[],f32>) -> !jit.tensor<[4],f32>
  return %b2, %a2 : !jit.tensor<[],f32>, !jit.tensor<[4],f32>
}
