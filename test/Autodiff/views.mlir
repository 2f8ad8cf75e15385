// RUN: jit-opt %s --jit-differentiate --canonicalize --cse --split-input-file | FileCheck %s

// A view that shows the whole has the gradient of the whole: two are added.

// CHECK-LABEL: func.func @forward
//       CHECK: aten.add.Tensor
//       CHECK: %[[A:.*]] = aten.permute %{{.*}} -> !jit.tensor<[2,3],f32>
//       CHECK: %[[B:.*]] = aten.permute %{{.*}} -> !jit.tensor<[2,3],f32>
//       CHECK: %[[SUM:.*]] = aten.add.Tensor %[[A]], %[[B]]
//       CHECK: return %{{.*}}, %[[SUM]]
func.func @forward(%x: !jit.tensor<[2,3],f32> {jit.requires_grad}) -> !jit.tensor<[3,2],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %a = aten.t %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[3,2],f32>
  %b = aten.transpose.int %x, %0, %1 : (!jit.tensor<[2,3],f32>, i64, i64) -> !jit.tensor<[3,2],f32>
  %s = aten.sin %a : (!jit.tensor<[3,2],f32>) -> !jit.tensor<[3,2],f32>
  %e = aten.exp %b : (!jit.tensor<[3,2],f32>) -> !jit.tensor<[3,2],f32>
  %r = aten.add.Tensor %s, %e, %1 : (!jit.tensor<[3,2],f32>, !jit.tensor<[3,2],f32>, i64) -> !jit.tensor<[3,2],f32>
  return %r : !jit.tensor<[3,2],f32>
}

// -----

// What has no gradient by an operator has zeros; a slice of it as well, whether the whole has a gradient by now or not.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[ZEROS:.*]] = aten.zeros_like %arg1
//       CHECK: %[[COS:.*]] = aten.cos %arg0
//       CHECK: %[[X:.*]] = aten.mul.Tensor %{{.*}}, %[[COS]]
//   CHECK-NOT: aten.slice_scatter
//       CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %[[X]], %[[ZEROS]]
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}, %y: !jit.tensor<[8],f32> {jit.requires_grad}) -> (!jit.tensor<[8],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %4 = arith.constant 4 : i64
  %p = aten.slice.Tensor %x, %0, %0, %4, %1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %f = aten.floor %p : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %s = aten.sin %x : (!jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  %q = aten.slice.Tensor %y, %0, %0, %4, %1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %g = aten.floor %q : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %s, %f, %g : !jit.tensor<[8],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
}

// -----

// Halves, the second one first: nothing is added.

// CHECK-LABEL: func.func @forward
//       CHECK: aten.slice_scatter
//   CHECK-NOT: aten.add.Tensor
//       CHECK: %[[BOTH:.*]] = aten.slice_scatter
//       CHECK: return %{{.*}}, %[[BOTH]]
func.func @forward(%x: !jit.tensor<[8],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %4 = arith.constant 4 : i64
  %8 = arith.constant 8 : i64
  %p = aten.slice.Tensor %x, %0, %4, %8, %1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %q = aten.slice.Tensor %x, %0, %0, %4, %1 : (!jit.tensor<[8],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
  %r = aten.mul.Tensor %p, %q : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}
