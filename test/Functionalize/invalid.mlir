// RUN: jit-opt %s --jit-functionalize-lists --jit-functionalize-tensors --split-input-file --verify-diagnostics

!m = !jit.tensor<[2,2],f32>

func.func @element(%l: !jit.list<!m>, %v: !m) {
  // expected-note @below {{it may be an element of this}}
  %a, %b = jit.list_unpack %l : (!jit.list<!m>) -> (!m, !m)
  // expected-error @below {{expected to know which memory is written in place}}
  %w = jit.overwrite %a, %v : (!m, !m) -> !m
  return
}

// -----

!m = !jit.tensor<[2,2],f32>

func.func @picked(%l: !jit.list<!m>, %v: !m, %i: i64) {
  // expected-note @below {{it may be an element of this list}}
  %a = aten.select.t %l, %i : (!jit.list<!m>, i64) -> !m
  // expected-error @below {{expected to know which memory is written in place}}
  %w = jit.overwrite %a, %v : (!m, !m) -> !m
  return
}

// -----

!m = !jit.tensor<[?,?],f32>

func.func @twice(%x: !m, %v: !m, %n: i64) -> (!m, !m) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = aten.relu %x : (!m) -> !m
  %z = aten.relu %x : (!m) -> !m
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %y, %u = %z) -> (!m, !m) : i64 {
    // expected-error @below {{expected to know which memory is written in place}}
    %w = jit.overwrite %t, %v : (!m, !m) -> !m
    %s = aten.tanh %u : (!m) -> !m
    // expected-note @below {{a variable of a loop may be a part of what another one is}}
    %part = aten.t %s : (!m) -> !m
    %other = aten.alias %s : (!m) -> !m
    scf.yield %part, %other : !m, !m
  }
  return %r#0, %r#1 : !m, !m
}

// -----

func.func @repeated(%x: !jit.tensor<[1],f32>, %v: !jit.tensor<[4],f32>) {
  %four = arith.constant 4 : i64
  %false = arith.constant false
  %size = jit.list %four : (i64) -> !jit.list<i64>
  %y = aten.relu %x : (!jit.tensor<[1],f32>) -> !jit.tensor<[1],f32>
  %e = aten.expand %y, %size, %false : (!jit.tensor<[1],f32>, !jit.list<i64>, i1) -> !jit.tensor<[4],f32>
  // expected-error @below {{expected a write to elements each of which has a place of its own}}
  %w = jit.overwrite %e, %v : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return
}

// -----

!m = !jit.tensor<[?,?],f32>

func.func @strides(%x: !m, %v: !jit.tensor<[?],f32>) -> !m {
  %all = arith.constant -1 : i64
  %size = jit.list %all : (i64) -> !jit.list<i64>
  %y = aten.relu %x : (!m) -> !m
  %t = aten.t %y : (!m) -> !m
  // expected-note @below {{whether this copies depends on strides that are not known}}
  %r = aten.reshape %t, %size : (!m, !jit.list<i64>) -> !jit.tensor<[?],f32>
  // expected-error @below {{expected to know which memory is written in place}}
  %w = jit.overwrite %r, %v : (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  return %y : !m
}
