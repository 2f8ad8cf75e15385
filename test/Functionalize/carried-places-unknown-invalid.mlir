// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// Places of elements of which nobody knows how many there are, or that there are any, are not carried.

!o = !jit.tensor<[?,?],f32>

// As many as a number says.
func.func @number(%x: !o, %n: i64) -> (!o, !o) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %f32 = arith.constant 6 : i64
  %sizes = jit.list %n, %n : (i64, i64) -> !jit.list<i64>
  %k = aten.zeros %sizes, %f32, %none, %none, %none : (!jit.list<i64>, i64, !jit.none, !jit.none, !jit.none) -> !o
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %k) -> !o : i64 {
    %e = aten.tanh %t : (!o) -> !o
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %e : (!o, !o) -> !o
    // expected-note @below {{a variable of a loop is a view of what it was before}}
    %u = aten.t %t : (!o) -> !o
    scf.yield %u : !o
  }
  return %k, %r : !o, !o
}

// -----

!o = !jit.tensor<[?,?],f32>

// As many as an argument of open sizes has.
func.func @argument(%x: !o, %n: i64) -> (!o, !o) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k = aten.relu %x : (!o) -> !o
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %k) -> !o : i64 {
    %e = aten.tanh %t : (!o) -> !o
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %e : (!o, !o) -> !o
    // expected-note @below {{a variable of a loop is a view of what it was before}}
    %u = aten.t %t : (!o) -> !o
    scf.yield %u : !o
  }
  return %k, %r : !o, !o
}

// -----

!z = !jit.tensor<[0,0],f32>

// None.
func.func @none(%x: !z, %n: i64) -> (!z, !z) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k = aten.relu %x : (!z) -> !z
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %k) -> !z : i64 {
    %e = aten.tanh %t : (!z) -> !z
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %e : (!z, !z) -> !z
    // expected-note @below {{a variable of a loop is a view of what it was before}}
    %u = aten.t %t : (!z) -> !z
    scf.yield %u : !z
  }
  return %k, %r : !z, !z
}
