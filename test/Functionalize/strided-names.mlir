// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// as_strided of a row that a branch picks: what follows is in both of its arms, where it is known from which row on the places count.
!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>
// CHECK-LABEL: func.func @branch
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: scf.if
// CHECK: aten.as_strided %[[Y]], %{{.*}}, %{{.*}}, %{{.*}} {jit.of_memory
// CHECK: else
// CHECK: aten.as_strided %[[Y]], %{{.*}}, %{{.*}}, %{{.*}} {jit.of_memory
func.func @branch(%x: !m, %c: i1) -> !r {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %y = aten.relu %x : (!m) -> !m
  %s = scf.if %c -> (!r) {
    %a = aten.select.int %y, %zero, %zero : (!m, i64, i64) -> !r
    scf.yield %a : !r
  } else {
    %b = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
    scf.yield %b : !r
  }
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %p = aten.as_strided %s, %sizes, %steps, %none : (!r, !jit.list<i64>, !jit.list<i64>, !jit.none) -> !r
  return %p : !r
}
