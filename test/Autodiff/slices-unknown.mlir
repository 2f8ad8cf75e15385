// RUN: jit-opt %s --jit-differentiate --canonicalize --cse --split-input-file | FileCheck %s

// Slices of which it is not seen that they lie apart: the second gradient is added where the first one is.

// Every other element, from the first one and from the second one on.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONE:.*]] = aten.slice_scatter
// CHECK: %[[PART:.*]] = aten.slice.Tensor %[[ONE]]
// CHECK: %[[SUM:.*]] = aten.add.Tensor %[[PART]]
// CHECK: %[[BOTH:.*]] = aten.slice_scatter %[[ONE]], %[[SUM]]
// CHECK: return %{{.*}}, %[[BOTH]]
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}, %n: i64, %d: i64) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %m1 = arith.constant -8 : i64
  %m4 = arith.constant -4 : i64
  %p = aten.slice.Tensor %x, %c0, %c0, %c8, %c2 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %q = aten.slice.Tensor %x, %c0, %c1, %c8, %c2 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %r = aten.mul.Tensor %p, %q : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

// -----

// From a place that counts from the end.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONE:.*]] = aten.slice_scatter
// CHECK: %[[PART:.*]] = aten.slice.Tensor %[[ONE]]
// CHECK: %[[SUM:.*]] = aten.add.Tensor %[[PART]]
// CHECK: %[[BOTH:.*]] = aten.slice_scatter %[[ONE]], %[[SUM]]
// CHECK: return %{{.*}}, %[[BOTH]]
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}, %n: i64, %d: i64) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %m1 = arith.constant -8 : i64
  %m4 = arith.constant -4 : i64
  %p = aten.slice.Tensor %x, %c0, %c4, %c8, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %q = aten.slice.Tensor %x, %c0, %m1, %m4, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %r = aten.mul.Tensor %p, %q : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

// -----

// Along a dimension that the call says.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONE:.*]] = aten.slice_scatter
// CHECK: %[[PART:.*]] = aten.slice.Tensor %[[ONE]]
// CHECK: %[[SUM:.*]] = aten.add.Tensor %[[PART]]
// CHECK: %[[BOTH:.*]] = aten.slice_scatter %[[ONE]], %[[SUM]]
// CHECK: return %{{.*}}, %[[BOTH]]
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}, %n: i64, %d: i64) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %m1 = arith.constant -8 : i64
  %m4 = arith.constant -4 : i64
  %p = aten.slice.Tensor %x, %c0, %c0, %c4, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %q = aten.slice.Tensor %x, %d, %c4, %c8, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %r = aten.mul.Tensor %p, %q : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

// -----

// To a place that the call says.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONE:.*]] = aten.slice_scatter
// CHECK: %[[PART:.*]] = aten.slice.Tensor %[[ONE]]
// CHECK: %[[SUM:.*]] = aten.add.Tensor %[[PART]]
// CHECK: %[[BOTH:.*]] = aten.slice_scatter %[[ONE]], %[[SUM]]
// CHECK: return %{{.*}}, %[[BOTH]]
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}, %n: i64, %d: i64) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %m1 = arith.constant -8 : i64
  %m4 = arith.constant -4 : i64
  %p = aten.slice.Tensor %x, %c0, %c4, %n, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %q = aten.slice.Tensor %x, %c0, %c0, %c4, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %r = aten.mul.Tensor %p, %q : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}
