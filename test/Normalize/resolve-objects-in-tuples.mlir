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

// -----

// So does a tuple in a tuple, and a list of which places are known.
// CHECK-LABEL: func.func @forward
//  CHECK-SAME:   (%[[X:.*]]: i64, %[[Y:.*]]: i64) -> (i64, i64, i64)
//       CHECK:   %[[TWO:.*]] = arith.constant 2
//       CHECK:   return %[[X]], %[[Y]], %[[TWO]]
func.func @forward(%x: i64, %y: i64) -> (i64, i64, i64) {
  %o = jit.create_object : !jit.object<"P">
  jit.set_attr %o["size"] = %x : !jit.object<"P">, i64
  %t = jit.tuple %o, %y : (!jit.object<"P">, i64) -> !jit.tuple<!jit.object<"P">, i64>
  %tt = jit.tuple %t : (!jit.tuple<!jit.object<"P">, i64>) -> !jit.tuple<!jit.tuple<!jit.object<"P">, i64>>
  %u = jit.tuple_unpack %tt : (!jit.tuple<!jit.tuple<!jit.object<"P">, i64>>) -> !jit.tuple<!jit.object<"P">, i64>
  %p:2 = jit.tuple_unpack %u : (!jit.tuple<!jit.object<"P">, i64>) -> (!jit.object<"P">, i64)
  %l = jit.list %p#0, %o : (!jit.object<"P">, !jit.object<"P">) -> !jit.list<!jit.object<"P">>
  %last = arith.constant -1 : i64
  %e = aten.__getitem__.t %l, %last : (!jit.list<!jit.object<"P">>, i64) -> !jit.object<"P">
  %n = aten.len.t %l : (!jit.list<!jit.object<"P">>) -> i64
  %s = jit.get_attr %e["size"] : (!jit.object<"P">) -> i64
  return %s, %p#1, %n : i64, i64, i64
}
