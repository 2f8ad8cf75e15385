// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// Where a program asks for strides, a slot's new value that is not row-major says its own to the next call.

!m = !jit.tensor<[2,3],f32>
!t = !jit.tensor<[3,2],f32>
!o = !jit.tensor<[?,?],f32>
!u = !jit.tensor<*,f32>
module attributes {jit.asks_strides} {
  // The transpose has strides to tell; what is row-major, and what is no slot, has none.
  // CHECK-LABEL: func.func @turned
  // CHECK-SAME: jit.outputs = [{slot = "s", strides = array<i64: 1, 3>, value = 0 : i64}, {slot = "r", value = 1 : i64}, {value = 0 : i64}]
  func.func @turned(%x: !m) -> (!t, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "r", value = 1 : i64}, {value = 0 : i64}]} {
    %y = aten.relu %x : (!m) -> !m
    %z = aten.tanh %x : (!m) -> !m
    %t = aten.t %y : (!m) -> !t
    return %t, %z : !t, !m
  }

  // Of open sizes they are not known, one for each dimension; of an open rank there is one that is not known.
  // CHECK-LABEL: func.func @open
  // CHECK-SAME: {slot = "s", strides = array<i64: -9223372036854775808, -9223372036854775808>, value = 0 : i64}
  // CHECK-SAME: {slot = "u", strides = array<i64: -9223372036854775808>, value = 1 : i64}
  func.func @open(%x: !o, %y: !u) -> (!o, !u)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "u", value = 1 : i64}]} {
    %a = aten.relu %x : (!o) -> !o
    %t = aten.t %a : (!o) -> !o
    %u = aten.relu %y : (!u) -> !u
    return %t, %u : !o, !u
  }

  // Of a list it is said that one of its tensors is not row-major, if one is.
  // CHECK-LABEL: func.func @list
  // CHECK-SAME: {slot = "a", strides = array<i64: -9223372036854775808>, value = [0, 1]}
  // CHECK-SAME: {slot = "b", value = [2]}
  func.func @list(%x: !m) -> (!t, !m, !m)
      attributes {jit.outputs = [{slot = "a", value = [0 : i64, 1 : i64]}, {slot = "b", value = [2 : i64]}]} {
    %y = aten.relu %x : (!m) -> !m
    %z = aten.tanh %x : (!m) -> !m
    %t = aten.t %y : (!m) -> !t
    %w = aten.neg %x : (!m) -> !m
    return %t, %z, %w : !t, !m, !m
  }

  // Of what a loop assigns, and a branch, where it begins may differ: the state lies at an unknown place of its memory, what is new begins at 0.
  // CHECK-LABEL: func.func @assigned
  // CHECK-SAME: jit.outputs = [{slot = "s", strides = array<i64: 1, 3>, value = 0 : i64}, {slot = "t", strides = array<i64: 1, 3>, value = 1 : i64}]
  func.func @assigned(%s: !t {jit.slot = "s", jit.strides = array<i64: 1, 3>}, %t: !t {jit.slot = "t", jit.strides = array<i64: 1, 3>}, %flag: i1)
      -> (!t, !t) attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %three = arith.constant 3 : i64
    %last = scf.for %i = %zero to %three step %one iter_args(%now = %s) -> (!t) : i64 {
      %next = aten.tanh %now : (!t) -> !t
      scf.yield %next : !t
    }
    %either = scf.if %flag -> (!t) {
      %new = aten.tanh %t : (!t) -> !t
      scf.yield %new : !t
    } else {
      scf.yield %t : !t
    }
    return %last, %either : !t, !t
  }

  // Rows in one way and columns in the other have no strides in common.
  // CHECK-LABEL: func.func @differ
  // CHECK-SAME: {slot = "s", strides = array<i64: -9223372036854775808, -9223372036854775808>, value = 0 : i64}
  func.func @differ(%s: !t {jit.slot = "s", jit.strides = array<i64: 1, 3>}, %x: !t, %flag: i1) -> !t attributes {jit.outputs = [{slot = "s", value = 0 : i64}]} {
    %either = scf.if %flag -> (!t) {
      %new = aten.tanh %x : (!t) -> !t
      scf.yield %new : !t
    } else {
      scf.yield %s : !t
    }
    return %either : !t
  }

  // A number has none.
  // CHECK-LABEL: func.func @number
  // CHECK-SAME: jit.outputs = [{slot = "s", value = 0 : i64}]
  func.func @number(%n: i64) -> i64 attributes {jit.outputs = [{slot = "s", value = 0 : i64}]} {
    return %n : i64
  }
}
