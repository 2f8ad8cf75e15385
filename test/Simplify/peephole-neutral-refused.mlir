// RUN: jit-opt %s --split-input-file --jit-peephole | FileCheck %s

// A 0 that is scaled by an infinity is none, and x - 0.0 is an integer no longer where x was one.

// CHECK-LABEL: func.func @terms
//       CHECK: aten.sub.Scalar
//       CHECK: aten.sub.Scalar
//       CHECK: return
func.func @terms(%x: !jit.tensor<[4],f32>, %i: !jit.tensor<[4],i64>, %alpha: f64) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1 : i64
  %0 = aten.sub.Scalar %x, %zero, %alpha : (!jit.tensor<[4],f32>, f64, f64) -> !jit.tensor<[4],f32>
  %1 = aten.sub.Scalar %i, %zero, %one : (!jit.tensor<[4],i64>, f64, i64) -> !jit.tensor<[4],f32>
  return %0, %1 : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
}

// -----

// Ones divided by x are not x; x divided by ones is. Ones of integers are no number that could be a factor of floats.

// CHECK-LABEL: func.func @ones
//  CHECK-SAME: (%[[X:.*]]: !jit.tensor<[4],f32>, %[[I:.*]]: !jit.tensor<[4],i64>)
//       CHECK: %[[INVERSE:.*]] = aten.div.Tensor
//       CHECK: return %[[INVERSE]], %[[X]], %[[I]]
func.func @ones(%x: !jit.tensor<[4],f32>, %i: !jit.tensor<[4],i64>) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],i64>) {
  %none = jit.constant !jit.none = unit
  %ones = aten.ones_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4],f32>
  %whole = aten.ones_like %i, %none, %none, %none, %none, %none : (!jit.tensor<[4],i64>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4],i64>
  %0 = aten.div.Tensor %ones, %x : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %1 = aten.div.Tensor %x, %ones : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Tensor %whole, %i : (!jit.tensor<[4],i64>, !jit.tensor<[4],i64>) -> !jit.tensor<[4],i64>
  return %0, %1, %2 : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],i64>
}

// -----

// One negative stays; so do two of a tensor that nothing is known of.

// CHECK-LABEL: func.func @negatives
// CHECK-COUNT-4: aten.neg
func.func @negatives(%x: !jit.tensor<[4],f32>, %y: !jit.tensor) -> (!jit.tensor<[4],f32>, !jit.tensor) {
  %0 = aten.exp %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %1 = aten.neg %0 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %2 = aten.exp %1 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %3 = aten.neg %2 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %4 = aten.neg %y : (!jit.tensor) -> !jit.tensor
  %5 = aten.neg %4 : (!jit.tensor) -> !jit.tensor
  return %3, %5 : !jit.tensor<[4],f32>, !jit.tensor
}
