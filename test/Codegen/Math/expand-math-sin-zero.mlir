// RUN: jit-opt %s --jit-expand-math | FileCheck %s

// The sine of a negative zero is negative, which the reduced argument no longer tells.
// CHECK-LABEL: func.func @sine(
// CHECK-SAME:      %[[X:.*]]: f32
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[IS:.*]] = arith.cmpf oeq, %[[X]], %[[ZERO]] : f32
// CHECK:         %[[R:.*]] = arith.select %[[IS]], %[[X]], %{{.*}} : f32
// CHECK-NEXT:    return %[[R]]
func.func @sine(%x: f32) -> f32 {
  %a = math.sin %x : f32
  return %a : f32
}
