// RUN: jit-opt %s --split-input-file --jit-resolve-objects --verify-diagnostics | FileCheck %s

// A tuple that is taken apart again hands on its objects.
// CHECK-LABEL: func.func @forward
//  CHECK-SAME:   (%[[X:.*]]: i64, %[[Y:.*]]: i64) -> (i64, i64, i64)
//       CHECK:   return %[[X]], %[[Y]], %[[Y]]
func.func @forward(%x: i64, %y: i64) -> (i64, i64, i64) {
  %o = jit.create_object : !jit.object<"P">
  jit.set_attr %o["size"] = %x : !jit.object<"P">, i64
  %t = jit.tuple %o, %y : (!jit.object<"P">, i64) -> !jit.tuple<!jit.object<"P">, i64>
  %p:2 = jit.tuple_unpack %t : (!jit.tuple<!jit.object<"P">, i64>) -> (!jit.object<"P">, i64)
  %i = jit.tuple_index %t[1] : (!jit.tuple<!jit.object<"P">, i64>) -> i64
  %s = jit.get_attr %p#0["size"] : (!jit.object<"P">) -> i64
  return %s, %p#1, %i : i64, i64, i64
}

// -----

func.func @forward(%y: i64) -> !jit.tuple<!jit.object<"P">, i64> {
  %o = jit.create_object : !jit.object<"P">
  // expected-error @below {{expected objects to be used for their attributes alone, got '!jit.object<"P">'}}
  %t = jit.tuple %o, %y : (!jit.object<"P">, i64) -> !jit.tuple<!jit.object<"P">, i64>
  return %t : !jit.tuple<!jit.object<"P">, i64>
}
