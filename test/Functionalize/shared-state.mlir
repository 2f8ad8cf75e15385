// RUN: jit-opt %s --jit-functionalize-tensors --split-input-file | FileCheck %s

!m = !jit.tensor<[4],f32>
!p = !jit.tensor<[3],f32>

// Where a call leaves two slots in one memory it says so: which of them is all of it, and where the other one begins.
// CHECK: jit.outputs = [
// CHECK-SAME: {place = array<i64: 1, 4>, slot = "s", strides = array<i64: 1>, value = 0 : i64, whole = "t"}
// CHECK-SAME: {place = array<i64: 0, 4>, slot = "t", strides = array<i64: 1>, value = 1 : i64, whole = "t"}
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @set(%t: !m {jit.slot = "t"}) -> (!p, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %dim = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %end = arith.constant 4 : i64
    %part = aten.slice.Tensor %t, %dim, %one, %end, %one : (!m, i64, i64, i64, i64) -> !p
    return %part, %t : !p, !m
  }
}

// -----

!m = !jit.tensor<[4],f32>

// What no method could see is nobody's concern.
// CHECK: func.func @unobserved
// CHECK-SAME: jit.outputs = [{slot = "s", value = 0 : i64}]
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.unobserved}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.unobserved}
  func.func @unobserved() -> !m attributes {jit.outputs = [{slot = "s", value = 0 : i64}]} {
    %t = jit.slot_get @t : !m
    return %t : !m
  }
}

// -----

!m = !jit.tensor<[4],f32>
!p = !jit.tensor<[3],f32>

// A write to a part of the memory is one to the slot that is all of it, wherever that begins in PyTorch's memory.
// CHECK-LABEL: func.func @write
// CHECK: %[[R:.*]] = aten.as_strided_scatter %[[T:[^ ,]*]], %{{.*}} {jit.of_memory}
// CHECK: %[[S:.*]] = aten.as_strided %[[R]], {{.*}}jit.of_memory
// CHECK: return %[[S]], %[[R]]
module attributes {jit.asks_strides} {
  jit.slot @s : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  jit.slot @t : !m = dense<0.0> : tensor<4xf32> {jit.assigned, jit.mutable, jit.shares = "s"}
  func.func @write(%s: !p {jit.slot = "s"}, %t: !m {jit.slot = "t"}) -> (!p, !m)
      attributes {jit.outputs = [{slot = "s", value = 0 : i64}, {slot = "t", value = 1 : i64}]} {
    %one = arith.constant 1 : i64
    %three = arith.constant 3 : i64
    %sizes = jit.list %three : (i64) -> !jit.list<i64>
    %steps = jit.list %one : (i64) -> !jit.list<i64>
    %v = aten.as_strided %t, %sizes, %steps, %one {jit.from_start} : (!m, !jit.list<i64>, !jit.list<i64>, i64) -> !p
    %x = aten.neg %s : (!p) -> !p
    %r = jit.overwrite %v, %x : (!p, !p) -> !p
    return %v, %t : !p, !m
  }
}
