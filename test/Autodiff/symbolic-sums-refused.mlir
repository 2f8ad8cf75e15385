// RUN: jit-opt %s --split-input-file --jit-eliminate-grad-sum-to-size --canonicalize | FileCheck %s

// Sizes that are open may meet a 1 where nothing says that they do not: in a function of open sizes without names, or a backward
// function, whose arguments are residuals and gradients.

// CHECK-LABEL: func.func @unnamed
// CHECK-COUNT-2: aten._grad_sum_to_size
//       CHECK: return
func.func @unnamed(%g: !jit.tensor<[?,4],f32>, %size: !jit.list<i64>) -> (!jit.tensor<[?,4],f32>, !jit.tensor<[?,4],f32>) {
  %0 = aten._grad_sum_to_size %g, %size : (!jit.tensor<[?,4],f32>, !jit.list<i64>) -> !jit.tensor<[?,4],f32>
  %1 = aten.exp %0 : (!jit.tensor<[?,4],f32>) -> !jit.tensor<[?,4],f32>
  %2 = aten._grad_sum_to_size %1, %size : (!jit.tensor<[?,4],f32>, !jit.list<i64>) -> !jit.tensor<[?,4],f32>
  return %1, %2 : !jit.tensor<[?,4],f32>, !jit.tensor<[?,4],f32>
}

// -----

// CHECK-LABEL: func.func @backward
//       CHECK: aten._grad_sum_to_size
//       CHECK: return
func.func @backward(%g: !jit.tensor<[?,4],f32> {jit.grad_of = 0 : i64}, %r: !jit.tensor<[4],f32> {jit.residual = 0 : i64}, %n: i64 {jit.residual = 1 : i64})
    -> !jit.tensor<[?,4],f32> {
  %c4 = arith.constant 4 : i64
  %size = jit.list %n, %c4 : (i64, i64) -> !jit.list<i64>
  %0 = aten._grad_sum_to_size %g, %size : (!jit.tensor<[?,4],f32>, !jit.list<i64>) -> !jit.tensor<[?,4],f32>
  return %0 : !jit.tensor<[?,4],f32>
}

// -----

// With names they are equal where they meet, and to known ones, but for a 1 and for another rank.

// CHECK-LABEL: func.func @named
//  CHECK-SAME: (%[[G:[a-z0-9]+]]: !jit.tensor<[?,4],f32>
//   CHECK-NOT: aten._grad_sum_to_size
//       CHECK: %[[ONE:.*]] = aten._grad_sum_to_size %[[G]], %{{.*}} -> !jit.tensor<[1,4],f32>
//       CHECK: %[[ROW:.*]] = aten._grad_sum_to_size %[[G]], %{{.*}} -> !jit.tensor<[?],f32>
//       CHECK: %[[OTHER:.*]] = aten._grad_sum_to_size %[[G]], %{{.*}} -> !jit.tensor<*,f32>
//   CHECK-NOT: aten._grad_sum_to_size
//       CHECK: return
func.func @named(%g: !jit.tensor<[?,4],f32>, %size: !jit.list<i64>)
    -> (!jit.tensor<[?,4],f32>, !jit.tensor<[?,?],f32>, !jit.tensor<[1,4],f32>, !jit.tensor<[?],f32>, !jit.tensor<*,f32>) attributes {jit.symbolic} {
  %0 = aten._grad_sum_to_size %g, %size : (!jit.tensor<[?,4],f32>, !jit.list<i64>) -> !jit.tensor<[?,4],f32>
  %1 = aten._grad_sum_to_size %g, %size : (!jit.tensor<[?,4],f32>, !jit.list<i64>) -> !jit.tensor<[?,?],f32>
  %2 = aten._grad_sum_to_size %g, %size : (!jit.tensor<[?,4],f32>, !jit.list<i64>) -> !jit.tensor<[1,4],f32>
  %3 = aten._grad_sum_to_size %g, %size : (!jit.tensor<[?,4],f32>, !jit.list<i64>) -> !jit.tensor<[?],f32>
  %4 = aten._grad_sum_to_size %g, %size : (!jit.tensor<[?,4],f32>, !jit.list<i64>) -> !jit.tensor<*,f32>
  return %0, %1, %2, %3, %4 : !jit.tensor<[?,4],f32>, !jit.tensor<[?,?],f32>, !jit.tensor<[1,4],f32>, !jit.tensor<[?],f32>, !jit.tensor<*,f32>
}
