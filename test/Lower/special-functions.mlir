// RUN: jit-opt %s --jit-lower | FileCheck %s

// In double precision whatever the element type.
// CHECK-LABEL: func.func @lgamma(
//       CHECK: linalg.generic
//       CHECK: arith.extf %{{.*}} : f32 to f64
//       CHECK: math.log %{{.*}} : f64
//       CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @lgamma(%a: !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32> {
  %r = aten.lgamma %a : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  return %r : !jit.tensor<[3],f32>
}

// A recurrence is a loop of as many trips as the element says, within bounds.
// CHECK-LABEL: func.func @hermite(
//       CHECK: linalg.generic
//       CHECK: %[[TRIPS:.*]] = arith.minimumf
//       CHECK: scf.for
func.func @hermite(%x: !jit.tensor<[3],f32>, %n: !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32> {
  %r = aten.special_hermite_polynomial_h %x, %n : (!jit.tensor<[3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
  return %r : !jit.tensor<[3],f32>
}
