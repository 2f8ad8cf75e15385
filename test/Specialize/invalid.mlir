// RUN: jit-opt %s --jit-specialize="args=f32[4],f32[3]" --verify-diagnostics --split-input-file

func.func @forward(%a: !jit.tensor, %b: !jit.tensor) -> !jit.tensor {
  // expected-error@+1 {{expected operands that broadcast, got sizes 4 and 3 at dimension -1}}
  %r = aten.mul.Tensor %a, %b : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %r : !jit.tensor
}

// -----

// expected-error@+1 {{expected argument 1 of type int, got a tensor}}
func.func @forward(%a: !jit.tensor, %n: i64) -> !jit.tensor {
  return %a : !jit.tensor
}

// -----

// expected-error@+1 {{expected argument 2 of 'forward', which has no default}}
func.func @forward(%a: !jit.tensor, %b: !jit.tensor, %n: i64) -> !jit.tensor {
  return %a : !jit.tensor
}
