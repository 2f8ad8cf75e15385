// RUN: jit-opt %s --jit-differentiate --canonicalize --cse --split-input-file | FileCheck %s

// A slice of what has another gradient already, not one of slices, adds to it.

// CHECK-LABEL: func.func @forward
// CHECK: %[[COS:.*]] = aten.cos
// CHECK: %[[WHOLE:.*]] = aten.mul.Tensor %{{.*}}, %[[COS]]
// CHECK: %[[PART:.*]] = aten.slice.Tensor %[[WHOLE]]
// CHECK: %[[SUM:.*]] = aten.add.Tensor %[[PART]]
// CHECK: %[[BOTH:.*]] = aten.slice_scatter %[[WHOLE]], %[[SUM]]
// CHECK: return %{{.*}}, %[[BOTH]]
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}) -> !jit.tensor<[8],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %0 = aten.slice.Tensor %x, %c0, %c0, %c1, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[1],f32>
  %1 = aten.sin %x : (!jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  %2 = aten.mul.Tensor %1, %0 : (!jit.tensor<[8],f32>, !jit.tensor<[1],f32>) -> !jit.tensor<[8],f32>
  return %2 : !jit.tensor<[8],f32>
}

// -----

// Slices with steps, or from a place counted from the end, are not compared, whichever comes first.

// CHECK-LABEL: func.func @forward
// CHECK: %[[ONE:.*]] = aten.slice_scatter
// CHECK: %[[PART:.*]] = aten.slice.Tensor %[[ONE]]
// CHECK: aten.add.Tensor %[[PART]]
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}) -> !jit.tensor<[2],f32> {
  %c0 = arith.constant 0 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %0 = aten.slice.Tensor %x, %c0, %c0, %c4, %c2 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[2],f32>
  %1 = aten.slice.Tensor %x, %c0, %c4, %c8, %c2 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[2],f32>
  %2 = aten.mul.Tensor %0, %1 : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  return %2 : !jit.tensor<[2],f32>
}

// -----

// CHECK-LABEL: func.func @forward
// CHECK: %[[ONE:.*]] = aten.slice_scatter
// CHECK: %[[PART:.*]] = aten.slice.Tensor %[[ONE]]
// CHECK: aten.add.Tensor %[[PART]]
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %minus = arith.constant -8 : i64
  %0 = aten.slice.Tensor %x, %c0, %minus, %c4, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %1 = aten.slice.Tensor %x, %c0, %c4, %c8, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Tensor %0, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %2 : !jit.tensor<[4],f32>
}
