// RUN: jit-opt %s --split-input-file --jit-specialize="args=1,2" | FileCheck %s

// Of equal keys the last value counts.
// CHECK-LABEL: func.func @forward
func.func @forward(%a: i64, %b: i64) -> (i64, i64, i64) {
  %x = jit.constant !jit.str = "x"
  %y = jit.constant !jit.str = "y"
  %p = jit.tuple %x, %a : (!jit.str, i64) -> !jit.tuple<!jit.str, i64>
  %q = jit.tuple %y, %a : (!jit.str, i64) -> !jit.tuple<!jit.str, i64>
  %r = jit.tuple %x, %b : (!jit.str, i64) -> !jit.tuple<!jit.str, i64>
  %pairs = jit.list %p, %q, %r : (!jit.tuple<!jit.str, i64>, !jit.tuple<!jit.str, i64>, !jit.tuple<!jit.str, i64>) -> !jit.list<!jit.tuple<!jit.str, i64>>
  %dict = aten.dict.str %pairs : (!jit.list<!jit.tuple<!jit.str, i64>>) -> !jit.dict<!jit.str, i64>
  %n = aten.len.Dict_str %dict : (!jit.dict<!jit.str, i64>) -> i64
  %vx = aten.__getitem__.Dict_str %dict, %x : (!jit.dict<!jit.str, i64>, !jit.str) -> i64
  %vy = aten.__getitem__.Dict_str %dict, %y : (!jit.dict<!jit.str, i64>, !jit.str) -> i64
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
  // CHECK: return %{{.*}}, %[[TWO]], %[[ONE]]
  return %n, %vx, %vy : i64, i64, i64
}
