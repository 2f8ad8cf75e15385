// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file --verify-diagnostics

// Two variables of a loop become parts of one tensor, which are made by operations that are alike but for one thing: they are not the same elements.

// Turned once, and twice.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>
!o = !jit.tensor<*,f32>
func.func @parts(%x: !m, %xy: !m, %xz: !m, %v: !m, %c: i1, %n: i64, %p: !jit.tuple<i64, i64>) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %xy : (!m) -> !m
  %z = aten.relu %xz : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!m, !m) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %s = aten.tanh %x : (!m) -> !m
    // expected-note @below {{a variable of a loop may be a part of what another one is}}
    %part = aten.t %s : (!m) -> !m
    %once = aten.t %s : (!m) -> !m
    %other = aten.t %once : (!m) -> !m
    scf.yield %part, %other : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}

// -----

// Turned twice, and once.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>
!o = !jit.tensor<*,f32>
func.func @parts(%x: !m, %xy: !m, %xz: !m, %v: !m, %c: i1, %n: i64, %p: !jit.tuple<i64, i64>) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %xy : (!m) -> !m
  %z = aten.relu %xz : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!m, !m) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %s = aten.tanh %x : (!m) -> !m
    %once = aten.t %s : (!m) -> !m
    // expected-note @below {{a variable of a loop may be a part of what another one is}}
    %part = aten.t %once : (!m) -> !m
    %other = aten.t %s : (!m) -> !m
    scf.yield %part, %other : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}

// -----

// Of two rows one is a number that the call gives.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>
!o = !jit.tensor<*,f32>
func.func @parts(%x: !m, %xy: !r, %xz: !r, %v: !r, %c: i1, %n: i64, %p: !jit.tuple<i64, i64>) -> (!r, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %xy : (!r) -> !r
  %z = aten.relu %xz : (!r) -> !r
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!r, !r) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!r, !r) -> !r
    %s = aten.tanh %x : (!m) -> !m
    // expected-note @below {{a variable of a loop may be a part of what another one is}}
    %part = aten.select.int %s, %zero, %n : (!m, i64, i64) -> !r
    %other = aten.select.int %s, %zero, %one : (!m, i64, i64) -> !r
    scf.yield %part, %other : !r, !r
  }
  return %r#0, %r#1 : !r, !r
}

// -----

// The other one is.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>
!o = !jit.tensor<*,f32>
func.func @parts(%x: !m, %xy: !r, %xz: !r, %v: !r, %c: i1, %n: i64, %p: !jit.tuple<i64, i64>) -> (!r, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %xy : (!r) -> !r
  %z = aten.relu %xz : (!r) -> !r
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!r, !r) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!r, !r) -> !r
    %s = aten.tanh %x : (!m) -> !m
    // expected-note @below {{a variable of a loop may be a part of what another one is}}
    %part = aten.select.int %s, %zero, %one : (!m, i64, i64) -> !r
    %other = aten.select.int %s, %zero, %n : (!m, i64, i64) -> !r
    scf.yield %part, %other : !r, !r
  }
  return %r#0, %r#1 : !r, !r
}

// -----

// Two constants.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>
!o = !jit.tensor<*,f32>
func.func @parts(%x: !m, %xy: !r, %xz: !r, %v: !r, %c: i1, %n: i64, %p: !jit.tuple<i64, i64>) -> (!r, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %xy : (!r) -> !r
  %z = aten.relu %xz : (!r) -> !r
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!r, !r) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!r, !r) -> !r
    %s = aten.tanh %x : (!m) -> !m
    // expected-note @below {{a variable of a loop may be a part of what another one is}}
    %part = aten.select.int %s, %zero, %one : (!m, i64, i64) -> !r
    %other = aten.select.int %s, %zero, %zero : (!m, i64, i64) -> !r
    scf.yield %part, %other : !r, !r
  }
  return %r#0, %r#1 : !r, !r
}

// -----

