// RUN: jit-opt %s --jit-expand-math | FileCheck %s

// CHECK-LABEL: func.func @polynomials(
// CHECK-NOT:     math.{{exp|exp2|tanh|erf|sin}} %
// CHECK:         return
func.func @polynomials(%x: f32, %h: f16) -> (f32, f32, f32, f32, f32, f16) {
  %a = math.exp %x : f32
  %b = math.tanh %x : f32
  %c = math.erf %x : f32
  %d = math.sin %x : f32
  %e = math.exp %h : f16
  %g = math.exp2 %x : f32
  return %a, %b, %c, %d, %g, %e : f32, f32, f32, f32, f32, f16
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

// Arguments below the normal numbers get more digits before the polynomial sees them.
// CHECK-LABEL: func.func @logarithm(
// CHECK-SAME:      %[[X:.*]]: f32
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant 1.17549435E-38 : f32
// CHECK-DAG:     %[[MORE:.*]] = arith.constant 0x4C000000 : f32
// CHECK:         %[[NORMAL:.*]] = arith.cmpf oge, %[[X]], %[[LEAST]] : f32
// CHECK:         %[[SCALED:.*]] = arith.mulf %[[X]], %[[MORE]] : f32
// CHECK:         arith.select %[[NORMAL]], %[[X]], %[[SCALED]] : f32
func.func @logarithm(%x: f32) -> f32 {
  %a = math.log %x : f32
  return %a : f32
}

// One exponential, no branch near zero.
// CHECK-LABEL: func.func @hyperbolic(
// CHECK-NOT:     arith.cmpf oge
// CHECK:         arith.divf
// CHECK-NEXT:    math.copysign
func.func @hyperbolic(%x: f32) -> f32 {
  %a = math.tanh %x : f32
  return %a : f32
}

// Two polynomials and one exponential; nothing is divided.
// CHECK-LABEL: func.func @error(
// CHECK-NOT:     arith.divf
// CHECK-NOT:     math.e
// CHECK:         math.copysign
func.func @error(%x: f32) -> f32 {
  %a = math.erf %x : f32
  return %a : f32
}

// What follows a product is computed on vectors.
// CHECK-LABEL: func.func @vectors(
// CHECK-NOT:     math.{{exp|exp2|tanh|erf|sin|log}} %
// CHECK:         return
func.func @vectors(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %a = math.exp %x : vector<16xf32>
  %b = math.tanh %x : vector<16xf32>
  %c = math.erf %x : vector<16xf32>
  %d = math.sin %x : vector<16xf32>
  %e = math.exp2 %x : vector<16xf32>
  %f = math.log %x : vector<16xf32>
  return %a, %b, %c, %d, %e, %f : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
}
