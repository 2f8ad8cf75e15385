// RUN: jit-opt %s --jit-specialize="args=-7,3,?int,-2.75,?float" | FileCheck %s

// Numbers of the math module fold where they are known, and are checked as Python checks them where they are not.
// CHECK-LABEL: func.func @forward(
//  CHECK-SAME:   %[[N:[a-z0-9]+]]: i64 {{.*}}, %[[X:[a-z0-9]+]]: f64
//       CHECK:   %[[SIGN:.*]] = arith.cmpi sge, %[[N]]
//       CHECK:   jit.guard %[[SIGN]], "builtins.ValueError", "factorial() not defined for negative values"
//       CHECK:   scf.while
//       CHECK:   arith.cmpf une, %[[X]]
//       CHECK:   jit.guard %{{.*}}, "builtins.ZeroDivisionError", "float divmod()"
func.func @forward(%a: i64, %b: i64, %n: i64, %x: f64, %y: f64) -> (i64, i64, i64, f64, f64, i64, f64) {
  %l = aten.__lshift__.int %a, %b : (i64, i64) -> i64
  %q, %r = aten.divmod.int %a, %b : (i64, i64) -> (i64, i64)
  %fraction, %whole = aten.modf %x : (f64) -> (f64, f64)
  %f = aten.factorial.int %n : (i64) -> i64
  %d, %left = aten.divmod.float %x, %y : (f64, f64) -> (f64, f64)
  return %l, %q, %r, %fraction, %whole, %f, %left : i64, i64, i64, f64, f64, i64, f64
}
