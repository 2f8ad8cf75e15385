// RUN: jit-opt %s --jit-expand-gradients --verify-diagnostics

// PyTorch's backward pass of attention has products of its own, which a region casts or does not.

func.func @forward(%x: !jit.tensor<[1,2,3],f32>, %weight: !jit.tensor<[1,2,3],f32>) -> !jit.tensor<[1,2,3],f32> {
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %none = jit.constant !jit.none = unit
  %p = arith.constant 0.0 : f64
  %leaf = aten._leaf %x : (!jit.tensor<[1,2,3],f32>) -> !jit.tensor<[1,2,3],f32>
  // expected-error @below {{expected, where autocast is enabled, no gradient of 'aten.scaled_dot_product_attention' in an element type that the region casts}}
  %y = aten.scaled_dot_product_attention %leaf, %leaf, %leaf, %none, %p, %false, %none, %false : (!jit.tensor<[1,2,3],f32>, !jit.tensor<[1,2,3],f32>, !jit.tensor<[1,2,3],f32>, !jit.none, f64, i1, !jit.none, i1) -> !jit.tensor<[1,2,3],f32>
  %outputs = jit.list %y : (!jit.tensor<[1,2,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %leaf : (!jit.tensor<[1,2,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[1,2,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[1,2,3],f32>
  return %g : !jit.tensor<[1,2,3],f32>
}
