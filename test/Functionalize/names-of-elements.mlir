// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[2,2],f32>

// An element of a list, at a place that data tell, in one way of a branch: a write to what the branch gives is a write to the element
// in that way alone.
// CHECK-LABEL: func.func @element_in_a_way
// CHECK-SAME: (%[[X:[a-z0-9]+]]: !jit.tensor<[2,2],f32>, %[[V:[a-z0-9]+]]: !jit.tensor<[2,2],f32>, %[[C:[a-z0-9]+]]: i1, %[[I:[a-z0-9]+]]: i64)
func.func @element_in_a_way(%x: !m, %v: !m, %c: i1, %i: i64) -> (!m, !m, !m) {
  // CHECK-DAG: %[[Y:.*]] = aten.relu %[[X]]
  // CHECK-DAG: %[[IS:.*]] = arith.ori
  // CHECK-DAG: %[[OTHER:.*]] = arith.xori %[[C]]
  // CHECK-DAG: %[[BOTH:.*]] = arith.andi %[[OTHER]], %[[IS]]
  // CHECK-DAG: %[[SHOWN:.*]] = arith.select %[[C]], %{{.*}}, %[[V]]
  // CHECK-DAG: arith.select %[[BOTH]], %[[SHOWN]], %[[Y]]
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %other = aten.exp %x : (!m) -> !m
  %l = jit.list %y, %z : (!m, !m) -> !jit.list<!m>
  %e = aten.select.t %l, %i : (!jit.list<!m>, i64) -> !m
  %b = scf.if %c -> !m {
    scf.yield %other : !m
  } else {
    scf.yield %e : !m
  }
  %w = jit.overwrite %b, %v : (!m, !m) -> !m
  return %y, %z, %other : !m, !m, !m
}
