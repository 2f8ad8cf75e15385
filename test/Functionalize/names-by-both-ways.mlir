// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse | FileCheck %s

!m = !jit.tensor<[3,3],f32>
!r = !jit.tensor<[3],f32>

// Both ways of a branch hand the same view on to the next trip: from then on the variable is that view, whatever data say.
// CHECK-LABEL: func.func @transposed
// CHECK-DAG: %[[YES:.*]] = arith.constant true
// CHECK-DAG: %[[NO:.*]] = arith.constant false
// CHECK: scf.for
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[NO]], %[[YES]], %{{.*}} : !jit.tensor<[3,3],f32>, !jit.tensor<[3],f32>, i1, i1, !jit.tensor<[3,3],f32>
func.func @transposed(%x: !m, %y: !r, %n: i64, %c: i1) -> (!m, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %y) -> (!m, !r) : i64 {
    %row = aten.select.int %x, %zero, %one : (!m, i64, i64) -> !r
    %v = aten.tanh %b : (!r) -> !r
    %w = jit.overwrite %row, %v : (!r, !r) -> !r
    %now = aten.diagonal %a, %zero, %zero, %one : (!m, i64, i64, i64) -> !r
    %sum = aten.relu %now : (!r) -> !r
    %next = scf.if %c -> (!m) {
      %t = aten.t %x : (!m) -> !m
      scf.yield %t : !m
    } else {
      %t = aten.t %x : (!m) -> !m
      scf.yield %t : !m
    }
    scf.yield %next, %sum : !m, !r
  }
  return %0#0, %0#1 : !m, !r
}
