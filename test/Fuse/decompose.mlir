// RUN: jit-opt %s --jit-decompose | FileCheck %s

// CHECK-LABEL: func.func @forward
//       CHECK: aten.sum.dim_IntList
//   CHECK-NOT: aten.mean
func.func @forward(%x: !jit.tensor<[4,4],f32>) -> !jit.tensor<[],f32> {
  %none = jit.constant !jit.none = unit
  %0 = aten.mean %x, %none : (!jit.tensor<[4,4],f32>, !jit.none) -> !jit.tensor<[],f32>
  return %0 : !jit.tensor<[],f32>
}
