// RUN: jit-opt %s --jit-infer-types --jit-decompose | FileCheck %s

// Of an int and a float PyTorch takes the quotient in f32, of 32 bits of the int, and the rest in f64.
// CHECK-LABEL: func.func @forward(
//  CHECK-SAME:   %[[X:.*]]: f64, %[[N:.*]]: i64)
//   CHECK-DAG:   %[[SINGLE:.*]] = arith.truncf %[[X]] : f64 to f32
//   CHECK-DAG:   arith.trunci %[[N]] : i64 to i32
//       CHECK:   jit.guard %{{.*}}, "builtins.ZeroDivisionError", "float divmod()"
//       CHECK:   %[[RATIO:.*]] = arith.divf %[[SINGLE]], %{{.*}} : f32
//       CHECK:   %[[Q:.*]] = arith.extf %{{.*}} : f32 to f64
//       CHECK:   %[[R:.*]] = arith.subf %{{.*}}, %{{.*}} : f64
//       CHECK:   return %[[Q]], %[[R]]
func.func @forward(%x: f64, %n: i64) -> (f64, f64) {
  %q, %r = aten.divmod.float_int %x, %n : (f64, i64) -> (f64, f64)
  return %q, %r : f64, f64
}
