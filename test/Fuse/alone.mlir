// RUN: jit-opt %s --jit-explain --jit-fuse-pointwise -o /dev/null 2>&1 | FileCheck %s

// CHECK: alone.mlir:6: fuse: 'aten.tanh' shares its pass with no other operator
func.func @forward(%x: !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32> {
  // The line that the remark names is the next one.
  %0 = aten.tanh %x : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  return %0 : !jit.tensor<[4,4],f32>
}
