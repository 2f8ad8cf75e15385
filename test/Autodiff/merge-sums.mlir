// RUN: jit-opt %s --jit-merge-grad-sum-to-size | FileCheck %s

// Two biases that are added to one value get one sum.
// CHECK-LABEL: func.func @two_biases
//       CHECK: %[[SUM:.*]] = aten._grad_sum_to_size
//   CHECK-NOT: aten._grad_sum_to_size
//       CHECK: return %[[SUM]], %[[SUM]]
func.func @two_biases(%g: !jit.tensor<[4,8],f32>) -> (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>) {
  %c8 = arith.constant 8 : i64
  %a = jit.list %c8 : (i64) -> !jit.list<i64>
  %b = jit.list %c8 : (i64) -> !jit.list<i64>
  %0 = aten._grad_sum_to_size %g, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %1 = aten._grad_sum_to_size %g, %b : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  return %0, %1 : !jit.tensor<[8],f32>, !jit.tensor<[8],f32>
}

// An operand that is used twice gets one sum of the sum.
// CHECK-LABEL: func.func @used_twice
//  CHECK-SAME: (%[[G:[a-z0-9]+]]: !jit.tensor<[4,8],f32>, %[[H:[a-z0-9]+]]:
//       CHECK: %[[BOTH:.*]] = aten.add.Tensor %[[G]], %[[H]]
//       CHECK: %[[SUM:.*]] = aten._grad_sum_to_size %[[BOTH]]
//       CHECK: return %[[SUM]]
func.func @used_twice(%g: !jit.tensor<[4,8],f32>, %h: !jit.tensor<[4,8],f32>) -> !jit.tensor<[8],f32> {
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %a = jit.list %c8 : (i64) -> !jit.list<i64>
  %0 = aten._grad_sum_to_size %g, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %1 = aten._grad_sum_to_size %h, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %2 = aten.add.Tensor %0, %1, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, i64) -> !jit.tensor<[8],f32>
  return %2 : !jit.tensor<[8],f32>
}

// Sums over different dimensions stay two.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-2: aten._grad_sum_to_size
func.func @different(%g: !jit.tensor<[4,8],f32>, %h: !jit.tensor<[2,8],f32>) -> !jit.tensor<[8],f32> {
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %a = jit.list %c8 : (i64) -> !jit.list<i64>
  %0 = aten._grad_sum_to_size %g, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %1 = aten._grad_sum_to_size %h, %a : (!jit.tensor<[2,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %2 = aten.add.Tensor %0, %1, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, i64) -> !jit.tensor<[8],f32>
  return %2 : !jit.tensor<[8],f32>
}
