// RUN: jit-opt %s --jit-split-complex --verify-diagnostics

func.func @asin(%a: !jit.tensor<[4],complex<f32>>) -> !jit.tensor<[4],complex<f32>> {
  // expected-error@+1 {{expected an operator that takes complex tensors, got aten.asin}}
  %0 = aten.asin %a : (!jit.tensor<[4],complex<f32>>) -> !jit.tensor<[4],complex<f32>>
  return %0 : !jit.tensor<[4],complex<f32>>
}
