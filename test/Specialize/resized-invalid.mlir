// RUN: jit-opt %s --jit-specialize="args=f32[6]" --verify-diagnostics

// What the memory of an argument holds behind the argument is not known.

func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %eight = arith.constant 8 : i64
  %none = jit.constant !jit.none = unit
  %row = jit.list %eight : (i64) -> !jit.list<i64>
  %more = aten._resized %x, %row, %none : (!jit.tensor, !jit.list<i64>, !jit.none) -> !jit.tensor
  // expected-error @below {{expected a tensor that is resized to have room for that in its memory, or one that the program made, got 2 elements too many}}
  %1 = jit.become %x, %more : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x : !jit.tensor
}
