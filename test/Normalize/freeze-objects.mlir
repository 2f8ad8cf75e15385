// RUN: jit-opt %s --split-input-file --jit-freeze --verify-diagnostics | FileCheck %s

// A copy of a list of numbers that is written is not the list of the state.
// CHECK-NOT: jit.mutable
jit.slot @axes : !jit.list<i64> = [1, 2]
func.func @forward(%n: i64) -> !jit.list<i64> {
  %axes = jit.slot_get @axes : !jit.list<i64>
  %copy = aten.list.t %axes : (!jit.list<i64>) -> !jit.list<i64>
  jit.append %copy, %n : <i64>, i64
  return %copy : !jit.list<i64>
}

// -----

// An object may be in several containers, each of which has a tuple of its own.
// expected-error @below {{expected no writes to what objects in a list or dict of module state hold, got one to those of 'all'}}
jit.slot @all : !jit.list<!jit.tuple<!jit.list<i64>>> = [[[1, 2]]] {jit.attributes = ["axes"]}
func.func @forward(%n: i64) -> i64 {
  %0 = arith.constant 0 : i64
  %all = jit.slot_get @all : !jit.list<!jit.tuple<!jit.list<i64>>>
  %one = aten.__getitem__.t %all, %0 : (!jit.list<!jit.tuple<!jit.list<i64>>>, i64) -> !jit.tuple<!jit.list<i64>>
  %axes = jit.tuple_index %one[0] : (!jit.tuple<!jit.list<i64>>) -> !jit.list<i64>
  jit.append %axes, %n : <i64>, i64
  return %n : i64
}
