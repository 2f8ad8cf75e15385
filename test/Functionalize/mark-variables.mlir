// RUN: jit-opt %s --jit-mark-variables --cse | FileCheck %s

// Of two equal products the gradient is by one: it stays apart from the other. A leaf is apart already.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[LEAF:.*]] = aten._leaf %arg0
//       CHECK: %[[PRODUCT:.*]] = aten.mul.Tensor %[[LEAF]], %[[LEAF]]
//       CHECK: %[[VARIABLE:.*]] = aten._variable %[[PRODUCT]]
//       CHECK: aten.add.Tensor %[[VARIABLE]], %[[PRODUCT]]
//       CHECK: jit.list %[[VARIABLE]], %[[LEAF]]
func.func @forward(%x: !jit.tensor<[],f32>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %leaf = aten._leaf %x : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %a = aten.mul.Tensor %leaf, %leaf : (!jit.tensor<[],f32>, !jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %b = aten.mul.Tensor %leaf, %leaf : (!jit.tensor<[],f32>, !jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %e = aten.add.Tensor %a, %b, %one : (!jit.tensor<[],f32>, !jit.tensor<[],f32>, i64) -> !jit.tensor<[],f32>
  %outputs = jit.list %e : (!jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %a, %leaf : (!jit.tensor<[],f32>, !jit.tensor<[],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %none : (!jit.none) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[],f32>
  return %g : !jit.tensor<[],f32>
}
