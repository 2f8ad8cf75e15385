// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[5,4],?int" --canonicalize | FileCheck %s

// No trip: the result is what the loop begins with.
// CHECK-LABEL: func.func @forward
// CHECK-NOT: scf.for
// CHECK: return %arg0
func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %five = arith.constant 5 : i64
  %r = scf.for %i = %five to %zero step %one iter_args(%t = %x) -> (!jit.tensor) : i64 {
    %e = aten.exp %t : (!jit.tensor) -> !jit.tensor
    scf.yield %e : !jit.tensor
  }
  return %r : !jit.tensor
}

// -----

// From a place on that the call tells.
// CHECK-LABEL: func.func @forward
// CHECK: scf.for %{{.*}} = %arg1 to %c5_i64 step %c1_i64
func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %five = arith.constant 5 : i64
  %r = scf.for %i = %n to %five step %one iter_args(%t = %x) -> (!jit.tensor) : i64 {
    %e = aten.exp %t : (!jit.tensor) -> !jit.tensor
    scf.yield %e : !jit.tensor
  }
  return %r : !jit.tensor
}

// -----

// By a step that the call tells.
// CHECK-LABEL: func.func @forward
// CHECK: scf.for %{{.*}} = %c1_i64 to %c5_i64 step %arg1
func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %one = arith.constant 1 : i64
  %five = arith.constant 5 : i64
  %r = scf.for %i = %one to %five step %n iter_args(%t = %x) -> (!jit.tensor) : i64 {
    %e = aten.exp %t : (!jit.tensor) -> !jit.tensor
    scf.yield %e : !jit.tensor
  }
  return %r : !jit.tensor
}

// -----

// A list that has an element before it grows is that and what the trips append.
// CHECK-LABEL: func.func @forward
// CHECK: %[[START:.*]] = jit.list %arg0
// CHECK: %[[GROWN:.*]] = scf.for
// CHECK: %[[REST:.*]] = jit.list_from_tensor %[[GROWN]]
// CHECK: %[[ALL:.*]] = jit.list_concat %[[START]], %[[REST]]
// CHECK: %[[R:.*]] = aten.stack %[[ALL]]
// CHECK: %[[N:.*]] = aten.len.t %[[ALL]]
// CHECK: return %[[R]], %[[N]]
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = jit.list %x : (!jit.tensor) -> !jit.list<!jit.tensor>
  %all = scf.for %i = %zero to %n step %one iter_args(%list = %start) -> (!jit.list<!jit.tensor>) : i64 {
    %row = aten.mul.Scalar %x, %i : (!jit.tensor, i64) -> !jit.tensor
    %longer = jit.list_append %list, %row : (!jit.list<!jit.tensor>, !jit.tensor) -> !jit.list<!jit.tensor>
    scf.yield %longer : !jit.list<!jit.tensor>
  }
  %r = aten.stack %all, %zero : (!jit.list<!jit.tensor>, i64) -> !jit.tensor
  %count = aten.len.t %all : (!jit.list<!jit.tensor>) -> i64
  return %r, %count : !jit.tensor, i64
}
