// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// What is differentiated keeps the indices of its maxima, to which the gradient goes.

// CHECK-LABEL: func.func @forward(
//  CHECK-SAME:    %[[X:[a-z0-9]+]]: !jit.tensor<[1,2,6,6],f32>
//       CHECK: %[[VALUES:.*]], %[[INDICES:.*]] = aten.max_pool2d_with_indices %[[X]]
//       CHECK: %[[G:.*]] = aten.ones_like %[[VALUES]]
//       CHECK: %[[GX:.*]] = aten.max_pool2d_with_indices_backward %[[G]], %[[X]], {{.*}}, %[[INDICES]] :
//       CHECK: return %[[VALUES]], %[[GX]]
func.func @forward(%x: !jit.tensor<[1,2,6,6],f32> {jit.requires_grad}) -> !jit.tensor<[1,2,3,3],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %ceil = arith.constant false
  %size = jit.list %2, %2 : (i64, i64) -> !jit.list<i64>
  %zeros = jit.list %0, %0 : (i64, i64) -> !jit.list<i64>
  %ones = jit.list %1, %1 : (i64, i64) -> !jit.list<i64>
  %r = aten.max_pool2d %x, %size, %size, %zeros, %ones, %ceil : (!jit.tensor<[1,2,6,6],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1) -> !jit.tensor<[1,2,3,3],f32>
  return %r : !jit.tensor<[1,2,3,3],f32>
}
