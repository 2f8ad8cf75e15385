// RUN: jit-opt %s --jit-specialize="args=f32[2,3],?int" --split-input-file --verify-diagnostics

// What a loop of unknown trips gives may be the tensor whose sizes change, and is used after that.

func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %z = aten.exp %x : (!jit.tensor) -> !jit.tensor
  // expected-note @below {{this may be the same tensor}}
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %t) -> (!jit.tensor) : i64 {
    scf.yield %z : !jit.tensor
  }
  %u = aten.unsqueeze %t, %zero : (!jit.tensor, i64) -> !jit.tensor
  // expected-error @below {{expected a tensor whose sizes change in place to have one name}}
  %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %b, %r : !jit.tensor, !jit.tensor
}

// -----

// Which of two it is, is not known where its own sizes change.

func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %z = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %t) -> (!jit.tensor) : i64 {
    scf.yield %z : !jit.tensor
  }
  %u = aten.unsqueeze %r, %zero : (!jit.tensor, i64) -> !jit.tensor
  // expected-error @below {{expected a tensor that is known where its sizes change in place}}
  %b = jit.become %r, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %b, %t : !jit.tensor, !jit.tensor
}

// -----

// An element at a place that the call tells.

func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %z = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %two = jit.list %t, %z : (!jit.tensor, !jit.tensor) -> !jit.list<!jit.tensor>
  %e = aten.__getitem__.t %two, %n : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  %u = aten.unsqueeze %e, %zero : (!jit.tensor, i64) -> !jit.tensor
  // expected-error @below {{expected a tensor that is known where its sizes change in place}}
  %b = jit.become %e, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %b, %t : !jit.tensor, !jit.tensor
}
