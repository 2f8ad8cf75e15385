// RUN: jit-opt %s --jit-specialize="args=f32[2,3],?int" --split-input-file --verify-diagnostics

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
