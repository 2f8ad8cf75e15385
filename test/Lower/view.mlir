// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
func.func @views(%x: !jit.tensor<[2,3,4],f32>) -> (!jit.tensor<[6,4],f32>, !jit.tensor<[4,3,2],f32>, !jit.tensor<[2,1,3,4],f32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  // CHECK-DAG: tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %f = aten.flatten.using_ints %x, %c0, %c1 : (!jit.tensor<[2,3,4],f32>, i64, i64) -> !jit.tensor<[6,4],f32>
  // CHECK-DAG: linalg.transpose ins(%[[X]] {{.*}} permutation = [2, 1, 0]
  %t = aten.transpose.int %x, %c0, %c2 : (!jit.tensor<[2,3,4],f32>, i64, i64) -> !jit.tensor<[4,3,2],f32>
  // CHECK-DAG: tensor.expand_shape %[[X]] {{\[}}[0], [1, 2], [3]]
  %u = aten.unsqueeze %x, %c1 : (!jit.tensor<[2,3,4],f32>, i64) -> !jit.tensor<[2,1,3,4],f32>
  return %f, %t, %u : !jit.tensor<[6,4],f32>, !jit.tensor<[4,3,2],f32>, !jit.tensor<[2,1,3,4],f32>
}

// A part is read, and written, in its place.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[X:.*]]: tensor<2x8xf32>
func.func @parts(%x: !jit.tensor<[2,8],f32>) -> !jit.tensor<[2,8],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %m4 = arith.constant -4 : i64
  %none = jit.constant !jit.none = unit
  // CHECK: %[[P:.*]] = tensor.extract_slice %[[X]][0, 4] [2, 2] [1, 2]
  %p = aten.slice.Tensor %x, %c1, %m4, %none, %c2 : (!jit.tensor<[2,8],f32>, i64, i64, !jit.none, i64) -> !jit.tensor<[2,2],f32>
  // CHECK: %[[Y:.*]] = tensor.insert_slice %[[P]] into %[[X]][0, 0] [2, 2] [1, 1]
  %y = aten.slice_scatter %x, %p, %c1, %c0, %c2, %c1 : (!jit.tensor<[2,8],f32>, !jit.tensor<[2,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[2,8],f32>
  // CHECK: return %[[Y]]
  return %y : !jit.tensor<[2,8],f32>
}
