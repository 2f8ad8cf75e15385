// RUN: jit-opt %s --jit-expand-gradients | FileCheck %s

// State that the module does not have is no parameter.

// CHECK-LABEL: func.func @forward
// CHECK: return %{{false.*}}
func.func @forward(%w: !jit.tensor<[4],f32> {jit.slot = "missing"}) -> i1 {
  %0 = aten.requires_grad %w : (!jit.tensor<[4],f32>) -> i1
  return %0 : i1
}
