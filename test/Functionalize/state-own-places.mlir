// State may be a view each element of which has a place of its own, also one by as_strided; without writes in place it may be any.
// RUN: jit-opt %s --split-input-file --jit-functionalize-tensors | FileCheck %s

!m = !jit.tensor<[2,3],f32>
!t = !jit.tensor<[3,2],f32>

// CHECK-LABEL: func.func @strided(
//       CHECK:   aten.as_strided
module attributes {jit.asks_strides} {
  func.func @strided(%s: !t {jit.slot = "s"}, %x: !m) -> !t attributes {jit.outputs = [{slot = "s", value = 0 : i64}]} {
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %three = arith.constant 3 : i64
    %zero = arith.constant 0 : i64
    %r = aten.relu %x : (!m) -> !m
    %sizes = jit.list %three, %two : (i64, i64) -> !jit.list<i64>
    %strides = jit.list %one, %three : (i64, i64) -> !jit.list<i64>
    %v = aten.as_strided %r, %sizes, %strides, %zero : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !t
    return %v : !t
  }
}

// -----

!one = !jit.tensor<[1],f32>
!many = !jit.tensor<[4],f32>

// CHECK-LABEL: func.func @repeated(
//       CHECK:   aten.expand
module {
  func.func @repeated(%s: !many {jit.slot = "s"}, %x: !one) -> !many attributes {jit.outputs = [{slot = "s", value = 0 : i64}]} {
    %four = arith.constant 4 : i64
    %no = arith.constant false
    %sizes = jit.list %four : (i64) -> !jit.list<i64>
    %v = aten.expand %x, %sizes, %no : (!one, !jit.list<i64>, i1) -> !many
    return %v : !many
  }
}
