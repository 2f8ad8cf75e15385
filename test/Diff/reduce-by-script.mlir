// RUN: rm -rf %t && mkdir %t
// RUN: jit-reduce %s --input='f32[4]' --input=2.5 --test=%S/Inputs/has-a-tanh --output=%t/small.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=SMALL --input-file=%t/small.mlir

// A script of the user's own says what is kept.

// CHECK: small.mlir: 1 of 3 operators
// SMALL: aten.tanh
func.func @forward(%x: !jit.tensor<[4],f32>, %f: f64) -> !jit.tensor<[4],f32> {
  %a = aten.mul.Scalar %x, %f : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  %b = aten.tanh %a : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %c = aten.relu %b : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %c : !jit.tensor<[4],f32>
}
