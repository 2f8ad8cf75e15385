// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// Slices that meet: the second gradient is added where the first one is already.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[ZEROS:.*]] = aten.zeros_like
//       CHECK: %[[ONE:.*]] = aten.slice_scatter %[[ZEROS]],
//       CHECK: %[[PART:.*]] = aten.slice.Tensor %[[ONE]],
//       CHECK: %[[SUM:.*]] = aten.add.Tensor %[[PART]],
//       CHECK: %[[BOTH:.*]] = aten.slice_scatter %[[ONE]], %[[SUM]],
//       CHECK: return %{{.*}}, %[[BOTH]]
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}) -> !jit.tensor<[5],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %c5 = arith.constant 5 : i64
  %c8 = arith.constant 8 : i64
  %0 = aten.slice.Tensor %x, %c0, %c0, %c5, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[5],f32>
  %1 = aten.slice.Tensor %x, %c0, %c3, %c8, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[5],f32>
  %2 = aten.mul.Tensor %0, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>) -> !jit.tensor<[5],f32>
  return %2 : !jit.tensor<[5],f32>
}
