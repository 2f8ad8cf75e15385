// RUN: jit-opt %s --jit-resolve-objects | FileCheck %s

// CHECK: module attributes {jit.aliases = {b = "a"}}
jit.slot @"a.weight" : !jit.tensor<[2],f32> = #jit.storage<"data/0", 0, [1]>
jit.slot @count : i64 = 0 : i64
// CHECK-NOT: jit.alias
jit.alias @b = "a"

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !jit.tensor {jit.name = "x"}, %[[C:[a-z0-9]+]]: i1)
func.func @forward(%self: !jit.object<"M"> {jit.self}, %x: !jit.tensor {jit.name = "x"}, %c: i1) -> !jit.tensor {
  // A submodule that is the same one whichever way is taken; under both names it has one state.
  // CHECK: jit.slot_get @a.weight : !jit.tensor
  %sub = scf.if %c -> !jit.object<"Sub"> {
    %a = jit.get_attr %self["a"] : (!jit.object<"M">) -> !jit.object<"Sub">
    scf.yield %a : !jit.object<"Sub">
  } else {
    %b = jit.get_attr %self["b"] : (!jit.object<"M">) -> !jit.object<"Sub">
    scf.yield %b : !jit.object<"Sub">
  }
  %w = jit.get_attr %sub["weight"] : (!jit.object<"Sub">) -> !jit.tensor

  // CHECK: %[[N:.*]] = jit.slot_get @count : i64
  // CHECK: jit.slot_set @count = %[[N]] : i64
  %n = jit.get_attr %self["count"] : (!jit.object<"M">) -> i64
  jit.set_attr %self["count"] = %n : !jit.object<"M">, i64
  %y = aten.add.Tensor %x, %w, %n : (!jit.tensor, !jit.tensor, i64) -> !jit.tensor
  return %y : !jit.tensor
}

// The attributes of an object that lives in this call are values, through branches and loops.
// CHECK-LABEL: func.func @local(
func.func @local(%c: i1, %n: i64) -> i64 {
  %o = jit.create_object : !jit.object<"P">
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  jit.set_attr %o["v"] = %zero : !jit.object<"P">, i64
  // CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[V:.*]] = %[[ZERO]]) -> (i64)
  scf.for %i = %zero to %n step %one : i64 {
    // CHECK: %[[IF:.*]] = scf.if
    scf.if %c {
      // CHECK: %[[SUM:.*]] = arith.addi %[[V]], %[[ONE]]
      %v = jit.get_attr %o["v"] : (!jit.object<"P">) -> i64
      %s = arith.addi %v, %one : i64
      // CHECK: scf.yield %[[SUM]]
      jit.set_attr %o["v"] = %s : !jit.object<"P">, i64
      // CHECK: else
      // CHECK: scf.yield %[[V]]
    }
    // CHECK: scf.yield %[[IF]]
  }
  // CHECK: return %[[LOOP]]
  %r = jit.get_attr %o["v"] : (!jit.object<"P">) -> i64
  return %r : i64
}
