// RUN: jit-opt %s --jit-lower-tuples --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @loop
func.func @loop(%n: i64, %z: complex<f64>) -> complex<f64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // CHECK: %[[RE:.*]], %[[IM:.*]] = jit.complex_parts
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[RE]], %[[B:.*]] = %[[IM]]) -> (f64, f64)
  %r = scf.for %i = %zero to %n step %one iter_args(%w = %z) -> complex<f64> : i64 {
    // CHECK: %[[W:.*]] = jit.complex %[[A]], %[[B]]
    // CHECK: %[[N:.*]] = aten.neg.complex %[[W]]
    %0 = aten.neg.complex %w : (complex<f64>) -> complex<f64>
    // CHECK: scf.yield %{{.*}}, %{{.*}} : f64, f64
    scf.yield %0 : complex<f64>
  }
  // CHECK: %[[Z:.*]] = jit.complex %[[R]]#0, %[[R]]#1
  // CHECK: return %[[Z]]
  return %r : complex<f64>
}
