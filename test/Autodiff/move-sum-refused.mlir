// RUN: jit-opt %s --split-input-file --jit-move-grad-sum-to-size | FileCheck %s

// A quotient is linear in what is divided, and in nothing else.

// CHECK-LABEL: func.func @quotients
//       CHECK: aten._grad_sum_to_size
//       CHECK: aten.div.Tensor
//       CHECK: aten.div.Tensor
//       CHECK: aten._grad_sum_to_size
//       CHECK: return
func.func @quotients(%g: !jit.tensor<[4,8],f32>, %h: !jit.tensor<[4,8],f32>, %y: !jit.tensor<[8],f32>, %a: !jit.list<i64>)
    -> (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>) {
  %t = aten.neg %g : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
  %0 = aten._grad_sum_to_size %t, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %1 = aten.div.Tensor %y, %0 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  %u = aten.neg %h : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
  %2 = aten._grad_sum_to_size %u, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %3 = aten.div.Tensor %2, %y : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  return %1, %3 : !jit.tensor<[8],f32>, !jit.tensor<[8],f32>
}

// -----

// Not past what converts, not of sizes that are open, not from an argument, where no kernel computes it, and not past a second use.

// CHECK-LABEL: func.func @kept
//       CHECK: aten._grad_sum_to_size
//       CHECK: aten.mul.Tensor
//       CHECK: aten._grad_sum_to_size
//       CHECK: aten.mul.Tensor
//       CHECK: aten._grad_sum_to_size
//       CHECK: aten.mul.Tensor
//       CHECK: aten._grad_sum_to_size
//   CHECK-NOT: -> !jit.tensor<[4,8],f32>
//       CHECK: aten.mul.Tensor {{.*}} -> !jit.tensor<[8],f32>
//       CHECK: return
func.func @kept(%g: !jit.tensor<[4,8],f32>, %u: !jit.tensor<[?,8],f32>, %y: !jit.tensor<[8],f32>, %wide: !jit.tensor<[8],f64>, %a: !jit.list<i64>)
    -> (!jit.tensor<[8],f64>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>) {
  %t = aten.neg %g : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
  %0 = aten._grad_sum_to_size %t, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %1 = aten.mul.Tensor %0, %wide : (!jit.tensor<[8],f32>, !jit.tensor<[8],f64>) -> !jit.tensor<[8],f64>
  %v = aten.neg %u : (!jit.tensor<[?,8],f32>) -> !jit.tensor<[?,8],f32>
  %2 = aten._grad_sum_to_size %v, %a : (!jit.tensor<[?,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %3 = aten.mul.Tensor %2, %y : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  %4 = aten._grad_sum_to_size %g, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %5 = aten.mul.Tensor %4, %y : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  %w = aten.exp %g : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
  %6 = aten._grad_sum_to_size %w, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %7 = aten.mul.Tensor %6, %y : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  return %1, %3, %5, %6, %7 : !jit.tensor<[8],f64>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>
}

// -----

// A number is the same for all elements, and so is a column for those of its row.

// CHECK-LABEL: func.func @constant
//   CHECK-NOT: aten._grad_sum_to_size
//       CHECK: aten.mul.Scalar %{{.*}} -> !jit.tensor<[4,8],f32>
//       CHECK: aten.mul.Tensor %{{.*}} -> !jit.tensor<[4,8],f32>
//       CHECK: aten._grad_sum_to_size %{{.*}} -> !jit.tensor<[4,1],f32>
func.func @constant(%g: !jit.tensor<[4,8],f32>, %n: f64, %y: !jit.tensor<[4,1],f32>, %a: !jit.list<i64>) -> !jit.tensor<[4,1],f32> {
  %t = aten.neg %g : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
  %0 = aten._grad_sum_to_size %t, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[4,1],f32>
  %1 = aten.mul.Scalar %0, %n : (!jit.tensor<[4,1],f32>, f64) -> !jit.tensor<[4,1],f32>
  %2 = aten.mul.Tensor %1, %y : (!jit.tensor<[4,1],f32>, !jit.tensor<[4,1],f32>) -> !jit.tensor<[4,1],f32>
  return %2 : !jit.tensor<[4,1],f32>
}

// -----

// A choice is linear in what it takes from together, not in one of them.

// CHECK-LABEL: func.func @together
//       CHECK: %[[SUM:.*]] = aten._grad_sum_to_size
//       CHECK: %[[EITHER:.*]] = aten.where.self %arg3, %[[SUM]]
//       CHECK: return %[[EITHER]]
func.func @together(%g: !jit.tensor<[4,8],f32>, %y: !jit.tensor<[8],f32>, %a: !jit.list<i64>, %c: !jit.tensor<[8],i1>) -> !jit.tensor<[8],f32> {
  %t = aten.neg %g : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
  %0 = aten._grad_sum_to_size %t, %a : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %r = aten.where.self %c, %0, %y : (!jit.tensor<[8],i1>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  return %r : !jit.tensor<[8],f32>
}
