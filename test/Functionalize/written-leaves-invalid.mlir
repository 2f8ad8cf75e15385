// RUN: jit-opt %s --jit-functionalize-tensors --verify-diagnostics

// If the product requires a gradient it is no leaf, and the write is part of its history.
func.func @product(%x: !jit.tensor<[2],f32> {jit.arg = array<i64: 0>, jit.requires_grad}, %y: !jit.tensor<[2],f32> {jit.arg = array<i64: 1>}) -> !jit.tensor<[2],f32> {
  %product = aten.mul.Tensor %x, %y : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  // expected-error@+1 {{expected to know whether a tensor that is written in place is a leaf}}
  %leaf = aten._leaf %product : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  %0 = jit.overwrite %leaf, %y : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  return %leaf : !jit.tensor<[2],f32>
}
