// RUN: jit-opt %s --jit-eliminate-grad-sum-to-size | FileCheck %s

// Of two sums in a row the outer size alone counts; a sum to None is the gradient itself.

// CHECK-LABEL: func.func @twice
//  CHECK-SAME: (%[[G:[a-z0-9]+]]:
//       CHECK: %[[SUM:.*]] = aten._grad_sum_to_size %[[G]],
//   CHECK-NOT: aten._grad_sum_to_size
//       CHECK: return %[[SUM]]
func.func @twice(%g: !jit.tensor<[2,4,8],f32>, %a: !jit.list<i64>, %b: !jit.list<i64>) -> !jit.tensor<[8],f32> {
  %0 = aten._grad_sum_to_size %g, %a : (!jit.tensor<[2,4,8],f32>, !jit.list<i64>) -> !jit.tensor<[4,8],f32>
  %1 = aten._grad_sum_to_size %0, %b : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  return %1 : !jit.tensor<[8],f32>
}

// CHECK-LABEL: func.func @none
//  CHECK-SAME: (%[[G:[a-z0-9]+]]:
//       CHECK: return %[[G]]
func.func @none(%g: !jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32> {
  %none = jit.constant !jit.none = unit
  %0 = aten._grad_sum_to_size %g, %none : (!jit.tensor<[?,?],f32>, !jit.none) -> !jit.tensor<[?,?],f32>
  return %0 : !jit.tensor<[?,?],f32>
}
