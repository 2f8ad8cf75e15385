// RUN: jit-opt %s --jit-verify-stage=stage=infer --split-input-file --verify-diagnostics

func.func @unknown(%x: !jit.tensor<[2],f32>) {
  // expected-error @below {{expected tensors of known rank and element type after Infer}}
  %0 = aten.tanh %x : (!jit.tensor<[2],f32>) -> !jit.tensor
  return
}

// -----

// Sizes may be open.
func.func @open(%x: !jit.tensor<[?],f32>) {
  return
}
