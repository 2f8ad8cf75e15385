// RUN: jit-opt %s --jit-expand-math | FileCheck %s

// CHECK-LABEL: func.func @polynomials(
// CHECK-NOT:     math.{{exp|tanh|erf|sin }}
// CHECK:         return
func.func @polynomials(%x: f32, %h: f16) -> (f32, f32, f32, f32, f16) {
  %a = math.exp %x : f32
  %b = math.tanh %x : f32
  %c = math.erf %x : f32
  %d = math.sin %x : f32
  %e = math.exp %h : f16
  return %a, %b, %c, %d, %e : f32, f32, f32, f32, f16
}

// Double precision is for the C library; floats may contract.
// CHECK-LABEL: func.func @others(
// CHECK:         math.exp %{{.*}} : f64
// CHECK:         arith.mulf %{{.*}} fastmath<contract> : f64
func.func @others(%x: f64) -> f64 {
  %a = math.exp %x : f64
  %b = arith.mulf %a, %x : f64
  return %b : f64
}
