// RUN: jit-opt %s --jit-functionalize-tensors --canonicalize | FileCheck %s

// as_strided of a row that shows the row before, too, and what is written later.

!m = !jit.tensor<[2,2],f32>
!r = !jit.tensor<[2],f32>

// What is seen of it before the memory is written has gradients of the row alone, and afterwards of all that was written.
// CHECK-LABEL: func.func @after
// CHECK-SAME: (%{{.*}}: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>)
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: %[[BEFORE:.*]] = aten.as_strided %[[Y]], {{.*}} {jit.of_memory, jit.shown = array<i1: false, true>}
// CHECK: %[[A:.*]] = aten.exp %[[BEFORE]]
// CHECK: %[[AFTER:.*]] = aten.as_strided %[[V]], {{.*}} {jit.of_memory} :
// CHECK: %[[B:.*]] = aten.exp %[[AFTER]]
// CHECK: return %[[A]], %[[B]]
func.func @after(%x: !m, %v: !m) -> (!r, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  %before = aten.exp %a : (!r) -> !r
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  %after = aten.exp %a : (!r) -> !r
  return %before, %after : !r, !r
}

// What a write to itself is computed of is a view of all of the memory.
// CHECK-LABEL: func.func @itself
// CHECK: %[[Y:.*]] = aten.relu
// CHECK-NOT: jit.shown
// CHECK: %[[A:.*]] = aten.as_strided %[[Y]], {{.*}} {jit.of_memory} :
// CHECK: %[[VALUE:.*]] = aten.exp %[[A]]
// CHECK: %[[W:.*]] = aten.as_strided_scatter %[[Y]], %[[VALUE]]
// CHECK: return %[[VALUE]], %[[W]]
func.func @itself(%x: !m, %v: !m) -> (!r, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  %value = aten.exp %a : (!r) -> !r
  %w = jit.overwrite %a, %value : (!r, !r) -> !r
  return %value, %y : !r, !m
}

// A write that came before, and one to another tensor, are none of its own.
// CHECK-LABEL: func.func @before
// CHECK-SAME: (%{{.*}}: !jit.tensor<[2,2],f32>, %[[V:.*]]: !jit.tensor<[2,2],f32>)
// CHECK: %[[A:.*]] = aten.as_strided %[[V]], {{.*}} {jit.of_memory, jit.shown = array<i1: false, true>}
// CHECK: aten.exp %[[A]]
func.func @before(%x: !m, %v: !m) -> !r {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %w = jit.overwrite %y, %v : (!m, !m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  %other = jit.overwrite %z, %v : (!m, !m) -> !m
  %after = aten.exp %a : (!r) -> !r
  return %after : !r
}

// Of several writes the first counts, also where only one way of a branch has it.
// CHECK-LABEL: func.func @in_branch
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: %[[ONE:.*]] = aten.as_strided %[[Y]], {{.*}} {jit.of_memory, jit.shown = array<i1: false, true>}
// CHECK: aten.exp %[[ONE]]
// CHECK: %[[Y2:.*]] = arith.select
// CHECK: %[[TWO:.*]] = aten.as_strided %[[Y2]], {{.*}} {jit.of_memory} :
// CHECK: aten.exp %[[TWO]]
// CHECK: %[[THREE:.*]] = aten.as_strided %arg1, {{.*}} {jit.of_memory} :
// CHECK: aten.exp %[[THREE]]
func.func @in_branch(%x: !m, %v: !m, %c: i1) -> (!r, !r, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
  %e1 = aten.exp %a : (!r) -> !r
  scf.if %c {
    %w = jit.overwrite %y, %v : (!m, !m) -> !m
  }
  %e2 = aten.exp %a : (!r) -> !r
  %w2 = jit.overwrite %y, %v : (!m, !m) -> !m
  %e3 = aten.exp %a : (!r) -> !r
  return %e1, %e2, %e3 : !r, !r, !r
}

// A write behind the loop that it stands in comes after all that a trip does with it.
// CHECK-LABEL: func.func @in_loop
// CHECK: %[[Y:.*]] = aten.relu
// CHECK: scf.for
// CHECK: %[[A:.*]] = aten.as_strided %[[Y]], {{.*}} {jit.of_memory, jit.shown = array<i1: false, true>}
// CHECK: aten.exp %[[A]]
func.func @in_loop(%x: !m, %v: !m, %n: i64) -> !r {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.select.int %y, %zero, %one : (!m, i64, i64) -> !r
  %z = aten.relu %s : (!r) -> !r
  %sizes = jit.list %two : (i64) -> !jit.list<i64>
  %steps = jit.list %one : (i64) -> !jit.list<i64>
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %z) -> !r : i64 {
    %a = aten.as_strided %s, %sizes, %steps, %one : (!r, !jit.list<i64>, !jit.list<i64>, i64) -> !r
    %e = aten.exp %a : (!r) -> !r
    scf.yield %e : !r
  }
  %w2 = jit.overwrite %y, %v : (!m, !m) -> !m
  return %r : !r
}
