// RUN: jit-opt %s --jit-differentiate --canonicalize --cse --split-input-file | FileCheck %s

// Loops that fill a matrix row by row, backwards.

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
// Each trip fills a row of its own: the gradient of all rows is read, row by row, and not carried.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONES:.*]] = aten.ones_like
// CHECK: %[[ZEROS:.*]] = aten.zeros_like %arg0
// CHECK: scf.for %[[K:.*]] = {{.*}} iter_args(%[[SUM:.*]] = %[[ZEROS]]) -> (!jit.tensor<[2],f32>)
// CHECK: %[[TRIP:.*]] = arith.subi %c1_i64, %[[K]]
// CHECK: %[[ROW:.*]] = aten.select.int %[[ONES]], %c0_i64, %[[TRIP]]
// CHECK: %[[COS:.*]] = aten.cos %arg0
// CHECK: %[[PART:.*]] = aten.mul.Tensor %[[ROW]], %[[COS]]
// CHECK: %[[NEXT:.*]] = aten.add.Tensor %[[SUM]], %[[PART]]
// CHECK: scf.yield %[[NEXT]] :
func.func @forward(%x: !r {jit.requires_grad}) -> !m {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %z = aten.zeros %sizes, %none, %none, %none, %none : (!jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none) -> !m
  %r = scf.for %i = %zero to %two step %one iter_args(%b = %z) -> !m : i64 {
    %row = aten.sin %x : (!r) -> !r
    %n = aten.select_scatter %b, %row, %zero, %i : (!m, !r, i64, i64) -> !m
    scf.yield %n : !m
  }
  return %r : !m
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
// Each trip fills the same row: what an earlier one put there has no gradient.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONES:.*]] = aten.ones_like
// CHECK: %[[ZEROS:.*]] = aten.zeros_like %arg0
// CHECK: scf.for {{.*}} iter_args(%[[OF:.*]] = %[[ONES]], %[[SUM:.*]] = %[[ZEROS]])
// CHECK: %[[PART:.*]] = aten.select.int %[[OF]], %c0_i64, %c0_i64
// CHECK: %[[ZERO:.*]] = aten.zeros_like %[[PART]]
// CHECK: %[[LEFT:.*]] = aten.select_scatter %[[OF]], %[[ZERO]], %c0_i64, %c0_i64
// CHECK: scf.yield %[[LEFT]], %{{.*}} :
func.func @forward(%x: !r {jit.requires_grad}) -> !m {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %z = aten.zeros %sizes, %none, %none, %none, %none : (!jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none) -> !m
  %r = scf.for %i = %zero to %two step %one iter_args(%b = %z) -> !m : i64 {
    %row = aten.sin %x : (!r) -> !r
    %n = aten.select_scatter %b, %row, %zero, %zero : (!m, !r, i64, i64) -> !m
    scf.yield %n : !m
  }
  return %r : !m
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
// A trip reads what was filled before, which has a gradient for that, too.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONES:.*]] = aten.ones_like
// CHECK: %[[ZEROS:.*]] = aten.zeros_like %arg0
// CHECK: scf.for {{.*}} iter_args(%[[OF:.*]] = %[[ONES]], %{{.*}} = %[[ZEROS]])
// CHECK: %[[LEFT:.*]] = aten.select_scatter %[[OF]]
// CHECK: %[[BOTH:.*]] = aten.add.Tensor %[[LEFT]], %{{.*}}
// CHECK: scf.yield %[[BOTH]], %{{.*}} :
func.func @forward(%x: !r {jit.requires_grad}) -> !m {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %z = aten.zeros %sizes, %none, %none, %none, %none : (!jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none) -> !m
  %r = scf.for %i = %zero to %two step %one iter_args(%b = %z) -> !m : i64 {
    %row = aten.sin %x : (!r) -> !r
    %e = aten.exp %b : (!m) -> !m
    %q = aten.select.int %e, %zero, %zero : (!m, i64, i64) -> !r
    %s = aten.mul.Tensor %row, %q : (!r, !r) -> !r
    %n = aten.select_scatter %b, %s, %zero, %i : (!m, !r, i64, i64) -> !m
    scf.yield %n : !m
  }
  return %r : !m
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
// A trip fills a row of what it makes of the variable: the gradient of the other rows is times that.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONES:.*]] = aten.ones_like
// CHECK: %[[ZEROS:.*]] = aten.zeros_like %arg0
// CHECK: scf.for {{.*}} iter_args(%[[OF:.*]] = %[[ONES]], %{{.*}} = %[[ZEROS]])
// CHECK: %[[LEFT:.*]] = aten.select_scatter %[[OF]]
// CHECK: %[[BEFORE:.*]] = aten.mul.Tensor %[[LEFT]], %{{.*}}
// CHECK: scf.yield %[[BEFORE]], %{{.*}} :
func.func @forward(%x: !r {jit.requires_grad}) -> !m {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %z = aten.zeros %sizes, %none, %none, %none, %none : (!jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none) -> !m
  %r = scf.for %i = %zero to %two step %one iter_args(%b = %z) -> !m : i64 {
    %row = aten.sin %x : (!r) -> !r
    %e = aten.exp %b : (!m) -> !m
    %n = aten.select_scatter %e, %row, %zero, %i : (!m, !r, i64, i64) -> !m
    scf.yield %n : !m
  }
  return %r : !m
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
// What is filled comes from outside and has a gradient of its own.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONES:.*]] = aten.ones_like
// CHECK: %[[ZEROS:.*]] = aten.zeros_like %arg0
// CHECK: %[[BACK:.*]]:2 = scf.for {{.*}} iter_args(%[[OF:.*]] = %[[ONES]], %{{.*}} = %[[ZEROS]])
// CHECK: %[[LEFT:.*]] = aten.select_scatter %[[OF]]
// CHECK: scf.yield %[[LEFT]], %{{.*}} :
// CHECK: return %{{.*}}, %[[BACK]]#1, %[[BACK]]#0
func.func @forward(%x: !r {jit.requires_grad}, %y: !m {jit.requires_grad}) -> !m {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %z = aten.zeros %sizes, %none, %none, %none, %none : (!jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none) -> !m
  %r = scf.for %i = %zero to %two step %one iter_args(%b = %y) -> !m : i64 {
    %row = aten.sin %x : (!r) -> !r
    %n = aten.select_scatter %b, %row, %zero, %i : (!m, !r, i64, i64) -> !m
    scf.yield %n : !m
  }
  return %r : !m
}

// -----

// What is filled with has no gradient, and is neither kept nor computed again.
// CHECK-LABEL: func.func @forward
// CHECK: scf.for {{.*}} -> (!jit.tensor<[2,2],f32>)
// CHECK: scf.for {{.*}} iter_args(%[[OF:.*]] = %{{.*}}) -> (!jit.tensor<[2,2],f32>)
// CHECK-NOT: aten.exp
// CHECK: aten.select_scatter %[[OF]]
func.func @forward(%x: !jit.tensor<[2,2],f32> {jit.requires_grad}, %z: !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,2],f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %0 = scf.for %i = %c0 to %c2 step %c1 iter_args(%y = %x) -> (!jit.tensor<[2,2],f32>) : i64 {
    %row = aten.select.int %z, %c0, %i : (!jit.tensor<[2,2],f32>, i64, i64) -> !jit.tensor<[2],f32>
    %exp = aten.exp %row : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
    %1 = aten.select_scatter %y, %exp, %c0, %i : (!jit.tensor<[2,2],f32>, !jit.tensor<[2],f32>, i64, i64) -> !jit.tensor<[2,2],f32>
    scf.yield %1 : !jit.tensor<[2,2],f32>
  }
  return %0 : !jit.tensor<[2,2],f32>
}
