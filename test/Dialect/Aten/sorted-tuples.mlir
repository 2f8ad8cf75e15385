// RUN: jit-opt %s --jit-specialize="args=[(2,\"b\"),(1,\"z\"),(2,\"a\")]" | FileCheck %s

// Tuples of what is known are in Python's order.
// CHECK-LABEL: func.func @forward()
// CHECK-SAME: {value = ["list", ["tuple", 0, "z"], ["tuple", 1, "a"], ["tuple", 2, "b"]]}
// CHECK: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: %[[OTHER:.*]] = arith.constant 2 : i64
// CHECK: return %[[ONE]], %[[OTHER]], %[[TWO]]
func.func @forward(%l: !jit.list<!jit.tuple<i64, !jit.str>>) -> !jit.list<!jit.tuple<i64, !jit.str>> {
  %s = aten.sorted.any %l : (!jit.list<!jit.tuple<i64, !jit.str>>) -> !jit.list<!jit.tuple<i64, !jit.str>>
  return %s : !jit.list<!jit.tuple<i64, !jit.str>>
}
