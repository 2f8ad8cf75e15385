// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// The gradients of two slices of one tensor fill one buffer; where they do not meet there is nothing to add.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[ZEROS:.*]] = aten.zeros_like
//       CHECK: %[[ONE:.*]] = aten.slice_scatter %[[ZEROS]],
//   CHECK-NOT: aten.add
//       CHECK: %[[BOTH:.*]] = aten.slice_scatter %[[ONE]],
//       CHECK: return %{{.*}}, %[[BOTH]]
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %0 = aten.slice.Tensor %x, %c0, %c0, %c4, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %1 = aten.slice.Tensor %x, %c0, %c4, %c8, %c1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Tensor %0, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %2 : !jit.tensor<[4],f32>
}
