// RUN: jit-opt %s --jit-decompose | FileCheck %s

// Four neighbours, each where it is inside.
// CHECK-LABEL: func.func @bilinear(
// CHECK-COUNT-4: aten.gather
//     CHECK-NOT: aten.gather
func.func @bilinear(%x: !jit.tensor<[1,2,4,5],f32>, %grid: !jit.tensor<[1,3,3,2],f32>) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %no = arith.constant false
  %r = aten.grid_sampler_2d %x, %grid, %zero, %zero, %no : (!jit.tensor<[1,2,4,5],f32>, !jit.tensor<[1,3,3,2],f32>, i64, i64, i1) -> !jit.tensor
  return %r : !jit.tensor
}

// Strides that leave the tensor stay what they are.
// CHECK-LABEL: func.func @outside(
//       CHECK: aten.as_strided
func.func @outside(%x: !jit.tensor<[4],f32>) -> !jit.tensor<[3],f32> {
  %c3 = arith.constant 3 : i64
  %c2 = arith.constant 2 : i64
  %none = jit.constant !jit.none = unit
  %size = jit.list %c3 : (i64) -> !jit.list<i64>
  %stride = jit.list %c2 : (i64) -> !jit.list<i64>
  %r = aten.as_strided %x, %size, %stride, %none : (!jit.tensor<[4],f32>, !jit.list<i64>, !jit.list<i64>, !jit.none) -> !jit.tensor<[3],f32>
  return %r : !jit.tensor<[3],f32>
}
