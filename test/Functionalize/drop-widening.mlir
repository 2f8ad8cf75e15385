// RUN: jit-opt %s --jit-drop-widening | FileCheck %s

// CHECK-LABEL: func.func @wide
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2],f32>)
func.func @wide(%x: !jit.tensor<[2],f32>) -> !jit.tensor {
  // CHECK: aten.relu %[[X]] : (!jit.tensor<[2],f32>) -> !jit.tensor
  %w = jit.derefine %x : !jit.tensor<[2],f32> to !jit.tensor
  %y = aten.relu %w : (!jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}
