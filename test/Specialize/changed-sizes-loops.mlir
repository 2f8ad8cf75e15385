// RUN: jit-opt %s --jit-specialize='args=f32[2,3]' | FileCheck %s

// Which tensor it is that changes its sizes is known once a loop of few trips is written out.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: scf.for
// CHECK: aten.neg
// CHECK: %[[T:.*]] = aten.neg
// CHECK: %[[R:.*]] = aten.t %[[T]] : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[3,2],f32>
// CHECK: return %[[R]]
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %first = aten.relu %x : (!jit.tensor) -> !jit.tensor
  %t = scf.for %i = %zero to %two step %one iter_args(%u = %first) -> (!jit.tensor) : i64 {
    %n = aten.neg %u : (!jit.tensor) -> !jit.tensor
    scf.yield %n : !jit.tensor
  }
  %v = aten.t %t : (!jit.tensor) -> !jit.tensor
  %r = jit.become %t, %v : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t : !jit.tensor
}
