// RUN: jit-opt %s --jit-infer-types --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: aten.mT {{.*}} -> !jit.tensor<[2,4,3],f32>
func.func @batch(%x: !jit.tensor<[2,3,4],f32>) -> !jit.tensor {
  %0 = aten.mT %x : (!jit.tensor<[2,3,4],f32>) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

// A tensor without dimensions is itself, as in PyTorch.
// CHECK: aten.mT {{.*}} -> !jit.tensor<[],f32>
func.func @none(%x: !jit.tensor<[],f32>) -> !jit.tensor {
  %0 = aten.mT %x : (!jit.tensor<[],f32>) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

func.func @row(%x: !jit.tensor<[3],f32>) -> !jit.tensor {
  // expected-error @+2 {{expected a dimension from -1 to 0, got -2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = aten.mT %x : (!jit.tensor<[3],f32>) -> !jit.tensor
  return %0 : !jit.tensor
}
