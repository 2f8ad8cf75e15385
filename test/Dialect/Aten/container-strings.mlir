// RUN: jit-opt %s --jit-specialize="args=3" | FileCheck %s

// What is known of a string folds.
// CHECK-LABEL: func.func @forward
func.func @forward(%n: i64) -> (i64, i64, i1, i1, i64) {
  %zero = arith.constant 0 : i64
  %m1 = arith.constant -1 : i64
  %one = arith.constant 1 : i64
  %none = jit.constant !jit.none = unit
  %text = jit.constant !jit.str = " Ab-C "
  %blank = jit.constant !jit.str = " "
  %dash = jit.constant !jit.str = "-"
  %low = aten.lower %text : (!jit.str) -> !jit.str
  %strip = aten.strip %low, %blank : (!jit.str, !jit.str) -> !jit.str
  %parts = aten.split.str %strip, %dash, %m1 : (!jit.str, !jit.str, i64) -> !jit.list<!jit.str>
  %count = aten.len.t %parts : (!jit.list<!jit.str>) -> i64
  %joined = aten.join %blank, %parts : (!jit.str, !jit.list<!jit.str>) -> !jit.str
  %length = aten.len.str %joined : (!jit.str) -> i64
  %number = aten.str %n : (i64) -> !jit.str
  %digits = jit.constant !jit.str = "3"
  %same = aten.eq.str %number, %digits : (!jit.str, !jit.str) -> i1
  %tail = aten.slice.str %strip, %one, %none, %one : (!jit.str, i64, !jit.none, i64) -> !jit.str
  %starts = aten.startswith %tail, %strip, %zero, %m1 : (!jit.str, !jit.str, i64, i64) -> i1
  %place = aten.find %strip, %dash, %zero, %m1 : (!jit.str, !jit.str, i64, i64) -> i64
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
  // CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : i64
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK: return %[[TWO]], %[[FOUR]], %[[T]], %[[F]], %[[TWO]]
  return %count, %length, %same, %starts, %place : i64, i64, i1, i1, i64
}
