// RUN: rm -rf %t && mkdir %t
// RUN: jit-reduce %s --input='f32[1]' --time=0.9 --output=%t/small.mlir --seed-fault="after=fuse kind=slow op=aten.relu" | FileCheck %s

// CHECK: small.mlir: 1 of 2 operators
func.func @forward(%x: !jit.tensor<[1],f32>) -> !jit.tensor<[1],f32> {
  %b = aten.tanh %x : (!jit.tensor<[1],f32>) -> !jit.tensor<[1],f32>
  %c = aten.relu %b : (!jit.tensor<[1],f32>) -> !jit.tensor<[1],f32>
  return %c : !jit.tensor<[1],f32>
}
