// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file | FileCheck %s

// Where slots lie in a memory that a call leaves them in is counted from the first place that one of them has.

!x = !jit.tensor<[6],f32>
!s = !jit.tensor<[2],f32>
!t = !jit.tensor<[4],f32>
// CHECK-LABEL: module attributes {jit.asks_strides}
// CHECK: {place = array<i64: 1, 4>, slot = "s", strides = array<i64: 2>, value = 0 : i64, whole = "t"}
// CHECK-SAME: {place = array<i64: 0, 4>, slot = "t", strides = array<i64: 1>, value = 1 : i64, whole = "t"}
module attributes {jit.asks_strides} {
  jit.slot @s : !s = dense<0.0> : tensor<2xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !t = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @behind(%x: !x) -> (!s, !t)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %three = arith.constant 3 : i64
    %six = arith.constant 6 : i64
    %r = aten.relu %x : (!x) -> !x
    %s = aten.slice.Tensor %r, %zero, %three, %six, %two : (!x, i64, i64, i64, i64) -> !s
    %t = aten.slice.Tensor %r, %zero, %two, %six, %one : (!x, i64, i64, i64, i64) -> !t
    return %s, %t : !s, !t
  }
}

// -----

!m = !jit.tensor<[2,2],f32>
// What is all of the memory may be transposed; what has as many elements in more places is not all of it.
// CHECK-LABEL: module attributes {jit.asks_strides}
// CHECK: {place = array<i64: 0, 4>, slot = "s", strides = array<i64: 1, 2>, value = 0 : i64, whole = "s"}
// CHECK-SAME: {place = array<i64: 0, 4>, slot = "t", strides = array<i64: 2, 1>, value = 1 : i64, whole = "s"}
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<2x2xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<2x2xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @turned(%x: !m) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %r = aten.relu %x : (!m) -> !m
    %s = aten.t %r : (!m) -> !m
    return %s, %r : !m, !m
  }
}

// -----

!m = !jit.tensor<[4],f32>
// State that no method sees takes no part, and an argument that is no longer a slot's value neither.
// CHECK-LABEL: module attributes {jit.asks_strides}
// CHECK: jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.unobserved}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable}
  func.func @seen(%x: !m) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %r = aten.relu %x : (!m) -> !m
    return %r, %r : !m, !m
  }
}

// -----

!m = !jit.tensor<[4],f32>
// Numbers lie in no memory.
// CHECK-LABEL: module attributes {jit.asks_strides}
// CHECK: jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}, {value = 2 : i64}]
module attributes {jit.asks_strides} {
  jit.slot @s : i64 = 1 : i64 {jit.assigned, jit.mutable}
  jit.slot @t : i64 = 1 : i64 {jit.assigned, jit.mutable}
  func.func @numbers(%x: !m, %n: i64) -> (i64, i64, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}, {value = 2 : i64}]} {
    %r = aten.relu %x : (!m) -> !m
    return %n, %n, %r : i64, i64, !m
  }
}

// -----

!m = !jit.tensor<[4],f32>
!q = !jit.tensor<[2,2],f32>
// Another slot has memory of its own, and a result is none.
// CHECK-LABEL: module attributes {jit.asks_strides}
// CHECK: jit.outputs = [{place = array<i64: 0, 4>, slot = "s", strides = array<i64: 1>, value = 0 : i64, whole = "s"}
// CHECK-SAME: {place = array<i64: 0, 4>, slot = "t", strides = array<i64: 1>, value = 1 : i64, whole = "s"}
// CHECK-SAME: {slot = "u", value = 2 : i64}, {value = 3 : i64}]
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @u : !q = dense<0.0> : tensor<2x2xf32> {jit.assigned, jit.mutable}
  func.func @others(%x: !m, %y: !q) -> (!m, !m, !q, !q)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}, {slot = "u", value = 2 : i64}, {value = 3 : i64}]} {
    %r = aten.relu %x : (!m) -> !m
    %u = aten.mm %y, %y : (!q, !q) -> !q
    %v = aten.mm %u, %y : (!q, !q) -> !q
    return %r, %r, %u, %v : !m, !m, !q, !q
  }
}
