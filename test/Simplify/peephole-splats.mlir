// RUN: jit-opt %s --jit-peephole --canonicalize | FileCheck %s

// The gradient of a sum is ones: a slice of it is ones, and ones that are added are a number. f16 would round
// the number first.

// CHECK-LABEL: func.func @forward
//  CHECK-SAME: (%[[X:.*]]: !jit.tensor<[4],f32>, %[[H:.*]]: !jit.tensor<[4],f16>, %[[I:.*]]: i64)
//   CHECK-NOT: aten.select.int
//       CHECK: aten.add.Scalar %[[X]], %{{.*}}
//       CHECK: aten.mul.Scalar %[[X]], %{{.*}}
//       CHECK: aten.add.Tensor %[[H]], %{{.*}}
func.func @forward(%x: !jit.tensor<[4],f32>, %h: !jit.tensor<[4],f16>, %i: i64)
    -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f16>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %3 = arith.constant 3 : i64
  %4 = arith.constant 4 : i64
  %half = arith.constant 5 : i64
  %single = arith.constant 6 : i64
  %number = arith.constant 0.1 : f64
  %none = jit.constant !jit.none = unit
  %sizes = jit.list %3, %4 : (i64, i64) -> !jit.list<i64>
  %row = jit.list %4 : (i64) -> !jit.list<i64>
  %ones = aten.full %sizes, %number, %single, %none, %none, %none : (!jit.list<i64>, f64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[3,4],f32>
  %a = aten.select.int %ones, %0, %i : (!jit.tensor<[3,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
  %b = aten.full %row, %number, %half, %none, %none, %none : (!jit.list<i64>, f64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4],f16>
  %r = aten.add.Tensor %a, %x, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %s = aten.mul.Tensor %a, %x : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %t = aten.add.Tensor %h, %b, %1 : (!jit.tensor<[4],f16>, !jit.tensor<[4],f16>, i64) -> !jit.tensor<[4],f16>
  return %r, %s, %t : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f16>
}
