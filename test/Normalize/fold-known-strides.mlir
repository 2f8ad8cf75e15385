// RUN: jit-opt %s --jit-fold-known | FileCheck %s

// Where memory lies is a matter of the call, which is not known yet.
// CHECK-LABEL: func.func @asked
func.func @asked(%x: !jit.tensor<[2,3],f32>, %y: !jit.tensor<[2,3],f32>) -> (i64, i1, i1) {
  // CHECK: aten.storage_offset
  // CHECK: aten.is_contiguous
  // CHECK: aten.is_set_to
  %offset = aten.storage_offset %x : (!jit.tensor<[2,3],f32>) -> i64
  %rows = aten.is_contiguous %x : (!jit.tensor<[2,3],f32>) -> i1
  %same = aten.is_set_to %x, %y : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>) -> i1
  return %offset, %rows, %same : i64, i1, i1
}
