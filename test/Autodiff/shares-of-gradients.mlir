// RUN: jit-opt %s --jit-differentiate --canonicalize --cse --split-input-file | FileCheck %s

// Where gradients of one value come from several places, or from none.

!t = !jit.tensor<[4],f32>
// What a loop begins with and uses in each trip has the gradients of both.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONES:.*]] = aten.ones_like
// CHECK: %[[ZEROS:.*]] = aten.zeros_like %arg0
// CHECK: %[[BACK:.*]]:2 = scf.for {{.*}} iter_args(%[[OF:.*]] = %[[ONES]], %[[SUM:.*]] = %[[ZEROS]])
// CHECK: %[[C:.*]] = aten.select.int
// CHECK: %[[BEFORE:.*]] = aten.mul.Tensor %[[OF]], %arg0
// CHECK: %[[PART:.*]] = aten.mul.Tensor %[[OF]], %[[C]]
// CHECK: %[[NEXT:.*]] = aten.add.Tensor %[[SUM]], %[[PART]]
// CHECK: scf.yield %[[BEFORE]], %[[NEXT]]
// CHECK: %[[BOTH:.*]] = aten.add.Tensor %[[BACK]]#1, %[[BACK]]#0
// CHECK: return %{{.*}}, %[[BOTH]]
func.func @forward(%h: !t {jit.requires_grad}) -> !t {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %r = scf.for %i = %zero to %three step %one iter_args(%c = %h) -> !t : i64 {
    %0 = aten.mul.Tensor %c, %h : (!t, !t) -> !t
    scf.yield %0 : !t
  }
  return %r : !t
}

// -----

!t = !jit.tensor<[4],f32>
// A result that nobody uses has the gradient that the other one gives its variable, from zeros on.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONES:.*]] = aten.ones_like
// CHECK: %[[ZEROS:.*]] = aten.zeros_like %arg0
// CHECK: %[[BACK:.*]]:2 = scf.for {{.*}} iter_args(%[[OF:.*]] = %[[ZEROS]], %[[OTHER:.*]] = %[[ONES]])
// CHECK: %[[D:.*]] = aten.mul.Tensor %[[OTHER]], %{{.*}}
// CHECK: %[[OF_OTHER:.*]] = aten.mul.Tensor %[[OTHER]], %{{.*}}
// CHECK: %[[OWN:.*]] = aten.mul.Tensor %[[OF]], %{{.*}}
// CHECK: %[[C:.*]] = aten.add.Tensor %[[OF_OTHER]], %[[OWN]]
// CHECK: scf.yield %[[C]], %[[D]]
// CHECK: return %{{.*}}, %[[BACK]]#0, %[[BACK]]#1
func.func @forward(%h: !t {jit.requires_grad}, %g: !t {jit.requires_grad}) -> !t {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %r:2 = scf.for %i = %zero to %three step %one iter_args(%c = %h, %d = %g) -> (!t, !t) : i64 {
    %0 = aten.sin %c : (!t) -> !t
    %1 = aten.mul.Tensor %d, %c : (!t, !t) -> !t
    scf.yield %0, %1 : !t, !t
  }
  return %r#1 : !t
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
// What a trip fills and reads in the same trip has a gradient for that, too.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONES:.*]] = aten.ones_like %[[LOOP:.*]]#0
// CHECK: %[[OTHERS:.*]] = aten.ones_like %[[LOOP]]#1
// CHECK: scf.for {{.*}} iter_args(%[[OF:.*]] = %[[ONES]], %{{.*}} = %{{.*}})
// CHECK: %[[BOTH:.*]] = aten.add.Tensor %[[OF]], %[[OTHERS]]
// CHECK: %[[PART:.*]] = aten.select.int %[[BOTH]]
// CHECK: %[[ZERO:.*]] = aten.zeros_like %[[PART]]
// CHECK: %[[LEFT:.*]] = aten.select_scatter %[[BOTH]], %[[ZERO]]
// CHECK: scf.yield %[[LEFT]], %{{.*}}
func.func @forward(%x: !r {jit.requires_grad}) -> (!m, !m) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %sizes = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %z = aten.zeros %sizes, %none, %none, %none, %none : (!jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none) -> !m
  %q:2 = scf.for %i = %zero to %two step %one iter_args(%b = %z, %k = %z) -> (!m, !m) : i64 {
    %row = aten.sin %x : (!r) -> !r
    %n = aten.select_scatter %b, %row, %zero, %i : (!m, !r, i64, i64) -> !m
    %e = aten.add.Tensor %k, %n, %one : (!m, !m, i64) -> !m
    scf.yield %n, %e : !m, !m
  }
  return %q#0, %q#1 : !m, !m
}

// -----

!t = !jit.tensor<[4],f32>
// The way of a branch that gives what has no gradient gives zeros on the way back; a result that nobody uses gives nothing.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONES:.*]] = aten.ones_like
// CHECK: %[[BACK:.*]] = scf.if %arg2 -> (!jit.tensor<[4],f32>)
// CHECK: %[[COS:.*]] = aten.cos %arg0
// CHECK: %[[G:.*]] = aten.mul.Tensor %[[ONES]], %[[COS]]
// CHECK: scf.yield %[[G]]
// CHECK: %[[ZEROS:.*]] = aten.zeros_like %arg0
// CHECK: scf.yield %[[ZEROS]]
// CHECK: return %{{.*}}, %[[BACK]]
func.func @forward(%h: !t {jit.requires_grad}, %y: !t, %c: i1) -> !t {
  %r:2 = scf.if %c -> (!t, !t) {
    %0 = aten.sin %h : (!t) -> !t
    %1 = aten.exp %h : (!t) -> !t
    scf.yield %0, %1 : !t, !t
  } else {
    scf.yield %y, %h : !t, !t
  }
  return %r#0 : !t
}
