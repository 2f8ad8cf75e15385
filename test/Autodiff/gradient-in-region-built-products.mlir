// RUN: jit-opt %s --split-input-file --jit-expand-gradients --verify-diagnostics

// An operator on no list whose gradient is built of products: the region would cast those that PyTorch has, and not ours.

func.func @factor(%x: !jit.tensor<[3,3],f32>, %weight: !jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32> {
  %false = arith.constant false
  %0 = arith.constant 0 : i64
  %l = aten._leaf %x : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
  // expected-error @below {{expected, where autocast is enabled, no gradient of 'aten.linalg_cholesky_ex' in an element type that the region casts}}
  %y = aten.linalg_cholesky %l, %false : (!jit.tensor<[3,3],f32>, i1) -> !jit.tensor<[3,3],f32>
  %outputs = jit.list %y : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %l : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[3,3],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %0, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[3,3],f32>
  return %g : !jit.tensor<[3,3],f32>
}
