// RUN: jit-opt %s --jit-explain --jit-fuse-pointwise -o /dev/null 2>&1 | FileCheck %s

// CHECK: fuse: 2 operators share one pass and give 1 results: aten.tanh, aten.exp
func.func @forward(%x: !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32> {
  %0 = aten.tanh %x : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %1 = aten.exp %0 : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  return %1 : !jit.tensor<[4,4],f32>
}
