// t() is of matrices and vectors.
// RUN: jit-opt %s --verify-diagnostics

func.func @volume(%x: !jit.tensor<[2,3,4],f32>) -> !jit.tensor {
  // expected-error @+2 {{expected a tensor of at most 2 dimensions, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %t = aten.t %x : (!jit.tensor<[2,3,4],f32>) -> !jit.tensor
  return %t : !jit.tensor
}
