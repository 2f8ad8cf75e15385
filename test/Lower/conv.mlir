// RUN: jit-opt %s --jit-lower | FileCheck %s

// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2 * 2 + d4)>
// CHECK-DAG: #[[WEIGHT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4)>
// CHECK-DAG: #[[FLIPPED:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, -d3 + 2)>
// CHECK-DAG: #[[COLUMNS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4, d3 + d5)>

// Padding is a tensor.pad, the bias where the sums start, the stride in the indexing map.
// CHECK-LABEL: func.func @conv1d(
// CHECK: %[[PADDED:.*]] = tensor.pad %{{.*}} low[0, 0, 1] high[0, 0, 1]
// CHECK: %[[START:.*]] = linalg.generic
// CHECK: linalg.generic {indexing_maps = [#[[READ]], #[[WEIGHT]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%[[PADDED]], %{{.*}} outs(%[[START]] : tensor<1x4x4xf32>)
func.func @conv1d(%x: !jit.tensor<[1,2,8],f32>, %w: !jit.tensor<[4,2,3],f32>, %b: !jit.tensor<[4],f32>) -> !jit.tensor<[1,4,4],f32> {
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %stride = jit.list %2 : (i64) -> !jit.list<i64>
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  %r = aten.conv1d %x, %w, %b, %stride, %ones, %ones, %1 : (!jit.tensor<[1,2,8],f32>, !jit.tensor<[4,2,3],f32>, !jit.tensor<[4],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i64) -> !jit.tensor<[1,4,4],f32>
  return %r : !jit.tensor<[1,4,4],f32>
}

// Groups are a loop of their own; "same" pads more at the end where it must.
// CHECK-LABEL: func.func @depthwise(
// CHECK: tensor.insert_slice %{{.*}} : tensor<1x4x8xf32> into tensor<1x4x9xf32>
// CHECK: tensor.expand_shape %{{.*}} : tensor<1x4x9xf32> into tensor<1x4x1x9xf32>
// CHECK: linalg.generic {{.*}}outs(%{{.*}} : tensor<1x4x1x8xf32>)
// CHECK: tensor.collapse_shape %{{.*}} : tensor<1x4x1x8xf32> into tensor<1x4x8xf32>
func.func @depthwise(%x: !jit.tensor<[1,4,8],f32>, %w: !jit.tensor<[4,1,2],f32>) -> !jit.tensor<[1,4,8],f32> {
  %1 = arith.constant 1 : i64
  %4 = arith.constant 4 : i64
  %none = jit.constant !jit.none = unit
  %same = jit.constant !jit.str = "same"
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  %r = aten.conv1d.padding %x, %w, %none, %ones, %same, %ones, %4 : (!jit.tensor<[1,4,8],f32>, !jit.tensor<[4,1,2],f32>, !jit.none, !jit.list<i64>, !jit.str, !jit.list<i64>, i64) -> !jit.tensor<[1,4,8],f32>
  return %r : !jit.tensor<[1,4,8],f32>
}

// A transposed convolution is one with the taps backwards over an input spread with zeros.
// CHECK-LABEL: func.func @transposed(
// CHECK: linalg.generic {indexing_maps = [#[[FLIPPED]]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0] [1, 2, 4] [1, 1, 2]
// CHECK: tensor.pad %{{.*}} low[0, 0, 2] high[0, 0, 2]
func.func @transposed(%x: !jit.tensor<[1,2,4],f32>, %w: !jit.tensor<[2,3,3],f32>) -> !jit.tensor<[1,3,9],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %twos = jit.list %2 : (i64) -> !jit.list<i64>
  %zeros = jit.list %0 : (i64) -> !jit.list<i64>
  %ones = jit.list %1 : (i64) -> !jit.list<i64>
  %r = aten.conv_transpose1d %x, %w, %none, %twos, %zeros, %zeros, %1, %ones : (!jit.tensor<[1,2,4],f32>, !jit.tensor<[2,3,3],f32>, !jit.none, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i64, !jit.list<i64>) -> !jit.tensor<[1,3,9],f32>
  return %r : !jit.tensor<[1,3,9],f32>
}

// CHECK-LABEL: func.func @im2col(
// CHECK: linalg.generic {indexing_maps = [#[[COLUMNS]]
// CHECK: tensor.collapse_shape %{{.*}} : tensor<1x3x3x3x8x8xf32> into tensor<1x27x64xf32>
func.func @im2col(%x: !jit.tensor<[1,3,8,8],f32>) -> !jit.tensor<[1,27,64],f32> {
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %size = jit.list %3, %3 : (i64, i64) -> !jit.list<i64>
  %ones = jit.list %1, %1 : (i64, i64) -> !jit.list<i64>
  %r = aten.im2col %x, %size, %ones, %ones, %ones : (!jit.tensor<[1,3,8,8],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>) -> !jit.tensor<[1,27,64],f32>
  return %r : !jit.tensor<[1,27,64],f32>
}
