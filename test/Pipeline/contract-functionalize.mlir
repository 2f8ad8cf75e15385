// RUN: jit-opt %s --jit-verify-stage=stage=functionalize --verify-diagnostics

func.func @writes(%x: !jit.tensor<[2],f32>, %y: !jit.tensor<[2],f32>) {
  // expected-error @below {{expected nothing to be written after Functionalize}}
  %0 = jit.overwrite %x, %y : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
  return
}
