// RUN: jit-opt %s --jit-expand-gradients 2>&1 | FileCheck %s --implicit-check-not=error

// Where a rule knows too little, a result is taken to require a gradient where an operand does, and nothing is said.

// CHECK-LABEL: func.func @forward
// CHECK: return %{{true.*}}, %{{false.*}}
func.func @forward(%x: !jit.tensor<[3],f32>, %y: !jit.tensor<[3],f32> {jit.requires_grad}, %d: i64) -> (i1, i1) {
  %none = jit.constant !jit.none = unit
  %p = aten.cumprod %y, %d, %none : (!jit.tensor<[3],f32>, i64, !jit.none) -> !jit.tensor<[3],f32>
  %q = aten.cumprod %x, %d, %none : (!jit.tensor<[3],f32>, i64, !jit.none) -> !jit.tensor<[3],f32>
  %0 = aten.requires_grad %p : (!jit.tensor<[3],f32>) -> i1
  %1 = aten.requires_grad %q : (!jit.tensor<[3],f32>) -> i1
  return %0, %1 : i1, i1
}
