// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// A variable of a loop is what it was, turned round, so that its places would have to be carried; they are not where something that is in the same memory, or written to it, is not
// what they can be told of.

// A name of no known rank.

!m = !jit.tensor<[2,2],f32>
func.func @refused(%x: !m, %v: !m, %c: i1, %n: i64) -> (!m, !m, !jit.tensor<*,f32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %d = jit.derefine %y : !m to !jit.tensor<*,f32>
  %s = aten.neg %d : (!jit.tensor<*,f32>) -> !jit.tensor<*,f32>
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    // expected-note @below {{a variable of a loop is a view of what it was before}}
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %y, %r, %s : !m, !m, !jit.tensor<*,f32>
}

// -----

// A name of no known element type.

!m = !jit.tensor<[2,2],f32>
func.func @refused(%x: !m, %v: !m, %c: i1, %n: i64) -> (!m, !m, !jit.tensor<[2,2],?>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %d = jit.derefine %y : !m to !jit.tensor<[2,2],?>
  %s = aten.neg %d : (!jit.tensor<[2,2],?>) -> !jit.tensor<[2,2],?>
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    // expected-note @below {{a variable of a loop is a view of what it was before}}
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %y, %r, %s : !m, !m, !jit.tensor<[2,2],?>
}

// -----

// A value of no known rank.

!m = !jit.tensor<[2,2],f32>
func.func @refused(%x: !m, %v: !jit.tensor<*,f32>, %c: i1, %n: i64) -> (!m, !m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %s = aten.neg %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!m, !jit.tensor<*,f32>) -> !m
    // expected-note @below {{a variable of a loop is a view of what it was before}}
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %y, %r, %s : !m, !m, !m
}

// -----

// What may be a copy or the argument itself.

!m = !jit.tensor<[2,2],f32>
func.func @refused(%x: !m {jit.strides = array<i64: -9223372036854775808, -9223372036854775808>}, %v: !m, %c: i1, %n: i64) -> (!m, !m, !jit.tensor<[4],f32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.alias %x : (!m) -> !m
  %all = arith.constant -1 : i64
  %size = jit.list %all : (i64) -> !jit.list<i64>
  // expected-note @below {{whether this copies depends on strides that are not known}}
  %d = aten.reshape %x, %size : (!m, !jit.list<i64>) -> !jit.tensor<[4],f32>
  %s = aten.neg %d : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %y, %r, %s : !m, !m, !jit.tensor<[4],f32>
}
