// RUN: jit-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @parts
// CHECK-SAME: (%[[RE:.*]]: f64, %[[IM:.*]]: f64)
func.func @parts(%re: f64, %im: f64) -> (f64, f64) {
  %z = jit.complex %re, %im
  // CHECK-NOT: jit.complex
  %a, %b = jit.complex_parts %z
  // CHECK: return %[[IM]], %[[RE]]
  return %b, %a : f64, f64
}

// CHECK-LABEL: func.func @open
func.func @open(%z: complex<f64>) -> f64 {
  // CHECK: jit.complex_parts
  %a, %b = jit.complex_parts %z
  return %a : f64
}
