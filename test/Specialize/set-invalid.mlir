// RUN: jit-opt %s --jit-specialize="args=f32[6],f32[2]" --verify-diagnostics

// A tensor of the caller's does not become another one.

func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %other = aten.alias %y : (!jit.tensor) -> !jit.tensor
  // expected-error @below {{expected set_ of a tensor that the program made}}
  %1 = jit.become %x, %other {jit.other} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x : !jit.tensor
}
