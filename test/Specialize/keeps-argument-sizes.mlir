// RUN: jit-opt %s --jit-specialize="args=none,f32[2,3] keeps-argument-sizes" --split-input-file --verify-diagnostics

func.func @forward(%n: !jit.none, %x: !jit.tensor) -> !jit.tensor {
  %u = aten.t %x : (!jit.tensor) -> !jit.tensor
  // expected-error @below {{expected an argument that keeps its sizes where it is written, got argument 1}}
  %b = jit.become %x, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x : !jit.tensor
}

// -----

// What the program made may change.
func.func @forward(%n: !jit.none, %x: !jit.tensor) -> !jit.tensor {
  %y = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %u = aten.t %y : (!jit.tensor) -> !jit.tensor
  %b = jit.become %y, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}
