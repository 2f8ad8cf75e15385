// RUN: not jit-opt %s --jit-unroll-loops=factor=0 2>&1 | FileCheck %s

// CHECK: expected a factor of 1 or more, got 0
func.func @forward(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  return %x : !jit.tensor<[4],f32>
}
