// RUN: jit-opt %s --jit-expand-gradients | FileCheck %s

// The derivative of a sine is a cosine. The program itself keeps nothing of leaves; without create_graph
// the result is detached, so that the cosine has no gradient of its own.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[COS:.*]] = aten.cos %arg0
//       CHECK: %[[GRADIENT:.*]] = aten.mul.Tensor
//       CHECK: %[[CUT:.*]] = aten.detach
//   CHECK-NOT: aten._
//       CHECK: return %[[CUT]]
func.func @forward(%x: !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32> {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %leaf = aten._leaf %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %s = aten.sin %leaf : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %e = aten.sum %s, %none : (!jit.tensor<[3],f32>, !jit.none) -> !jit.tensor<[],f32>
  %outputs = jit.list %e : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %leaf : (!jit.tensor<[3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3],f32>
  return %g : !jit.tensor<[3],f32>
}
