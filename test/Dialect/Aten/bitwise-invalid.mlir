// Bits are those of integers and bools.
// RUN: jit-opt %s --jit-infer-types --split-input-file --verify-diagnostics

func.func @floats(%x: !jit.tensor<[2],f32>, %n: i64) -> !jit.tensor {
  // expected-error @below {{expected integers or bools, got f32}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.bitwise_xor.Scalar %x, %n : (!jit.tensor<[2],f32>, i64) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

func.func @not(%x: !jit.tensor<[2],f64>) -> !jit.tensor {
  // expected-error @below {{expected integers or bools, got f64}}
  // expected-error @below {{failed to infer returned types}}
  %0 = aten.bitwise_not %x : (!jit.tensor<[2],f64>) -> !jit.tensor
  return %0 : !jit.tensor
}
