// RUN: jit-opt %s --jit-differentiate="entry=forward" --canonicalize --cse | FileCheck %s
// RUN: jit-opt %s --jit-differentiate="entry=view" --canonicalize --cse | FileCheck %s --check-prefix=VIEW
// RUN: jit-opt %s --jit-differentiate="entry=both" --canonicalize --cse | FileCheck %s --check-prefix=BOTH
// RUN: jit-opt %s --jit-differentiate="entry=trips" --canonicalize --cse | FileCheck %s --check-prefix=TRIPS

// Only one way of the branch uses the reciprocal: in calls that take the other its gradient is absent, and what its rule makes of
// zeros, which may be NaN, is not seen.
// CHECK-LABEL: func.func @forward(
// CHECK: scf.if %[[C:.*]] -> (!jit.tensor<[3],f32>) {
// CHECK: %[[RULE:.*]] = aten.neg
// CHECK: %[[GIVEN:.*]] = scf.if %[[C]] -> (!jit.tensor<[3],f32>) {
// CHECK-NEXT: scf.yield %[[RULE]]
// CHECK: } else {
// CHECK: aten.zeros_like
// CHECK: return %{{.*}}, %[[GIVEN]]
func.func @forward(%x: !jit.tensor<[3],f32> {jit.requires_grad}, %y: !jit.tensor<[3],f32>, %c: i1) -> !jit.tensor<[3],f32> {
  %r = aten.reciprocal %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %z = scf.if %c -> (!jit.tensor<[3],f32>) {
    %m = aten.mul.Tensor %r, %y : (!jit.tensor<[3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
    scf.yield %m : !jit.tensor<[3],f32>
  } else {
    scf.yield %y : !jit.tensor<[3],f32>
  }
  return %z : !jit.tensor<[3],f32>
}

// Zeros stay zeros through views: nothing is chosen.
// VIEW-LABEL: func.func @view(
// VIEW-COUNT-2: scf.if
// VIEW-NOT: scf.if
// VIEW: return
func.func @view(%x: !jit.tensor<[3],f32> {jit.requires_grad}, %y: !jit.tensor<[2],f32>, %c: i1) -> !jit.tensor<[2],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %v = aten.slice.Tensor %x, %0, %0, %2, %1 : (!jit.tensor<[3],f32>, i64, i64, i64, i64) -> !jit.tensor<[2],f32>
  %z = scf.if %c -> (!jit.tensor<[2],f32>) {
    %m = aten.mul.Tensor %v, %y : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
    scf.yield %m : !jit.tensor<[2],f32>
  } else {
    scf.yield %y : !jit.tensor<[2],f32>
  }
  return %z : !jit.tensor<[2],f32>
}

// Both ways use it.
// BOTH-LABEL: func.func @both(
// BOTH-COUNT-2: scf.if
// BOTH-NOT: scf.if
// BOTH: return
func.func @both(%x: !jit.tensor<[3],f32> {jit.requires_grad}, %y: !jit.tensor<[3],f32>, %c: i1) -> !jit.tensor<[3],f32> {
  %r = aten.reciprocal %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %z = scf.if %c -> (!jit.tensor<[3],f32>) {
    %m = aten.mul.Tensor %r, %y : (!jit.tensor<[3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
    scf.yield %m : !jit.tensor<[3],f32>
  } else {
    scf.yield %r : !jit.tensor<[3],f32>
  }
  return %z : !jit.tensor<[3],f32>
}

// A loop that may make no trip.
// TRIPS-LABEL: func.func @trips(
// TRIPS: %[[ANY:.*]] = arith.cmpi sgt, %{{.*}}, %{{.*}} : i64
// TRIPS: scf.if %[[ANY]]
// TRIPS: aten.zeros_like
func.func @trips(%x: !jit.tensor<[3],f32> {jit.requires_grad}, %y: !jit.tensor<[3],f32>, %n: i64) -> !jit.tensor<[3],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %r = aten.reciprocal %x : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  %z = scf.for %i = %0 to %n step %1 iter_args(%sum = %y) -> (!jit.tensor<[3],f32>) : i64 {
    %m = aten.mul.Tensor %r, %sum : (!jit.tensor<[3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
    scf.yield %m : !jit.tensor<[3],f32>
  }
  return %z : !jit.tensor<[3],f32>
}
