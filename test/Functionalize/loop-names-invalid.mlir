// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// What a variable of a loop becomes has no place that is known around the loop.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>

// A row of what another variable becomes, by the number of the trip.
func.func @row(%x: !m, %xr: !r, %v: !r, %n: i64) -> (!m, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.relu %xr : (!r) -> !r
  %k:2 = scf.for %i = %zero to %n step %one iter_args(%a = %y, %b = %z) -> (!m, !r) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %b, %v : (!r, !r) -> !r
    %s = aten.tanh %a : (!m) -> !m
    // expected-note @below {{it may be a part of another variable, whose place only a loop knows}}
    %row = aten.select.int %s, %zero, %i : (!m, i64, i64) -> !r
    scf.yield %s, %row : !m, !r
  }
  return %k#0, %k#1 : !m, !r
}

// -----

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[1,?],f32>

// Rows that are one, which a trip makes.
func.func @repeated(%x: !m, %xr: !r, %v: !m, %n: i64) -> !m {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %false = arith.constant false
  %y = aten.relu %x : (!m) -> !m
  %sizes = jit.list %n, %n : (i64, i64) -> !jit.list<i64>
  %k = scf.for %i = %zero to %n step %one iter_args(%a = %y) -> !m : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %a, %v : (!m, !m) -> !m
    %s = aten.tanh %xr : (!r) -> !r
    // expected-note @below {{it may show elements of this more than once; clone() it before}}
    %rows = aten.expand %s, %sizes, %false : (!r, !jit.list<i64>, i1) -> !m
    scf.yield %rows : !m
  }
  return %k : !m
}

// -----

!m = !jit.tensor<[?,?],f32>

// Variables that are parts of each other: in one way the first one is all of it, in the other one the second.
func.func @each_other(%x: !m, %v: !m, %c: i1, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %y, %b = %z) -> (!m, !m) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %a, %v : (!m, !m) -> !m
    %s = aten.tanh %b : (!m) -> !m
    %q = aten.sigmoid %b : (!m) -> !m
    // expected-note @below {{a variable of a loop may be a part of what another one is}}
    %turned = aten.t %s : (!m) -> !m
    %other = aten.t %q : (!m) -> !m
    %k:2 = scf.if %c -> (!m, !m) {
      scf.yield %s, %turned : !m, !m
    } else {
      scf.yield %other, %q : !m, !m
    }
    scf.yield %k#0, %k#1 : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}

// -----

!m = !jit.tensor<[?,?],f32>

// One becomes a view of what it was, of which the other one was a view.
func.func @view_of_a_view(%x: !m, %v: !m, %c: i1, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.tanh %x : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %y, %b = %z) -> (!m, !m) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %a, %v : (!m, !m) -> !m
    %s = aten.tanh %v : (!m) -> !m
    %part = aten.t %s : (!m) -> !m
    // expected-note @below {{a variable of a loop may be a part of what another one is}}
    %turned = aten.t %a : (!m) -> !m
    %k:2 = scf.if %c -> (!m, !m) {
      scf.yield %s, %part : !m, !m
    } else {
      scf.yield %turned, %b : !m, !m
    }
    scf.yield %k#0, %k#1 : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}
