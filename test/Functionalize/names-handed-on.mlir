// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>

// What a branch of a trip leaves as it was is handed on: the write of the next trip, which stands before the branch, is seen by it.
// CHECK-LABEL: func.func @kept_by_a_branch
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1
func.func @kept_by_a_branch(%x: !m, %v: !m, %c: i1, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  // CHECK: scf.for {{.*}} iter_args({{.*}}, %[[IS:.*]] = %true, %{{.*}} = %{{.*}})
  // CHECK: %[[OTHER:.*]] = arith.xori %[[C]], %true
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    %w = jit.overwrite %y, %v : (!m, !m) -> !m
    %u = scf.if %c -> !m {
      %new = aten.tanh %t : (!m) -> !m
      scf.yield %new : !m
    } else {
      scf.yield %t : !m
    }
    // CHECK: %[[STILL:.*]] = arith.andi %[[IS]], %[[OTHER]]
    // CHECK: scf.yield %{{.*}}, %[[STILL]], %{{.*}}
    scf.yield %u : !m
  }
  return %r, %y : !m, !m
}

// Two variables that begin as one memory, which nothing else names, are names of each other.
// CHECK-LABEL: func.func @two_variables
// CHECK-SAME: (%{{.*}}: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>, %{{.*}}: i64)
func.func @two_variables(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[IS:.*]] = %true, %[[Y:.*]] = %{{.*}})
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %y, %b = %y) -> (!m, !m) : i64 {
    // CHECK: %[[SEEN:.*]] = arith.select %[[IS]], %[[V]], %[[Y]]
    // CHECK: %[[NEW:.*]] = aten.tanh %[[SEEN]]
    // CHECK: scf.yield %[[NEW]], %false, %[[SEEN]]
    %w = jit.overwrite %a, %v : (!m, !m) -> !m
    %new = aten.tanh %b : (!m) -> !m
    scf.yield %new, %b : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}

// Two results of a branch that show one memory, which nothing else names, are names of each other.
// CHECK-LABEL: func.func @two_results
// CHECK-SAME: (%{{.*}}: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>, %[[C:.*]]: i1)
func.func @two_results(%x: !m, %v: !m, %c: i1) -> (!m, !m) {
  %y = aten.relu %x : (!m) -> !m
  // CHECK: %[[Y:.*]] = arith.select %[[C]], %[[V]], %{{.*}}
  // CHECK: %[[B:.*]] = scf.if %[[C]]
  // CHECK:   scf.yield %[[Y]]
  %r:2 = scf.if %c -> (!m, !m) {
    scf.yield %y, %y : !m, !m
  } else {
    %s = aten.sigmoid %x : (!m) -> !m
    %t = aten.tanh %x : (!m) -> !m
    scf.yield %s, %t : !m, !m
  }
  %w = jit.overwrite %r#0, %v : (!m, !m) -> !m
  // CHECK: return %[[V]], %[[B]]
  return %r#0, %r#1 : !m, !m
}
