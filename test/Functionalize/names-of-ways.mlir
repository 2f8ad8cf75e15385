// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse --split-input-file | FileCheck %s

!m = !jit.tensor<[2,2],f32>

// Each way of a branch picks an element of its own list: the branch gives whether it is the first or the second of that, and false for those of the other way.
// A write to what it gives is one to the element.
// CHECK-LABEL: func.func @picked_in_ways
// CHECK-SAME: (%{{.*}}: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>, %[[C:.*]]: i1, %{{.*}}: i64)
// CHECK-DAG: %[[Y:.*]] = aten.relu
// CHECK-DAG: %[[Z:.*]] = aten.tanh
// CHECK-DAG: %[[O:.*]] = aten.exp
// CHECK: %[[IS:.*]]:4 = scf.if %[[C]] -> (i1, i1, i1, i1)
// CHECK: scf.yield %{{.*}}, %{{.*}}, %false, %false
// CHECK: scf.yield %false, %false, %{{.*}}, %{{.*}}
// CHECK: %[[Y2:.*]] = arith.select %[[IS]]#0, %[[V]], %[[Y]]
// CHECK: %[[Z1:.*]] = arith.select %[[IS]]#1, %[[V]], %[[Z]]
// CHECK: %[[Z2:.*]] = arith.select %[[IS]]#2, %[[V]], %[[Z1]]
// CHECK: %[[O2:.*]] = arith.select %[[IS]]#3, %[[V]], %[[O]]
// CHECK: return %[[Y2]], %[[Z2]], %[[O2]]
func.func @picked_in_ways(%x: !m, %v: !m, %c: i1, %i: i64) -> (!m, !m, !m) {
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %o = aten.exp %x : (!m) -> !m
  %l = jit.list %y, %z : (!m, !m) -> !jit.list<!m>
  %k = jit.list %z, %o : (!m, !m) -> !jit.list<!m>
  %b:2 = scf.if %c -> (!m, i64) {
    %e = aten.select.t %l, %i : (!jit.list<!m>, i64) -> !m
    scf.yield %e, %i : !m, i64
  } else {
    %e = aten.select.t %k, %i : (!jit.list<!m>, i64) -> !m
    %j = arith.addi %i, %i : i64
    scf.yield %e, %j : !m, i64
  }
  %w = jit.overwrite %b#0, %v : (!m, !m) -> !m
  return %y, %z, %o : !m, !m, !m
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// Two results are parts of one memory of a way, and one memory of the other way, of which none is all of the first: the write is made in each way.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2],f32>, %[[C:.*]]: i1, %[[O:.*]]: !jit.tensor<[2],f32>)
// CHECK: %[[O2:.*]] = arith.select %[[C]], %[[O]], %[[V]]
// CHECK: %[[B:.*]] = scf.if %[[C]]
// CHECK: %[[Y:.*]] = aten.relu %[[X]]
// CHECK: %[[Y2:.*]] = aten.select_scatter %[[Y]], %[[V]], %c0_i64, %c0_i64
// CHECK: %[[Q:.*]] = aten.select.int %[[Y2]], %c0_i64, %c1_i64
// CHECK: scf.yield %[[Q]]
// CHECK: scf.yield %[[O2]]
// CHECK: return %[[V]], %[[B]], %[[O2]]
func.func @parts(%x: !m, %v: !r, %c: i1, %o: !r) -> (!r, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %b:2 = scf.if %c -> (!r, !r) {
    %y = aten.relu %x : (!m) -> !m
    %p = aten.select.int %y, %zero, %zero : (!m, i64, i64) -> !r
    %q = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
    scf.yield %p, %q : !r, !r
  } else {
    scf.yield %o, %o : !r, !r
  }
  %w = jit.overwrite %b#0, %v : (!r, !r) -> !r
  return %b#0, %b#1 : !r, !r
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// A row whose number only the way knows is taken of what was written there.
// CHECK-LABEL: func.func @place
// CHECK-SAME: (%{{.*}}: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>, %[[C:.*]]: i1)
// CHECK: %[[B:.*]] = scf.if %[[C]]
// CHECK: %[[AT:.*]] = aten.Int.Tensor
// CHECK: %[[ROW:.*]] = aten.select.int %[[V]], %c0_i64, %[[AT]]
// CHECK: scf.yield %[[ROW]]
// CHECK: %[[ROW:.*]] = aten.select.int %[[V]], %c0_i64, %c0_i64
// CHECK: scf.yield %[[ROW]]
// CHECK: return %[[V]], %[[B]]
func.func @place(%x: !m, %v: !m, %c: i1) -> (!m, !r) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %b:2 = scf.if %c -> (!m, !r) {
    %y = aten.relu %x : (!m) -> !m
    %k = aten.sum %x, %none : (!m, !jit.none) -> !jit.tensor<[],f32>
    %at = aten.Int.Tensor %k : (!jit.tensor<[],f32>) -> i64
    %q = aten.select.int %y, %zero, %at : (!m, i64, i64) -> !r
    scf.yield %y, %q : !m, !r
  } else {
    %y = aten.exp %x : (!m) -> !m
    %q = aten.select.int %y, %zero, %zero : (!m, i64, i64) -> !r
    scf.yield %y, %q : !m, !r
  }
  %w = jit.overwrite %b#0, %v : (!m, !m) -> !m
  return %b#0, %b#1 : !m, !r
}
