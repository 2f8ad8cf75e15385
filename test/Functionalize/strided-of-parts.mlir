// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize --cse --split-input-file | FileCheck %s

// as_strided of a part of memory, and what a write to that memory, by another name, is to its result.

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// Written in one way of a branch behind it: what is read before is what was there, and gradients reach the row alone; what is read behind is what was written.
// CHECK-LABEL: func.func @written_in_a_branch(
// CHECK-SAME: %[[X:[a-z0-9]+]]:{{.*}}%[[V:[a-z0-9]+]]:{{.*}}%[[C:[a-z0-9]+]]: i1
// CHECK: %[[Y:.*]] = aten.mm
// CHECK: %[[A:.*]] = aten.as_strided %[[Y]], {{.*}} {jit.of_memory, jit.shown = array<i1: false, true>}
// CHECK: %[[E:.*]] = aten.exp %[[A]]
// CHECK: %[[Y2:.*]] = arith.select %[[C]], %[[V]], %[[Y]]
// CHECK: %[[B:.*]] = aten.as_strided %[[Y2]], {{.*}} {jit.of_memory} :
// CHECK: return %[[E]], %[[B]]
func.func @written_in_a_branch(%x: !m, %v: !m, %c: i1) -> (!r, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.mm %x, %x : (!m, !m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  %e = aten.exp %a : (!r) -> !r
  scf.if %c {
    %w = jit.overwrite %y, %v : (!m, !m) -> !m
  }
  return %e, %a : !r, !r
}

// Written twice: the first write counts.
// CHECK-LABEL: func.func @written_twice(
// CHECK-SAME: %[[X:[a-z0-9]+]]:{{.*}}%[[V:[a-z0-9]+]]:{{.*}}%[[U:[a-z0-9]+]]:
// CHECK-NOT: jit.shown
// CHECK: %[[A:.*]] = aten.as_strided %[[V]], {{.*}} {jit.of_memory} :
// CHECK: %[[E:.*]] = aten.exp %[[A]]
// CHECK: %[[B:.*]] = aten.as_strided %[[U]], {{.*}} {jit.of_memory} :
// CHECK: return %[[E]], %[[B]]
func.func @written_twice(%x: !m, %v: !m, %u: !m) -> (!r, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.mm %x, %x : (!m, !m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  %e = aten.exp %a : (!r) -> !r
  %z = jit.overwrite %y, %u : (!m, !m) -> !m
  return %e, %a : !r, !r
}

// -----

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// A view of it that is read before, and one that is read behind.
// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[X:[a-z0-9]+]]:{{.*}}%[[V:[a-z0-9]+]]:
// CHECK: %[[Y:.*]] = aten.mm
// CHECK: %[[A:.*]] = aten.as_strided %[[Y]], {{.*}} {jit.of_memory, jit.shown = array<i1: false, true>}
// CHECK: %[[P:.*]] = aten.unsqueeze %[[A]]
// CHECK: %[[E:.*]] = aten.exp %[[P]]
// CHECK: %[[B:.*]] = aten.as_strided %[[V]], {{.*}} {jit.of_memory} :
// CHECK: %[[Q:.*]] = aten.unsqueeze %[[B]]
// CHECK: return %[[E]], %[[Q]]
func.func @views(%x: !m, %v: !m) -> (!jit.tensor<[1,2],f32>, !jit.tensor<[1,2],f32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.mm %x, %x : (!m, !m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  %p = aten.unsqueeze %a, %zero : (!r, i64) -> !jit.tensor<[1,2],f32>
  %e = aten.exp %p : (!jit.tensor<[1,2],f32>) -> !jit.tensor<[1,2],f32>
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  return %e, %p : !jit.tensor<[1,2],f32>, !jit.tensor<[1,2],f32>
}
