// RUN: jit-opt %s --jit-specialize="args=f32[4],?int" --canonicalize | FileCheck %s

// A loop stays a loop: what it carries takes the type it starts with, and a counter that every trip
// changes is carried as a number.
// CHECK-LABEL: func.func @forward
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} -> (!jit.tensor<[4],f32>, i64)
// CHECK:   aten.mul.Tensor {{.*}} -> !jit.tensor<[4],f32>
// CHECK: return %[[R]]#0, %[[R]]#1 : !jit.tensor<[4],f32>, i64
func.func @forward(%x: !jit.tensor, %n: i64) -> (!jit.tensor, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %x, %count = %one) -> (!jit.tensor, i64) : i64 {
    %next = aten.mul.Tensor %acc, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
    %more = arith.addi %count, %one : i64
    scf.yield %next, %more : !jit.tensor, i64
  }
  return %r#0, %r#1 : !jit.tensor, i64
}
