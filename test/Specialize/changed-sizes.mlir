// RUN: jit-opt %s --jit-specialize="args=f32[2,3]" --canonicalize | FileCheck %s

// A tensor whose sizes change in place is another view from there on, by all its names and in lists; views taken before
// stay what they are, those that are all of it too.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[V:.*]] = aten.alias %[[T]]
// CHECK: %[[U:.*]] = aten.unsqueeze %[[T]]
// CHECK-NOT: jit.become
// CHECK: %[[S:.*]] = aten.relu %[[U]]
// CHECK: return %[[S]], %[[V]], %[[U]]
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor, !jit.list<!jit.tensor>) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %last = arith.constant 9 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %l = jit.list %t : (!jit.tensor) -> !jit.list<!jit.tensor>
  %v = aten.slice.Tensor %t, %zero, %zero, %last, %one : (!jit.tensor, i64, i64, i64, i64) -> !jit.tensor
  %u = aten.unsqueeze %t, %zero : (!jit.tensor, i64) -> !jit.tensor
  %b = jit.become %t, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %s = aten.relu %t : (!jit.tensor) -> !jit.tensor
  return %s, %v, %l : !jit.tensor, !jit.tensor, !jit.list<!jit.tensor>
}
