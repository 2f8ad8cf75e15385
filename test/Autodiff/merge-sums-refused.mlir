// RUN: jit-opt %s --split-input-file --jit-merge-grad-sum-to-size | FileCheck %s --implicit-check-not="(!jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>, i64)"

// Of one gradient, to sizes of their own, or to sizes that only the call knows; those that are one value are equal all the same.

// CHECK-LABEL: func.func @sizes
// CHECK-COUNT-5: aten._grad_sum_to_size
//   CHECK-NOT: aten._grad_sum_to_size
//       CHECK: return
func.func @sizes(%g: !jit.tensor<[4,8],f32>, %n: i64, %m: i64)
    -> (!jit.tensor<[8],f32>, !jit.tensor<[1,8],f32>, !jit.tensor<[?],f32>, !jit.tensor<[?],f32>, !jit.tensor<[?],f32>, !jit.tensor<[8],f32>) {
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %row = jit.list %c8 : (i64) -> !jit.list<i64>
  %matrix = jit.list %c1, %c8 : (i64, i64) -> !jit.list<i64>
  %first = jit.list %n : (i64) -> !jit.list<i64>
  %second = jit.list %m : (i64) -> !jit.list<i64>
  %0 = aten._grad_sum_to_size %g, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %1 = aten._grad_sum_to_size %g, %matrix : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[1,8],f32>
  %2 = aten._grad_sum_to_size %g, %first : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[?],f32>
  %3 = aten._grad_sum_to_size %g, %second : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[?],f32>
  %4 = aten._grad_sum_to_size %g, %first : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[?],f32>
  %5 = aten._grad_sum_to_size %g, %first : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  return %0, %1, %2, %3, %4, %5 : !jit.tensor<[8],f32>, !jit.tensor<[1,8],f32>, !jit.tensor<[?],f32>, !jit.tensor<[?],f32>, !jit.tensor<[?],f32>, !jit.tensor<[8],f32>
}

// -----

// Neither way of a branch has what the other one computes.

// CHECK-LABEL: func.func @ways
// CHECK-COUNT-2: aten._grad_sum_to_size
//       CHECK: return
func.func @ways(%g: !jit.tensor<[4,8],f32>, %is: i1) -> !jit.tensor<[8],f32> {
  %c8 = arith.constant 8 : i64
  %row = jit.list %c8 : (i64) -> !jit.list<i64>
  %r = scf.if %is -> !jit.tensor<[8],f32> {
    %0 = aten._grad_sum_to_size %g, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
    scf.yield %0 : !jit.tensor<[8],f32>
  } else {
    %1 = aten._grad_sum_to_size %g, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
    %2 = aten.neg %1 : (!jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
    scf.yield %2 : !jit.tensor<[8],f32>
  }
  return %r : !jit.tensor<[8],f32>
}

// -----

// A sum that is a result as well is there in any case, and one that is added to itself is one.

// CHECK-LABEL: func.func @used
//       CHECK: aten._grad_sum_to_size %{{.*}}
//       CHECK: aten._grad_sum_to_size %{{.*}}
//       CHECK: aten.add.Tensor %{{.*}} -> !jit.tensor<[8],f32>
//       CHECK: aten.add.Tensor %{{.*}} -> !jit.tensor<[8],f32>
//       CHECK: aten._grad_sum_to_size %{{.*}}
//       CHECK: aten.add.Tensor %[[A:.*]], %[[A]], %{{.*}} -> !jit.tensor<[8],f32>
//       CHECK: return
func.func @used(%g: !jit.tensor<[4,8],f32>, %h: !jit.tensor<[4,8],f32>, %k: !jit.tensor<[4,8],f32>)
    -> (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>) {
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %row = jit.list %c8 : (i64) -> !jit.list<i64>
  %0 = aten._grad_sum_to_size %g, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %1 = aten._grad_sum_to_size %h, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %2 = aten.add.Tensor %0, %1, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, i64) -> !jit.tensor<[8],f32>
  %3 = aten.add.Tensor %2, %0, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, i64) -> !jit.tensor<[8],f32>
  %4 = aten._grad_sum_to_size %k, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %5 = aten.add.Tensor %4, %4, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, i64) -> !jit.tensor<[8],f32>
  return %0, %1, %3, %5 : !jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>
}