// Two branches, which choose the other way round.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>
!o = !jit.tensor<*,f32>
func.func @parts(%x: !m, %xy: !r, %xz: !r, %v: !r, %c: i1, %n: i64, %p: !jit.tuple<i64, i64>) -> (!r, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %xy : (!r) -> !r
  %z = aten.relu %xz : (!r) -> !r
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!r, !r) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!r, !r) -> !r
    %s = aten.tanh %x : (!m) -> !m
    %k = scf.if %c -> i64 {
      scf.yield %one : i64
    } else {
      scf.yield %n : i64
    }
    %l = scf.if %c -> i64 {
      scf.yield %n : i64
    } else {
      scf.yield %one : i64
    }
    // expected-note @below {{a variable of a loop may be a part of what another one is}}
    %part = aten.select.int %s, %zero, %k : (!m, i64, i64) -> !r
    %other = aten.select.int %s, %zero, %l : (!m, i64, i64) -> !r
    scf.yield %part, %other : !r, !r
  }
  return %r#0, %r#1 : !r, !r
}

// -----

// Two results of one operation.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>
!o = !jit.tensor<*,f32>
func.func @parts(%x: !m, %xy: !r, %xz: !r, %v: !r, %c: i1, %n: i64, %p: !jit.tuple<i64, i64>) -> (!r, !r) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %xy : (!r) -> !r
  %z = aten.relu %xz : (!r) -> !r
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!r, !r) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!r, !r) -> !r
    %s = aten.tanh %x : (!m) -> !m
    %k, %l = jit.tuple_unpack %p : (!jit.tuple<i64, i64>) -> (i64, i64)
    // expected-note @below {{a variable of a loop may be a part of what another one is}}
    %part = aten.select.int %s, %zero, %k : (!m, i64, i64) -> !r
    %other = aten.select.int %s, %zero, %l : (!m, i64, i64) -> !r
    scf.yield %part, %other : !r, !r
  }
  return %r#0, %r#1 : !r, !r
}

// -----

// As many rows as the call says, and of another type.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>
!o = !jit.tensor<*,f32>
func.func @parts(%x: !m, %xy: !m, %xz: !jit.tensor<[?,2],f32>, %v: !m, %c: i1, %n: i64, %p: !jit.tuple<i64, i64>) -> (!m, !jit.tensor<[?,2],f32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %xy : (!m) -> !m
  %z = aten.relu %xz : (!jit.tensor<[?,2],f32>) -> !jit.tensor<[?,2],f32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!m, !jit.tensor<[?,2],f32>) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %s = aten.tanh %x : (!m) -> !m
    // expected-note @below {{a variable of a loop may be a part of what another one is}}
    %part = aten.t %s : (!m) -> !m
    %other = aten.t %s : (!m) -> !jit.tensor<[?,2],f32>
    scf.yield %part, %other : !m, !jit.tensor<[?,2],f32>
  }
  return %r#0, %r#1 : !m, !jit.tensor<[?,2],f32>
}

// -----

// Sizes of which one list has more.

!m = !jit.tensor<[?,?],f32>
!r = !jit.tensor<[?],f32>
!o = !jit.tensor<*,f32>
func.func @parts(%x: !m, %xy: !o, %xz: !o, %v: !o, %c: i1, %n: i64, %p: !jit.tuple<i64, i64>) -> (!o, !o) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %xy : (!o) -> !o
  %z = aten.relu %xz : (!o) -> !o
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!o, !o) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!o, !o) -> !o
    %s = aten.tanh %x : (!m) -> !m
    %sizes = jit.list %n : (i64) -> !jit.list<i64>
    %more = jit.list %n, %one : (i64, i64) -> !jit.list<i64>
    // expected-note @below {{a variable of a loop may be a part of what another one is}}
    %part = aten.view %s, %sizes : (!m, !jit.list<i64>) -> !o
    %other = aten.view %s, %more : (!m, !jit.list<i64>) -> !o
    scf.yield %part, %other : !o, !o
  }
  return %r#0, %r#1 : !o, !o
}
