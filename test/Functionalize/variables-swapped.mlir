// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// Two variables change places in each trip: which of them is the tensor %y goes from the one to the other, and a write to either is seen in it.
// CHECK-LABEL: func.func @swapped
// CHECK-SAME: (%{{.*}}: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>, %{{.*}}: i64)
// CHECK: %[[LOOP:.*]]:5 = scf.for {{.*}} iter_args(%{{.*}} = %[[Y:.*]], %[[U:.*]] = %{{.*}}, %[[T_IS:.*]] = %true, %[[U_IS:.*]] = %false, %[[YC:.*]] = %[[Y]])
// CHECK: %[[Y1:.*]] = arith.select %[[T_IS]], %[[V]], %[[YC]]
// CHECK: %[[U1:.*]] = arith.select %[[U_IS]], %[[Y1]], %[[U]]
// CHECK: %[[E:.*]] = aten.exp %[[U1]]
// CHECK: %[[Y2:.*]] = arith.select %[[U_IS]], %[[E]], %[[Y1]]
// CHECK: %[[T2:.*]] = arith.select %[[T_IS]], %[[Y2]], %[[V]]
// CHECK: scf.yield %[[E]], %[[T2]], %[[U_IS]], %[[T_IS]], %[[Y2]]
// CHECK: return %[[LOOP]]#0, %[[LOOP]]#1, %[[LOOP]]#4
func.func @swapped(%x: !m, %v: !m, %n: i64) -> (!m, !m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!m, !m) : i64 {
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %e = aten.exp %u : (!m) -> !m
    %w2 = jit.overwrite %u, %e : (!m, !m) -> !m
    scf.yield %u, %t : !m, !m
  }
  return %r#0, %r#1, %y : !m, !m, !m
}

// Where a trip leaves both variables as they were, the second one is still a row of the first one if it was one.
// CHECK-LABEL: func.func @part_kept
// CHECK-SAME: (%{{.*}}: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2],f32>, %{{.*}}: i64, %[[C:.*]]: i1)
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[IS:.*]] = %false)
// CHECK: %[[T2:.*]] = scf.if %[[IS]]
// CHECK: aten.select_scatter %[[T]], %[[V]], %c0_i64, %c1_i64
// CHECK: %[[OTHER:.*]] = arith.xori %[[C]], %true
// CHECK: %[[B:.*]]:2 = scf.if %[[C]]
// CHECK: %[[NEW:.*]] = aten.tanh %[[T2]]
// CHECK: %[[ROW:.*]] = aten.select.int %[[NEW]]
// CHECK: scf.yield %[[NEW]], %[[ROW]]
// CHECK: scf.yield %[[T2]], %[[V]]
// CHECK: %[[STILL:.*]] = arith.andi %[[IS]], %[[OTHER]]
// CHECK: %[[NEXT:.*]] = arith.ori %[[C]], %[[STILL]]
// CHECK: scf.yield %[[B]]#0, %[[B]]#1, %[[NEXT]]
func.func @part_kept(%x: !m, %v: !r, %n: i64, %c: i1) -> (!m, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.relu %v : (!r) -> !r
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!m, !r) : i64 {
    %w = jit.overwrite %u, %v : (!r, !r) -> !r
    %b:2 = scf.if %c -> (!m, !r) {
      %s = aten.tanh %t : (!m) -> !m
      %p = aten.select.int %s, %zero, %one : (!m, i64, i64) -> !r
      scf.yield %s, %p : !m, !r
    } else {
      scf.yield %t, %u : !m, !r
    }
    scf.yield %b#0, %b#1 : !m, !r
  }
  return %r#0, %r#1 : !m, !r
}

// The same of two variables that are one.
// CHECK-LABEL: func.func @one_kept
// CHECK-SAME: (%{{.*}}: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>, %{{.*}}: i64, %[[C:.*]]: i1)
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[IS:.*]] = %false)
// CHECK: %[[T2:.*]] = arith.select %[[IS]], %[[V]], %[[T]]
// CHECK: %[[OTHER:.*]] = arith.xori %[[C]], %true
// CHECK: %[[B:.*]]:2 = scf.if %[[C]]
// CHECK: scf.yield %[[T2]], %[[V]]
// CHECK: %[[STILL:.*]] = arith.andi %[[IS]], %[[OTHER]]
// CHECK: %[[NEXT:.*]] = arith.ori %[[C]], %[[STILL]]
// CHECK: scf.yield %[[B]]#0, %[[B]]#1, %[[NEXT]]
func.func @one_kept(%x: !m, %v: !m, %n: i64, %c: i1) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.relu %v : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!m, !m) : i64 {
    %w = jit.overwrite %u, %v : (!m, !m) -> !m
    %b:2 = scf.if %c -> (!m, !m) {
      %s = aten.tanh %t : (!m) -> !m
      scf.yield %s, %s : !m, !m
    } else {
      scf.yield %t, %u : !m, !m
    }
    scf.yield %b#0, %b#1 : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}
