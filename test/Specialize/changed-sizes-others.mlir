// RUN: jit-opt %s --jit-specialize="args=f32[2,3],?int" --split-input-file | FileCheck %s

// What a loop gives is one of the tensors that it begins with and that its trips give: none of them is the one whose sizes change.

// CHECK-LABEL: func.func @forward(
// CHECK:         %[[T:.*]] = aten.clone
// CHECK:         %[[R:.*]] = scf.for
// CHECK:         %[[U:.*]] = aten.unsqueeze %[[T]]
// CHECK:         return %[[U]], %[[R]]
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
  return %b, %r : !jit.tensor, !jit.tensor
}
