// RUN: jit-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants() -> !jit.str {
  %text = jit.constant !jit.str = "rates {}, at {} and {}: {}"
  %a = arith.constant 8000 : i64
  %b = arith.constant 16000 : i64
  %half = arith.constant 0.5 : f64
  %two = arith.constant 2.0 : f64
  %true = arith.constant true
  %list = jit.list %a, %b : (i64, i64) -> !jit.list<i64>
  // CHECK: jit.constant !jit.str = "rates [8000, 16000], at 0.5 and 2.: True"
  %r = jit.format %text (%list, %half, %two, %true : !jit.list<i64>, f64, f64, i1)
  return %r : !jit.str
}

// CHECK-LABEL: func.func @open
func.func @open(%n: i64) -> !jit.str {
  %text = jit.constant !jit.str = "got {}"
  // CHECK: jit.format
  %r = jit.format %text (%n : i64)
  return %r : !jit.str
}
