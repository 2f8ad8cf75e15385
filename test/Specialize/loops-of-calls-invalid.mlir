// RUN: jit-opt %s --jit-specialize="args=f32[5,4],?int" --verify-diagnostics

// A string that changes in as many trips as the call tells.

func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.str {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = jit.constant !jit.str = "a"
  %b = jit.constant !jit.str = "b"
  // expected-error @below {{expected a string or dict that does not change in a loop of unknown or many trips}}
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> (!jit.str) : i64 {
    scf.yield %b : !jit.str
  }
  return %r : !jit.str
}
