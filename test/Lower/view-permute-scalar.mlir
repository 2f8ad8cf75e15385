// RUN: jit-opt %s --jit-lower | FileCheck %s

// A tensor of rank 0 has nothing to permute.
// CHECK-LABEL: func.func @permute
// CHECK-SAME: (%[[X:.*]]: tensor<f32>)
// CHECK-NOT: linalg.transpose
// CHECK: return %[[X]]
func.func @permute(%x: !jit.tensor<[],f32>) -> !jit.tensor<[],f32> {
  %dims = jit.list : () -> !jit.list<i64>
  %r = aten.permute %x, %dims : (!jit.tensor<[],f32>, !jit.list<i64>) -> !jit.tensor<[],f32>
  return %r : !jit.tensor<[],f32>
}
