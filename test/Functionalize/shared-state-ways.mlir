// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file | FileCheck %s

!m = !jit.tensor<[4],f32>
!p = !jit.tensor<[3],f32>

// A way of a branch that ends the call leaves nothing in any memory.
// CHECK: jit.outputs = [
// CHECK-SAME: {place = array<i64: 1, 4>, slot = "s", strides = array<i64: 1>, value = 0 : i64, whole = "t"}
// CHECK-SAME: {place = array<i64: 0, 4>, slot = "t", strides = array<i64: 1>, value = 1 : i64, whole = "t"}
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%t: !m {jit.slot = "t"}, %c: i1) -> (!p, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %dim = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %end = arith.constant 4 : i64
    %part = aten.slice.Tensor %t, %dim, %one, %end, %one : (!m, i64, i64, i64, i64) -> !p
    %r:2 = scf.if %c -> (!p, !m) {
      scf.yield %part, %t : !p, !m
    } else {
      %false = arith.constant false
      jit.guard %false, "builtins.RuntimeError", "no"
      %a = jit.poison : !p
      %b = jit.poison : !m
      scf.yield %a, %b : !p, !m
    }
    return %r#0, %r#1 : !p, !m
  }
}

// -----

!m = !jit.tensor<[4],f32>

// A loop that certainly runs leaves what its trips give, not what it began with.
// CHECK: func.func @set
// CHECK-SAME: jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%t: !m {jit.slot = "t"}) -> (!m, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %s = scf.for %i = %zero to %three step %one iter_args(%before = %t) -> (!m) {
      %next = aten.relu %before : (!m) -> !m
      scf.yield %next : !m
    }
    return %s, %t : !m, !m
  }
}
