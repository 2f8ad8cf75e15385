// RUN: jit-opt %s --jit-verify-stage=stage=gradients --verify-diagnostics

func.func @asks(%x: !jit.tensor<[2],f32>) {
  // expected-error @below {{expected no gradient to be asked for after Gradients}}
  %0 = aten._variable %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  return
}
