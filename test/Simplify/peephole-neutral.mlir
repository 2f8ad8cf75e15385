// RUN: jit-opt %s --split-input-file --jit-peephole | FileCheck %s

// A factor of 1 and a subtracted 0 change no bit; an added 0 would make 0 of -0, and an integer divided by 1 a float.

// CHECK-LABEL: func.func @dropped
//  CHECK-SAME: (%[[X:.*]]: !jit.tensor<[4],f32>, %[[I:.*]]: !jit.tensor<[4],i64>)
//   CHECK-NOT: aten.
//       CHECK: return %[[X]], %[[X]], %[[X]], %[[I]], %[[X]]
func.func @dropped(%x: !jit.tensor<[4],f32>, %i: !jit.tensor<[4],i64>)
    -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],i64>, !jit.tensor<[4],f32>) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %none = jit.constant !jit.none = unit
  %0 = aten.mul.Scalar %x, %one : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %1 = aten.div.Scalar %x, %one : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %2 = aten.sub.Scalar %x, %zero, %one : (!jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[4],f32>
  %3 = aten.add.Scalar %i, %zero, %one : (!jit.tensor<[4],i64>, i64, i64) -> !jit.tensor<[4],i64>
  %ones = aten.ones_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4],f32>
  %4 = aten.mul.Tensor %ones, %x : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %0, %1, %2, %3, %4 : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],i64>, !jit.tensor<[4],f32>
}

// -----

// CHECK-LABEL: func.func @kept
//       CHECK: aten.add.Scalar
//       CHECK: aten.sub.Scalar
//       CHECK: aten.div.Scalar
//       CHECK: aten.mul.Scalar
//       CHECK: aten.mul.Tensor
//       CHECK: return
func.func @kept(%x: !jit.tensor<[4],f32>, %i: !jit.tensor<[4],i64>, %row: !jit.tensor<[1],f32>)
    -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>) {
  %one = arith.constant 1 : i64
  %oneFloat = arith.constant 1.0 : f64
  %zero = arith.constant 0 : i64
  %negative = arith.constant -0.0 : f64
  %none = jit.constant !jit.none = unit
  %0 = aten.add.Scalar %x, %zero, %one : (!jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[4],f32>
  %1 = aten.sub.Scalar %x, %negative, %one : (!jit.tensor<[4],f32>, f64, i64) -> !jit.tensor<[4],f32>
  %2 = aten.div.Scalar %i, %one : (!jit.tensor<[4],i64>, i64) -> !jit.tensor<[4],f32>
  %3 = aten.mul.Scalar %i, %oneFloat : (!jit.tensor<[4],i64>, f64) -> !jit.tensor<[4],f32>
  %ones = aten.ones_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4],f32>
  %4 = aten.mul.Tensor %ones, %row : (!jit.tensor<[4],f32>, !jit.tensor<[1],f32>) -> !jit.tensor<[4],f32>
  return %0, %1, %2, %3, %4 : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
}
