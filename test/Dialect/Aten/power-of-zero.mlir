// A power of numbers is guarded only where it may be a negative one of 0.
// RUN: jit-opt %s --split-input-file --jit-specialize="args=?float,?float" | FileCheck %s

// CHECK-LABEL: func.func @forward(
// CHECK: jit.guard %{{.*}}"0.0 cannot be raised to a negative power"
// CHECK: math.powf
func.func @forward(%a: f64, %b: f64) -> f64 {
  %power = aten.pow.float %a, %b : (f64, f64) -> f64
  return %power : f64
}

// -----

// CHECK-LABEL: func.func @forward(
// CHECK-NOT: jit.guard
// CHECK: return
func.func @forward(%a: f64, %b: f64) -> f64 {
  %two = arith.constant 2.0 : f64
  %square = aten.pow.float %a, %two : (f64, f64) -> f64
  %power = aten.pow.float %two, %b : (f64, f64) -> f64
  %sum = arith.addf %square, %power : f64
  return %sum : f64
}
