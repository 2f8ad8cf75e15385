// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[2,3,4]" | FileCheck %s

// Sizes follow from the sizes of the argument, and questions to types become constants.
// CHECK-LABEL: func.func @forward
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor, !jit.tensor, i64, i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %m1 = arith.constant -1 : i64
  // CHECK: aten.view {{.*}} -> !jit.tensor<[2,12],f32>
  %c2 = arith.constant 2 : i64
  %sizes = jit.list %c2, %m1 : (i64, i64) -> !jit.list<i64>
  %v = aten.view %x, %sizes : (!jit.tensor, !jit.list<i64>) -> !jit.tensor
  // CHECK: aten.unsqueeze {{.*}} -> !jit.tensor<[2,3,4,1],f32>
  %u = aten.unsqueeze %x, %m1 : (!jit.tensor, i64) -> !jit.tensor
  // CHECK: aten.flatten.using_ints {{.*}} -> !jit.tensor<[2,12],f32>
  %f = aten.flatten.using_ints %x, %c1, %m1 : (!jit.tensor, i64, i64) -> !jit.tensor
  // CHECK-NOT: aten.dim
  // CHECK-NOT: aten.numel
  // CHECK-DAG: arith.constant 3 : i64
  // CHECK-DAG: arith.constant 24 : i64
  %d = aten.dim %x : (!jit.tensor) -> i64
  %n = aten.numel %x : (!jit.tensor) -> i64
  return %v, %u, %f, %d, %n : !jit.tensor, !jit.tensor, !jit.tensor, i64, i64
}

// -----

// The pieces of a tensor are slices of it.
// CHECK-LABEL: func.func @forward
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %c3 = arith.constant 3 : i64
  %c2 = arith.constant 2 : i64
  // CHECK: %[[A:.*]] = aten.slice.Tensor {{.*}} -> !jit.tensor<[2,3,2],f32>
  // CHECK: %[[B:.*]] = aten.slice.Tensor {{.*}} -> !jit.tensor<[2,3,2],f32>
  %list = aten.chunk %x, %c3, %c2 : (!jit.tensor, i64, i64) -> !jit.list<!jit.tensor>
  %a, %b = jit.list_unpack %list : (!jit.list<!jit.tensor>) -> (!jit.tensor, !jit.tensor)
  // CHECK: return %[[A]], %[[B]]
  return %a, %b : !jit.tensor, !jit.tensor
}

// -----

// Python's bounds: from the back, and clamped.
// CHECK-LABEL: func.func @forward
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %m3 = arith.constant -3 : i64
  %far = arith.constant 9223372036854775807 : i64
  %none = jit.constant !jit.none = unit
  // CHECK: aten.slice.Tensor {{.*}} -> !jit.tensor<[2,3,3],f32>
  %a = aten.slice.Tensor %x, %c2, %m3, %far, %c1 : (!jit.tensor, i64, i64, i64, i64) -> !jit.tensor
  // CHECK: aten.slice.Tensor {{.*}} -> !jit.tensor<[2,2,4],f32>
  %b = aten.slice.Tensor %x, %c1, %none, %none, %c2 : (!jit.tensor, i64, !jit.none, !jit.none, i64) -> !jit.tensor
  return %a, %b : !jit.tensor, !jit.tensor
}
