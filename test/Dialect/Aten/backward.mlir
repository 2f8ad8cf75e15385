// RUN: jit-opt %s --jit-decompose | FileCheck %s

// What flows back through a threshold passes where self is above it.
// CHECK-LABEL: func.func @threshold(
// CHECK-SAME: %[[G:.*]]: !jit.tensor<[2,3],f32>, %[[X:.*]]: !jit.tensor<[2,3],f32>
// CHECK: %[[LOW:.*]] = aten.le.Scalar %[[X]]
// CHECK: aten.where.ScalarSelf %[[LOW]], %{{.*}}, %[[G]]
func.func @threshold(%g: !jit.tensor<[2,3],f32>, %x: !jit.tensor<[2,3],f32>) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %0 = aten.threshold_backward %g, %x, %zero : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>, i64) -> !jit.tensor
  return %0 : !jit.tensor
}

// That through a part of a tensor stands among zeros.
// CHECK-LABEL: func.func @part(
// CHECK-SAME: %[[G:.*]]: !jit.tensor<[2,3],f32>
// CHECK: aten.select_scatter %{{.*}}, %[[G]], {{.*}}-> !jit.tensor<[2,4,3],f32>
func.func @part(%g: !jit.tensor<[2,3],f32>) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %four = arith.constant 4 : i64
  %sizes = jit.list %two, %four, %three : (i64, i64, i64) -> !jit.list<i64>
  %0 = aten.select_backward %g, %sizes, %one, %two : (!jit.tensor<[2,3],f32>, !jit.list<i64>, i64, i64) -> !jit.tensor
  return %0 : !jit.tensor
}
