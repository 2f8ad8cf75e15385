// RUN: jit-opt %s --jit-lower | FileCheck %s

// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4, d3 * 2 + d5)>

// With ceil_mode the last window reaches over the end: there is more padding, of -infinity.
// CHECK-LABEL: func.func @max(
// CHECK: %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: tensor.pad %{{.*}} low[0, 0, 0, 0] high[0, 0, 1, 1]
// CHECK: tensor.yield %[[LOWEST]]
// CHECK: linalg.generic {indexing_maps = [#[[READ]]
// CHECK: arith.maximumf
func.func @max(%x: !jit.tensor<[1,2,6,6],f32>) -> !jit.tensor<[1,2,3,3],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %ceil = arith.constant true
  %size = jit.list %3, %3 : (i64, i64) -> !jit.list<i64>
  %stride = jit.list %2, %2 : (i64, i64) -> !jit.list<i64>
  %zeros = jit.list %0, %0 : (i64, i64) -> !jit.list<i64>
  %ones = jit.list %1, %1 : (i64, i64) -> !jit.list<i64>
  %r = aten.max_pool2d %x, %size, %stride, %zeros, %ones, %ceil : (!jit.tensor<[1,2,6,6],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1) -> !jit.tensor<[1,2,3,3],f32>
  return %r : !jit.tensor<[1,2,3,3],f32>
}

// The stride is the size where it is not given; padding counts.
// CHECK-LABEL: func.func @mean(
// CHECK: tensor.pad
// CHECK: arith.addf
// CHECK-NOT: linalg.index
// CHECK: arith.divf %{{.*}}, %cst
func.func @mean(%x: !jit.tensor<[2,6],f32>) -> !jit.tensor<[2,4],f32> {
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %no = arith.constant false
  %yes = arith.constant true
  %size = jit.list %2 : (i64) -> !jit.list<i64>
  %none = jit.list : () -> !jit.list<i64>
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  %r = aten.avg_pool1d %x, %size, %none, %ones, %no, %yes : (!jit.tensor<[2,6],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1, i1) -> !jit.tensor<[2,4],f32>
  return %r : !jit.tensor<[2,4],f32>
}

// CHECK-LABEL: func.func @adaptive(
// CHECK: arith.divui
// CHECK: tensor.extract
// CHECK: arith.divf
func.func @adaptive(%x: !jit.tensor<[1,2,7],f32>) -> !jit.tensor<[1,2,3],f32> {
  %3 = arith.constant 3 : i64
  %size = jit.list %3 : (i64) -> !jit.list<i64>
  %r = aten.adaptive_avg_pool1d %x, %size : (!jit.tensor<[1,2,7],f32>, !jit.list<i64>) -> !jit.tensor<[1,2,3],f32>
  return %r : !jit.tensor<[1,2,3],f32>
}

// CHECK-LABEL: func.func @same(
// CHECK-NEXT: return %arg0
func.func @same(%x: !jit.tensor<[1,2,6,6],f32>) -> !jit.tensor<[1,2,6,6],f32> {
  %6 = arith.constant 6 : i64
  %size = jit.list %6, %6 : (i64, i64) -> !jit.list<i64>
  %r = aten.adaptive_avg_pool2d %x, %size : (!jit.tensor<[1,2,6,6],f32>, !jit.list<i64>) -> !jit.tensor<[1,2,6,6],f32>
  return %r : !jit.tensor<[1,2,6,6],f32>
}
