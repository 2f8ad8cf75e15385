// RUN: jit-opt %s --jit-fuse-pointwise=remarks --verify-diagnostics

func.func @forward(%x: !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32> {
  // expected-remark@+1 {{'aten.tanh' shares its pass with no other operator}}
  %0 = aten.tanh %x : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  return %0 : !jit.tensor<[4,4],f32>
}
