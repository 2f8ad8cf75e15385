// RUN: jit-opt %s --jit-peephole --canonicalize | FileCheck %s

// Factors that are powers of two combine without a rounding; 3 and 0.5 after each other would round twice.

// CHECK-LABEL: func.func @forward
//  CHECK-SAME: (%[[X:.*]]: !jit.tensor<[4],f32>, %[[I:.*]]: !jit.tensor<[4],i32>)
//   CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8.0
//   CHECK-DAG: %[[HALF:.*]] = arith.constant 5.0{{.*}}e-01
//   CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i64
//   CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i64
//       CHECK: %[[A:.*]] = aten.mul.Scalar %[[X]], %[[EIGHT]]
//       CHECK: %[[B:.*]] = aten.mul.Scalar %[[X]], %[[HALF]]
//       CHECK: %[[C:.*]] = aten.mul.Scalar %[[I]], %[[SIX]]
//       CHECK: %[[D:.*]] = aten.div.Scalar %[[X]], %[[THREE]]
//       CHECK: %[[E:.*]] = aten.mul.Scalar %[[X]], %[[THREE]]
//       CHECK: %[[F:.*]] = aten.mul.Scalar %[[E]], %[[HALF]]
//       CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[F]], %[[X]]
func.func @forward(%x: !jit.tensor<[4],f32>, %i: !jit.tensor<[4],i32>)
    -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],i32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>) {
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %four = arith.constant 4 : i64
  %half = arith.constant 0.5 : f64
  %0 = aten.mul.Scalar %x, %two : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %a = aten.mul.Scalar %0, %four : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %b = aten.div.Scalar %x, %two : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %1 = aten.mul.Scalar %i, %two : (!jit.tensor<[4],i32>, i64) -> !jit.tensor<[4],i32>
  %c = aten.mul.Scalar %1, %three : (!jit.tensor<[4],i32>, i64) -> !jit.tensor<[4],i32>
  %d = aten.div.Scalar %x, %three : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %2 = aten.mul.Scalar %x, %three : (!jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
  %e = aten.mul.Scalar %2, %half : (!jit.tensor<[4],f32>, f64) -> !jit.tensor<[4],f32>
  %3 = aten.neg %x : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %f = aten.neg %3 : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %a, %b, %c, %d, %e, %f : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],i32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
}
