// RUN: jit-opt %s --jit-specialize="args=f32[2,3],?int" --split-input-file --verify-diagnostics

func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %c = aten.Bool.Tensor %s : (!jit.tensor) -> i1
  // expected-error @below {{got an argument, which changes only if data choose a branch}}
  scf.if %c {
    %u = aten.t %x : (!jit.tensor) -> !jit.tensor
    %b = jit.become %x, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  }
  return %x : !jit.tensor
}

// -----

func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = aten.relu %x : (!jit.tensor) -> !jit.tensor
  scf.for %i = %zero to %n step %one : i64 {
    %u = aten.t %t : (!jit.tensor) -> !jit.tensor
    // expected-error @below {{expected a tensor that is known where its sizes change in place}}
    %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  }
  return %t : !jit.tensor
}
