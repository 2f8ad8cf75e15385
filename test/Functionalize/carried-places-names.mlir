// RUN: jit-opt %s --split-input-file --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
// Module state is given back as what its slot is, not as an argument that the caller sees written.
// CHECK-LABEL: func.func @slot
// CHECK-SAME: -> (!jit.tensor<[2,2],f32> {jit.slot = "s"})
// CHECK: %[[HERE:.*]] = aten.reshape
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[HERE]], %{{.*}} = %{{.*}})
// CHECK: %[[AT:.*]] = aten.reshape %[[HERE]]
// CHECK: %[[NOW:.*]] = aten.gather %[[LOOP]]#1, %c0_i64, %[[AT]]
// CHECK: %[[S:.*]] = aten.reshape %[[NOW]]
// CHECK: return %[[S]]
func.func @slot(%s: !m {jit.slot = "s"}, %v: !m, %n: i64) -> (!m {jit.slot = "s"}) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %s) -> !m : i64 {
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %s : !m
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
// One number may be written to a place several times: nothing is guarded.
// CHECK-LABEL: func.func @one_number
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}, %[[MEMORY:.*]] = %{{.*}})
// CHECK: %[[ROW:.*]] = aten.select.int %[[T]]
// CHECK: %[[ROWS:.*]] = aten.expand %[[ROW]]
// CHECK: %[[AT:.*]] = aten.reshape %[[ROWS]]
// CHECK-NOT: jit.guard
// CHECK: aten.scatter.src %[[MEMORY]], %c0_i64, %[[AT]]
func.func @one_number(%x: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3.0 : f64
  %false = arith.constant false
  %sizes = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %row = aten.select.int %t, %zero, %zero : (!m, i64, i64) -> !r
    %e = aten.expand %row, %sizes, %false : (!r, !jit.list<i64>, i1) -> !m
    %f = aten.fill.Scalar %e, %three : (!m, f64) -> !m
    %w = jit.overwrite %e, %f : (!m, !m) -> !m
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %r, %y : !m, !m
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
// A while loop carries places and memory through its condition.
// CHECK-LABEL: func.func @while
// CHECK: %[[LOOP:.*]]:2 = scf.while (%[[A:.*]] = %{{.*}}, %[[GO:.*]] = %{{.*}}, %[[M:.*]] = %{{.*}})
// CHECK: scf.condition(%[[GO]]) %[[A]], %[[M]]
// CHECK: ^bb0(%[[T:.*]]: !jit.tensor<[2,2],i64>, %[[MEMORY:.*]]: !jit.tensor<[4],f32>):
// CHECK: %[[AT:.*]] = aten.reshape %[[T]]
// CHECK: %[[NEXT:.*]] = aten.scatter.src %[[MEMORY]], %c0_i64, %[[AT]]
// CHECK: %[[TURNED:.*]] = aten.t %[[T]]
// CHECK: scf.yield %[[TURNED]], %false, %[[NEXT]]
// CHECK: aten.gather %[[LOOP]]#1
func.func @while(%x: !m, %v: !m, %c: i1) -> (!m, !m) {
  %no = arith.constant false
  %y = aten.relu %x : (!m) -> !m
  %r:2 = scf.while (%t = %y, %go = %c) : (!m, i1) -> (!m, i1) {
    scf.condition(%go) %t, %go : !m, i1
  } do {
  ^bb0(%t: !m, %go: i1):
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %u = aten.t %t : (!m) -> !m
    scf.yield %u, %no : !m, i1
  }
  return %r#0, %y : !m, !m
}
