// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[2,3],?int" --verify-diagnostics

// What a while loop gives is the tensor where a trip gave it.

func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %z = aten.exp %x : (!jit.tensor) -> !jit.tensor
  // expected-note @below {{this may be the same tensor}}
  %r = scf.while (%v = %z) : (!jit.tensor) -> !jit.tensor {
    %s = aten.sum %v, %none : (!jit.tensor, !jit.none) -> !jit.tensor
    %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
    scf.condition(%c) %v : !jit.tensor
  } do {
  ^bb0(%v: !jit.tensor):
    scf.yield %t : !jit.tensor
  }
  %u = aten.unsqueeze %t, %zero : (!jit.tensor, i64) -> !jit.tensor
  // expected-error @below {{expected a tensor whose sizes change in place to have one name}}
  %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t, %r : !jit.tensor, !jit.tensor
}

// -----

// A square keeps its sizes when it is transposed, but not its strides.

func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %h = aten.slice.Tensor %x, %one, %zero, %two, %one : (!jit.tensor, i64, i64, i64, i64) -> !jit.tensor
  %t = aten.relu %h : (!jit.tensor) -> !jit.tensor
  scf.for %i = %zero to %n step %one : i64 {
    %u = aten.t %t : (!jit.tensor) -> !jit.tensor
    // expected-error @below {{expected a tensor that is known where its sizes change in place}}
    %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  }
  return %t : !jit.tensor
}
