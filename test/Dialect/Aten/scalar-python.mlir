// RUN: jit-opt %s --jit-specialize="args=-7,2,?int" | FileCheck %s

// Division and remainder as in Python: towards minus infinity, with the sign of the divisor.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i64
func.func @forward(%a: i64, %b: i64, %n: i64) -> (i64, i64, f64, i64) {
  %q = aten.floordiv.int %a, %b : (i64, i64) -> i64
  %r = aten.remainder.int %a, %b : (i64, i64) -> i64
  %d = aten.div.int %a, %b : (i64, i64) -> f64
  // An unknown divisor is checked.
  // CHECK-DAG: %[[Q:.*]] = arith.constant -4 : i64
  // CHECK-DAG: %[[R:.*]] = arith.constant 1 : i64
  // CHECK-DAG: %[[D:.*]] = arith.constant -3.5{{.*}} : f64
  // CHECK: %[[OK:.*]] = arith.cmpi ne, %[[N]]
  // CHECK: jit.guard %[[OK]], "builtins.ZeroDivisionError"
  %m = aten.floordiv.int %a, %n : (i64, i64) -> i64
  // CHECK: return %[[Q]], %[[R]], %[[D]]
  return %q, %r, %d, %m : i64, i64, f64, i64
}
