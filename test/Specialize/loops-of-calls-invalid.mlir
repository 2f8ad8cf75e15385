// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[5,4],?int" --verify-diagnostics

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

// -----

// A list of tensors whose sizes data tell.

func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = jit.list : () -> !jit.list<!jit.tensor>
  %p = aten.nonzero %x : (!jit.tensor) -> !jit.tensor
  // expected-error @below {{expected a list in a loop to grow by one tensor of constant size per trip}}
  %all = scf.for %i = %zero to %n step %one iter_args(%list = %start) -> (!jit.list<!jit.tensor>) : i64 {
    %row = aten.mul.Scalar %p, %i : (!jit.tensor, i64) -> !jit.tensor
    %longer = jit.list_append %list, %row : (!jit.list<!jit.tensor>, !jit.tensor) -> !jit.list<!jit.tensor>
    scf.yield %longer : !jit.list<!jit.tensor>
  }
  %r = aten.cat %all, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  return %r : !jit.tensor
}
