// RUN: jit-opt %s --jit-peephole | FileCheck %s

// The gradient of gates: nothing of the zeros is left once both halves are written. Of three quarters one is.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[ZEROS:.*]] = aten.zeros_like
//       CHECK: %[[NOTHING:.*]] = jit.poison : !jit.tensor<[2,4],f32>
//       CHECK: %[[A:.*]] = aten.slice_scatter %[[NOTHING]]
//       CHECK: aten.slice_scatter %[[A]]
//       CHECK: aten.slice_scatter %[[ZEROS]]
func.func @forward(%x: !jit.tensor<[2,4],f32>, %a: !jit.tensor<[2,2],f32>, %b: !jit.tensor<[2,3],f32>)
    -> (!jit.tensor<[2,4],f32>, !jit.tensor<[2,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %4 = arith.constant 4 : i64
  %none = jit.constant !jit.none = unit
  %zeros = aten.zeros_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[2,4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[2,4],f32>
  %s = aten.slice_scatter %zeros, %a, %1, %2, %4, %1 : (!jit.tensor<[2,4],f32>, !jit.tensor<[2,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[2,4],f32>
  %t = aten.slice_scatter %s, %a, %1, %0, %2, %1 : (!jit.tensor<[2,4],f32>, !jit.tensor<[2,2],f32>, i64, i64, i64, i64) -> !jit.tensor<[2,4],f32>
  %u = aten.slice_scatter %zeros, %b, %1, %1, %4, %1 : (!jit.tensor<[2,4],f32>, !jit.tensor<[2,3],f32>, i64, i64, i64, i64) -> !jit.tensor<[2,4],f32>
  return %t, %u : !jit.tensor<[2,4],f32>, !jit.tensor<[2,4],f32>
}
