// RUN: jit-opt %s --jit-propagate-absent --canonicalize | FileCheck %s

!t = !jit.tensor<[4],f32>

// The other addend is multiplied where the operator says so, which it does with the second one.
// CHECK-LABEL: func.func @second
// CHECK-SAME: %[[G:[a-z0-9]+]]: !jit.tensor<[4],f32>, %[[N:[a-z0-9]+]]: i64
// CHECK: %[[PRODUCT:.*]] = aten.mul.Scalar %[[G]], %[[N]]
// CHECK: return %[[PRODUCT]]
func.func @second(%g: !t, %n: i64) -> !t {
  %u = jit.absent : !t
  %0 = aten.add.Tensor %u, %g, %n : (!t, !t, i64) -> !t
  return %0 : !t
}

// CHECK-LABEL: func.func @first
// CHECK-SAME: %[[G:[a-z0-9]+]]: !jit.tensor<[4],f32>
// CHECK-NEXT: return %[[G]]
func.func @first(%g: !t, %n: i64) -> !t {
  %u = jit.absent : !t
  %0 = aten.add.Tensor %g, %u, %n : (!t, !t, i64) -> !t
  return %0 : !t
}

// An addend that is broadcast to the sizes of the sum is not the sum.
// CHECK-LABEL: func.func @broadcast
// CHECK-SAME: %[[G:[a-z0-9]+]]: !jit.tensor<[1],f32>
// CHECK: %[[ZEROS:.*]] = aten.zeros
// CHECK: %[[SUM:.*]] = aten.add.Tensor %[[ZEROS]], %[[G]]
// CHECK: return %[[SUM]]
func.func @broadcast(%g: !jit.tensor<[1],f32>) -> !t {
  %one = arith.constant 1 : i64
  %u = jit.absent : !t
  %0 = aten.add.Tensor %u, %g, %one : (!t, !jit.tensor<[1],f32>, i64) -> !t
  return %0 : !t
}

// Where both addends are there nothing is to be said.
// CHECK-LABEL: func.func @both
// CHECK: aten.add.Tensor %arg0, %arg1, %arg2
func.func @both(%g: !t, %h: !t, %n: i64) -> !t {
  %0 = aten.add.Tensor %g, %h, %n : (!t, !t, i64) -> !t
  return %0 : !t
}

// No sum: the zeros are needed.
// CHECK-LABEL: func.func @difference
// CHECK: %[[ZEROS:.*]] = aten.zeros
// CHECK: aten.sub.Tensor %[[ZEROS]], %arg0
func.func @difference(%g: !t) -> !t {
  %one = arith.constant 1 : i64
  %u = jit.absent : !t
  %0 = aten.sub.Tensor %u, %g, %one : (!t, !t, i64) -> !t
  return %0 : !t
}
