// RUN: jit-opt %s --jit-split-complex --verify-diagnostics

func.func @value(%x: !jit.tensor<[3],complex<f32>>, %re: f64, %im: f64) -> !jit.tensor<[3],complex<f32>> {
  %z = jit.complex %re, %im
  // expected-error@+1 {{expected a real number as argument 3 of aten.addcmul, got a complex one}}
  %0 = aten.addcmul %x, %x, %x, %z : (!jit.tensor<[3],complex<f32>>, !jit.tensor<[3],complex<f32>>, !jit.tensor<[3],complex<f32>>, complex<f64>) -> !jit.tensor<[3],complex<f32>>
  return %0 : !jit.tensor<[3],complex<f32>>
}
