// RUN: jit-opt %s --split-input-file --jit-infer-types | FileCheck %s

// What is pooled has a row for each box, and each box's bins; the places have the same sizes.
// CHECK-LABEL: func.func @pooled
// CHECK: aten.roi_align {{.*}} -> !jit.tensor<[?,12,2,3],f32>
// CHECK: aten.roi_pool {{.*}} -> (!jit.tensor<[?,12,2,3],f32>, !jit.tensor<[?,12,2,3],i32>)
// CHECK: aten.ps_roi_align {{.*}} -> (!jit.tensor<[?,2,2,3],f32>, !jit.tensor<[?,2,2,3],i32>)
// CHECK: aten.ps_roi_pool {{.*}} -> (!jit.tensor<[?,2,2,3],f32>, !jit.tensor<[?,2,2,3],i32>)
func.func @pooled(%x: !jit.tensor<[2,12,9,11],f32>, %r: !jit.tensor<[?,5],f32>) -> (!jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor) {
  %scale = arith.constant 5.0e-01 : f64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %no = arith.constant false
  %a = aten.roi_align %x, %r, %scale, %2, %3, %2, %no : (!jit.tensor<[2,12,9,11],f32>, !jit.tensor<[?,5],f32>, f64, i64, i64, i64, i1) -> !jit.tensor
  %b:2 = aten.roi_pool %x, %r, %scale, %2, %3 : (!jit.tensor<[2,12,9,11],f32>, !jit.tensor<[?,5],f32>, f64, i64, i64) -> (!jit.tensor, !jit.tensor)
  %c:2 = aten.ps_roi_align %x, %r, %scale, %2, %3, %2 : (!jit.tensor<[2,12,9,11],f32>, !jit.tensor<[?,5],f32>, f64, i64, i64, i64) -> (!jit.tensor, !jit.tensor)
  %d:2 = aten.ps_roi_pool %x, %r, %scale, %2, %3 : (!jit.tensor<[2,12,9,11],f32>, !jit.tensor<[?,5],f32>, f64, i64, i64) -> (!jit.tensor, !jit.tensor)
  return %a, %b#0, %b#1, %c#0, %c#1, %d#0, %d#1 : !jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor
}

// -----

// What flows back has the sizes of the images.
// CHECK-LABEL: func.func @back
// CHECK: aten._roi_align_backward {{.*}} -> !jit.tensor<[2,?,9,11],f32>
func.func @back(%g: !jit.tensor<[4,12,2,2],f32>, %r: !jit.tensor<[4,5],f32>, %channels: i64) -> !jit.tensor {
  %scale = arith.constant 5.0e-01 : f64
  %2 = arith.constant 2 : i64
  %9 = arith.constant 9 : i64
  %11 = arith.constant 11 : i64
  %no = arith.constant false
  %a = aten._roi_align_backward %g, %r, %scale, %2, %2, %2, %channels, %9, %11, %2, %no : (!jit.tensor<[4,12,2,2],f32>, !jit.tensor<[4,5],f32>, f64, i64, i64, i64, i64, i64, i64, i64, i1) -> !jit.tensor
  return %a : !jit.tensor
}
