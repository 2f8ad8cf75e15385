// RUN: jit-opt %s --split-input-file --jit-peephole | FileCheck %s

// Integers that floats are multiplied by are floats: 3 * 5 is not what two roundings give, nor is 2 * 3, nor 3 * 2. A negative power of
// two is one; an infinity, NaN and 0 are none.

// CHECK-LABEL: func.func @floats
// CHECK-COUNT-6: aten.mul.Scalar
//       CHECK: return
func.func @floats(%x: !jit.tensor<[4],f32>) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>) {
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %five = arith.constant 5 : i64
  %0 = aten.mul.Scalar %x, %three : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %1 = aten.mul.Scalar %0, %five : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Scalar %x, %two : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %3 = aten.mul.Scalar %2, %three : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %4 = aten.mul.Scalar %x, %five : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %5 = aten.mul.Scalar %4, %two : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  return %1, %3, %5 : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
}

// -----

// CHECK-LABEL: func.func @divisors
//   CHECK-DAG: %[[HALF:.*]] = arith.constant -5.000000e-01 : f64
//       CHECK: aten.mul.Scalar %{{.*}}, %[[HALF]]
// CHECK-COUNT-3: aten.div.Scalar
//       CHECK: return
func.func @divisors(%x: !jit.tensor<[4],f32>) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>) {
  %two = arith.constant -2 : i64
  %zero = arith.constant 0 : i64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %0 = aten.div.Scalar %x, %two : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %1 = aten.div.Scalar %x, %zero : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %2 = aten.div.Scalar %x, %inf : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  %3 = aten.div.Scalar %x, %nan : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  return %0, %1, %2, %3 : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
}

// -----

// A term of 0 is scaled by 1 alone, and is none where it is not 0; integers have one zero, of either sign.

// CHECK-LABEL: func.func @terms
//  CHECK-SAME: (%[[X:.*]]: !jit.tensor<[4],f32>, %[[I:.*]]: !jit.tensor<[4],i64>)
// CHECK-COUNT-3: aten.{{add|sub}}.Scalar
//   CHECK-NOT: aten.
//       CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %[[X]], %[[I]]
func.func @terms(%x: !jit.tensor<[4],f32>, %i: !jit.tensor<[4],i64>) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],i64>, !jit.tensor<[4],f32>, !jit.tensor<[4],i64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %negative = arith.constant -0.0 : f64
  %0 = aten.add.Scalar %x, %one, %one : (!jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[4],f32>
  %1 = aten.add.Scalar %x, %negative, %two : (!jit.tensor<[4],f32>, f64, i64) -> !jit.tensor<[4],f32>
  %2 = aten.sub.Scalar %i, %one, %one : (!jit.tensor<[4],i64>, i64, i64) -> !jit.tensor<[4],i64>
  %3 = aten.add.Scalar %x, %negative, %one : (!jit.tensor<[4],f32>, f64, i64) -> !jit.tensor<[4],f32>
  %4 = aten.sub.Scalar %i, %zero, %one : (!jit.tensor<[4],i64>, i64, i64) -> !jit.tensor<[4],i64>
  return %0, %1, %2, %3, %4 : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],i64>, !jit.tensor<[4],f32>, !jit.tensor<[4],i64>
}
