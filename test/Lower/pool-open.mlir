// RUN: jit-opt %s --split-input-file --jit-lower | FileCheck %s

// Of images, as many as the call tells: windows go along known sizes.
// CHECK-LABEL: func.func @max(
// CHECK-SAME: %[[X:.*]]: tensor<?x2x6x6xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x2x6x6xf32>
// CHECK: tensor.empty(%[[N]]) : tensor<?x2x3x3xf32>
// CHECK: tensor.pad %[[X]] low[0, 0, 0, 0] high[0, 0, 1, 1]
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x2x3x3xf32>)
func.func @max(%x: !jit.tensor<[?,2,6,6],f32>) -> !jit.tensor<[?,2,3,3],f32> attributes {jit.symbolic} {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %ceil = arith.constant true
  %size = jit.list %3, %3 : (i64, i64) -> !jit.list<i64>
  %stride = jit.list %2, %2 : (i64, i64) -> !jit.list<i64>
  %zeros = jit.list %0, %0 : (i64, i64) -> !jit.list<i64>
  %ones = jit.list %1, %1 : (i64, i64) -> !jit.list<i64>
  %r = aten.max_pool2d %x, %size, %stride, %zeros, %ones, %ceil : (!jit.tensor<[?,2,6,6],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1) -> !jit.tensor<[?,2,3,3],f32>
  return %r : !jit.tensor<[?,2,3,3],f32>
}

// -----

// CHECK-LABEL: func.func @adaptive(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x2x3xf32>)
// CHECK: arith.divf
func.func @adaptive(%x: !jit.tensor<[?,2,7],f32>) -> !jit.tensor<[?,2,3],f32> attributes {jit.symbolic} {
  %3 = arith.constant 3 : i64
  %size = jit.list %3 : (i64) -> !jit.list<i64>
  %r = aten.adaptive_avg_pool1d %x, %size : (!jit.tensor<[?,2,7],f32>, !jit.list<i64>) -> !jit.tensor<[?,2,3],f32>
  return %r : !jit.tensor<[?,2,3],f32>
}
