// RUN: jit-opt %s --jit-differentiate --canonicalize --cse --split-input-file | FileCheck %s

// Slices that may meet: the second gradient is added where the first one is, not put in its place.

// Along another dimension.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONE:.*]] = aten.slice_scatter
// CHECK: %[[PART:.*]] = aten.slice.Tensor %[[ONE]]
// CHECK: %[[SUM:.*]] = aten.add.Tensor %[[PART]]
// CHECK: %[[BOTH:.*]] = aten.slice_scatter %[[ONE]], %[[SUM]]
// CHECK: return %{{.*}}, %[[BOTH]]
func.func @forward(%x: !jit.tensor<[4,4],f32> {jit.requires_grad}) -> !jit.tensor<[4,4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %0 = aten.slice.Tensor %x, %c0, %c0, %c2, %c1 : (!jit.tensor<[4,4],f32>, i64, i64, i64, i64) -> !jit.tensor<[2,4],f32>
  %1 = aten.slice.Tensor %x, %c1, %c2, %c4, %c1 : (!jit.tensor<[4,4],f32>, i64, i64, i64, i64) -> !jit.tensor<[4,2],f32>
  %2 = aten.matmul %1, %0 : (!jit.tensor<[4,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[4,4],f32>
  return %2 : !jit.tensor<[4,4],f32>
}

// -----

// From a place on that the call tells.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONE:.*]] = aten.slice_scatter
// CHECK: %[[PART:.*]] = aten.slice.Tensor %[[ONE]]
// CHECK: %[[SUM:.*]] = aten.add.Tensor %[[PART]]
// CHECK: %[[BOTH:.*]] = aten.slice_scatter %[[ONE]], %[[SUM]]
// CHECK: return %{{.*}}, %[[BOTH]]
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}, %n: i64) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %end = arith.addi %n, %c4 : i64
  %0 = aten.slice.Tensor %x, %c0, %c0, %c4, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %1 = aten.slice.Tensor %x, %c0, %n, %end, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Tensor %0, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %2 : !jit.tensor<[4],f32>
}

// -----

// A row of what a slice shows.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONE:.*]] = aten.slice_scatter
// CHECK: %[[PART:.*]] = aten.select.int %[[ONE]]
// CHECK: %[[SUM:.*]] = aten.add.Tensor %[[PART]]
// CHECK: %[[BOTH:.*]] = aten.select_scatter %[[ONE]], %[[SUM]]
// CHECK: return %{{.*}}, %[[BOTH]]
func.func @forward(%x: !jit.tensor<[4,4],f32> {jit.requires_grad}) -> !jit.tensor<[2,4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %1 = aten.select.int %x, %c0, %c1 : (!jit.tensor<[4,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
  %0 = aten.slice.Tensor %x, %c0, %c0, %c2, %c1 : (!jit.tensor<[4,4],f32>, i64, i64, i64, i64) -> !jit.tensor<[2,4],f32>
  %2 = aten.mul.Tensor %0, %1 : (!jit.tensor<[2,4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[2,4],f32>
  return %2 : !jit.tensor<[2,4],f32>
}