// -----

// To two sizes, to sizes that are not known, of gradients whose sizes are not: what is added may be broadcast.

// CHECK-LABEL: func.func @added
// CHECK-COUNT-8: aten._grad_sum_to_size
//       CHECK: return
func.func @added(%g: !jit.tensor<[4,8],f32>, %h: !jit.tensor<[4,8],f32>, %u: !jit.tensor<[?,8],f32>, %v: !jit.tensor<[?,8],f32>, %k: !jit.tensor<[4,8],f32>, %n: i64)
    -> (!jit.tensor<[1,8],f32>, !jit.tensor<[?],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>) {
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %row = jit.list %c8 : (i64) -> !jit.list<i64>
  %matrix = jit.list %c1, %c8 : (i64, i64) -> !jit.list<i64>
  %unknown = jit.list %n : (i64) -> !jit.list<i64>
  %0 = aten._grad_sum_to_size %g, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %1 = aten._grad_sum_to_size %h, %matrix : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[1,8],f32>
  %2 = aten.add.Tensor %0, %1, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[1,8],f32>, i64) -> !jit.tensor<[1,8],f32>
  %3 = aten._grad_sum_to_size %g, %unknown : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[?],f32>
  %4 = aten._grad_sum_to_size %h, %unknown : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[?],f32>
  %5 = aten.add.Tensor %3, %4, %c1 : (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>, i64) -> !jit.tensor<[?],f32>
  %6 = aten._grad_sum_to_size %u, %row : (!jit.tensor<[?,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %7 = aten._grad_sum_to_size %v, %row : (!jit.tensor<[?,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %8 = aten.add.Tensor %6, %7, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, i64) -> !jit.tensor<[8],f32>
  %9 = aten._grad_sum_to_size %k, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %10 = aten.exp %9 : (!jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  %11 = aten._grad_sum_to_size %h, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %12 = aten.add.Tensor %11, %10, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, i64) -> !jit.tensor<[8],f32>
  return %2, %5, %8, %12 : !jit.tensor<[1,8],f32>, !jit.tensor<[?],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>
}

// -----

// A sum that something else takes, too, stays, whichever it is; so does one that is added to itself.

// CHECK-LABEL: func.func @used
// CHECK-COUNT-4: aten._grad_sum_to_size
//   CHECK-NOT: aten.add.Tensor {{.*}} -> !jit.tensor<[4,8],f32>
//       CHECK: return
func.func @used(%g: !jit.tensor<[4,8],f32>, %h: !jit.tensor<[4,8],f32>, %k: !jit.tensor<[4,8],f32>, %l: !jit.tensor<[4,8],f32>)
    -> (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>) {
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %row = jit.list %c8 : (i64) -> !jit.list<i64>
  %0 = aten._grad_sum_to_size %g, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %1 = aten._grad_sum_to_size %h, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %2 = aten._grad_sum_to_size %k, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %3 = aten._grad_sum_to_size %l, %row : (!jit.tensor<[4,8],f32>, !jit.list<i64>) -> !jit.tensor<[8],f32>
  %4 = aten.add.Tensor %0, %1, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, i64) -> !jit.tensor<[8],f32>
  %5 = aten.add.Tensor %2, %0, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, i64) -> !jit.tensor<[8],f32>
  %6 = aten.add.Tensor %3, %3, %c1 : (!jit.tensor<[8],f32>, !jit.tensor<[8],f32>, i64) -> !jit.tensor<[8],f32>
  return %0, %4, %5, %6, %0 : !jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>, !jit.tensor<[8],f32>
}
