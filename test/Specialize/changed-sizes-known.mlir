// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[2,3],?int" --canonicalize | FileCheck %s

// A squeeze that drops nothing changes nothing, also in as many trips as the call tells.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.relu
// CHECK: scf.for
// CHECK: jit.overwrite %[[T]], %arg0
// CHECK: return %[[T]]
func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = aten.relu %x : (!jit.tensor) -> !jit.tensor
  scf.for %i = %zero to %n step %one : i64 {
    %u = aten.squeeze.dim %t, %zero : (!jit.tensor, i64) -> !jit.tensor
    %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
    %w = jit.overwrite %b, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  }
  return %t : !jit.tensor
}

// -----

// To flatten a row gives the row itself, which has two names then.
// CHECK-LABEL: func.func @forward
// CHECK: %[[U:.*]] = aten.unsqueeze
// CHECK: return %[[U]], %[[U]]
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, !jit.tensor) {
  %zero = arith.constant 0 : i64
  %last = arith.constant -1 : i64
  %none = jit.constant !jit.none = unit
  %r = aten.select.int %x, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  %t = aten.clone %r, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %f = aten.flatten.using_ints %t, %zero, %last : (!jit.tensor, i64, i64) -> !jit.tensor
  %u = aten.unsqueeze %f, %zero : (!jit.tensor, i64) -> !jit.tensor
  %b = jit.become %f, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t, %f : !jit.tensor, !jit.tensor
}

// -----

// To flatten a matrix gives another tensor.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[U:.*]] = aten.unsqueeze
// CHECK: return %[[T]], %[[U]]
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, !jit.tensor) {
  %zero = arith.constant 0 : i64
  %last = arith.constant -1 : i64
  %none = jit.constant !jit.none = unit
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %f = aten.flatten.using_ints %t, %zero, %last : (!jit.tensor, i64, i64) -> !jit.tensor
  %u = aten.unsqueeze %f, %zero : (!jit.tensor, i64) -> !jit.tensor
  %b = jit.become %f, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t, %f : !jit.tensor, !jit.tensor
}

// -----

// What a loop makes anew is not it.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[R:.*]] = scf.for
// CHECK: %[[U:.*]] = aten.unsqueeze %[[T]]
// CHECK: return %[[U]], %[[R]]
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %z = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %z) -> (!jit.tensor) : i64 {
    %e = aten.exp %v : (!jit.tensor) -> !jit.tensor
    scf.yield %e : !jit.tensor
  }
  %u = aten.unsqueeze %t, %zero : (!jit.tensor, i64) -> !jit.tensor
  %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t, %r : !jit.tensor, !jit.tensor
}

// -----

// What a loop gives may be it, and is used before its sizes change alone.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[R:.*]] = scf.for
// CHECK: %[[E:.*]] = aten.exp %[[R]]
// CHECK: %[[U:.*]] = aten.unsqueeze %[[T]]
// CHECK: return %[[U]], %[[E]]
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %z = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %z) -> (!jit.tensor) : i64 {
    scf.yield %t : !jit.tensor
  }
  %e = aten.exp %r : (!jit.tensor) -> !jit.tensor
  %u = aten.unsqueeze %t, %zero : (!jit.tensor, i64) -> !jit.tensor
  %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t, %e : !jit.tensor, !jit.tensor
}

// -----

// An argument that changes twice is what it is in the end.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: jit.outputs = [{value = 0 : i64}, {mutates = array<i64: 0>, offset = 0 : i64, strides = array<i64: 3, 1>, value = 1 : i64}]
// CHECK: %[[ONE:.*]] = aten.t %arg0
// CHECK: %[[TWO:.*]] = aten.t %[[ONE]]
// CHECK: return %[[TWO]], %[[TWO]]
func.func @forward(%x: !jit.tensor, %n: i64) -> !jit.tensor {
  %u = aten.t %x : (!jit.tensor) -> !jit.tensor
  %b = jit.become %x, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %u2 = aten.t %x : (!jit.tensor) -> !jit.tensor
  %b2 = jit.become %x, %u2 : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x : !jit.tensor
}
