// RUN: jit-opt %s --jit-infer-types --jit-decompose | FileCheck %s

// A tensor that stands for a number without being asked has no dimensions, and is of integers where an int is asked for.
// CHECK-LABEL: func.func @forward(
// CHECK: %[[NO:.*]] = arith.constant false
// CHECK: jit.guard %[[NO]], "builtins.RuntimeError", "Cannot input a tensor of dimension other than 0 as a scalar argument"
// CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "Cannot input a tensor of another type as an integral argument"
// CHECK-NOT: jit.guard
// CHECK: aten.item %arg1
func.func @forward(%row: !jit.tensor<[1],f32>, %x: !jit.tensor<[],f32>) -> (f64, i64, f64) {
  %0 = aten.FloatImplicit %row : (!jit.tensor<[1],f32>) -> f64
  %1 = aten.IntImplicit %x : (!jit.tensor<[],f32>) -> i64
  %2 = aten.FloatImplicit %x : (!jit.tensor<[],f32>) -> f64
  return %0, %1, %2 : f64, i64, f64
}
