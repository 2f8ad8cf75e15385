// How constants of all kinds print, as TorchScript has it.
// RUN: jit-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @containers
// CHECK: jit.constant !jit.str = "(8000,) {a: 0.5} 0.5-8000.j None left"
func.func @containers() -> !jit.str {
  %text = jit.constant !jit.str = "{} {} {} {} left"
  %n = arith.constant 8000 : i64
  %half = arith.constant 0.5 : f64
  %minus = arith.constant -8000.0 : f64
  %a = jit.constant !jit.str = "a"
  %none = jit.constant !jit.none = unit
  %tuple = jit.tuple %n : (i64) -> !jit.tuple<i64>
  %dict = jit.dict keys(%a : !jit.str) values(%half : f64) : !jit.dict<!jit.str, f64>
  %z = jit.complex %half, %minus
  %r = jit.format %text (%tuple, %dict, %z, %none, %n : !jit.tuple<i64>, !jit.dict<!jit.str, f64>, complex<f64>, !jit.none, i64)
  return %r : !jit.str
}

// CHECK-LABEL: func.func @conversions
// CHECK: jit.constant !jit.str = "A 8 -2147483648 0.500000 5.000000E-01 % [8, 8]"
func.func @conversions() -> !jit.str {
  %text = jit.constant !jit.str = "%c %d %i %f %E %% %s"
  %code = arith.constant 65 : i64
  %n = arith.constant 8 : i64
  %far = arith.constant 3.7e10 : f64
  %half = arith.constant 0.5 : f64
  %list = jit.list %n, %n : (i64, i64) -> !jit.list<i64>
  %r = jit.format %text (%code, %n, %far, %half, %half, %list : i64, i64, f64, f64, f64, !jit.list<i64>) {percent}
  return %r : !jit.str
}
