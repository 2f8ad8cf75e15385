// RUN: jit-opt %s --jit-infer-types | FileCheck %s

// Whole until it is lowered, with a number for each matrix.
// CHECK: aten.linalg_det %{{.*}} : (!jit.tensor<[4,3,3],f64>) -> !jit.tensor<[4],f64>
func.func @each(%x: !jit.tensor<[4,3,3],f64>) -> !jit.tensor {
  %0 = aten.linalg_det %x : (!jit.tensor<[4,3,3],f64>) -> !jit.tensor
  return %0 : !jit.tensor
}
