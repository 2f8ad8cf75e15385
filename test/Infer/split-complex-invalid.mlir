// RUN: jit-opt %s --jit-split-complex --verify-diagnostics

func.func @erf(%a: !jit.tensor<[4],complex<f32>>) -> !jit.tensor<[4],complex<f32>> {
  // expected-error@+1 {{expected an operator that takes complex tensors, got aten.erf}}
  %0 = aten.erf %a : (!jit.tensor<[4],complex<f32>>) -> !jit.tensor<[4],complex<f32>>
  return %0 : !jit.tensor<[4],complex<f32>>
}
