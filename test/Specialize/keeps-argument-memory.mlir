// RUN: jit-opt %s --jit-specialize="args=none,f32[2,3],f32[2] keeps-argument-memory" --split-input-file --verify-diagnostics

// It has no room for the elements of %v.
func.func @forward(%n: !jit.none, %x: !jit.tensor, %h: !jit.tensor) -> !jit.tensor {
  %v = aten.relu %x : (!jit.tensor) -> !jit.tensor
  // expected-error @below {{expected an argument that keeps its memory where it is written, got argument 2}}
  %w = jit.overwrite %h, %v {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.tanh %h : (!jit.tensor) -> !jit.tensor
  return %t : !jit.tensor
}

// -----

// In its memory it may have other sizes.
func.func @forward(%n: !jit.none, %x: !jit.tensor, %h: !jit.tensor) -> !jit.tensor {
  %u = aten.t %x : (!jit.tensor) -> !jit.tensor
  %b = jit.become %x, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x : !jit.tensor
}
