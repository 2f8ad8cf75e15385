// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// Variables of which each trip makes a view of what they were, whose elements have no places: carried-places.mlir has those that have.

// Complex numbers.

!m = !jit.tensor<[2,2],complex<f32>>
func.func @complex(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.neg %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    // expected-note @below {{a variable of a loop is a view of what it was before}}
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %r, %y : !m, !m
}

// -----

// An out= tensor, whose sizes would have to be those of the result.

!m = !jit.tensor<[2,2],f32>
func.func @out(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v {jit.out} : (!m, !m) -> !m
    // expected-note @below {{a variable of a loop is a view of what it was before}}
    %u = aten.t %t : (!m) -> !m
    scf.yield %u : !m
  }
  return %r, %y : !m, !m
}

// -----

// An element that is unpacked.

!m = !jit.tensor<[2,2],f32>
func.func @given(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %y) -> !m : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %k = jit.list %t, %v : (!m, !m) -> !jit.list<!m>
    // expected-note @below {{it may be an element of this}}
    %a, %b = jit.list_unpack %k : (!jit.list<!m>) -> (!m, !m)
    %u = aten.t %a : (!m) -> !m
    scf.yield %u : !m
  }
  return %r, %y : !m, !m
}
