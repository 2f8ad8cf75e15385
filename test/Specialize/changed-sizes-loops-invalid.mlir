// RUN: jit-opt %s --jit-specialize="args=f32[2,3],?int" --verify-diagnostics

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
