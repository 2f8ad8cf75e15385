// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file | FileCheck %s

// What a variable of a while loop becomes has no place that is known around it: calls that get to the write end there.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>

// The same of a while loop.
// CHECK-LABEL: func.func @row_of_while(
// CHECK: jit.guard %{{.*}}, "jit.Unsupported", "expected to know which memory is written in place"
func.func @row_of_while(%x: !m, %xr: !r, %v: !r, %n: i64) -> (!m, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.relu %xr : (!r) -> !r
  %k:3 = scf.while (%a = %y, %b = %z, %i = %zero) : (!m, !r, i64) -> (!m, !r, i64) {
    %go = arith.cmpi slt, %i, %n : i64
    scf.condition(%go) %a, %b, %i : !m, !r, i64
  } do {
  ^bb0(%a: !m, %b: !r, %i: i64):
    %w = jit.overwrite %b, %v : (!r, !r) -> !r
    %s = aten.tanh %a : (!m) -> !m
    %row = aten.select.int %s, %zero, %i : (!m, i64, i64) -> !r
    %next = arith.addi %i, %one : i64
    scf.yield %s, %row, %next : !m, !r, i64
  }
  return %k#0, %k#1 : !m, !r
}

// -----

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>

// A row of a tensor from before a while loop, by a number of its trip.
// CHECK-LABEL: func.func @outer_row_of_while(
// CHECK: jit.guard %{{.*}}, "jit.Unsupported", "expected to know which memory is written in place"
func.func @outer_row_of_while(%x: !m, %xr: !r, %v: !r, %n: i64) -> (!m, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.relu %xr : (!r) -> !r
  %k:2 = scf.while (%b = %z, %i = %zero) : (!r, i64) -> (!r, i64) {
    %go = arith.cmpi slt, %i, %n : i64
    scf.condition(%go) %b, %i : !r, i64
  } do {
  ^bb0(%b: !r, %i: i64):
    %w = jit.overwrite %b, %v : (!r, !r) -> !r
    %row = aten.select.int %y, %zero, %i : (!m, i64, i64) -> !r
    %next = arith.addi %i, %one : i64
    scf.yield %row, %next : !r, i64
  }
  return %y, %k#0 : !m, !r
}

// -----

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>

// A row that the condition of a while loop hands on.
// CHECK-LABEL: func.func @row_of_condition(
// CHECK: jit.guard %{{.*}}, "jit.Unsupported", "expected to know which memory is written in place"
func.func @row_of_condition(%x: !m, %xr: !r, %v: !r, %n: i64) -> (!m, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %k:2 = scf.while (%i = %zero) : (i64) -> (!r, i64) {
    %go = arith.cmpi slt, %i, %n : i64
    %row = aten.select.int %y, %zero, %i : (!m, i64, i64) -> !r
    scf.condition(%go) %row, %i : !r, i64
  } do {
  ^bb0(%b: !r, %i: i64):
    %w = jit.overwrite %b, %v : (!r, !r) -> !r
    %next = arith.addi %i, %one : i64
    scf.yield %next : i64
  }
  return %y, %k#0 : !m, !r
}
