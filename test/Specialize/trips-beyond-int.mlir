// RUN: jit-opt %s --jit-specialize="entry=forward args=f32[2]" | FileCheck %s

// A number of trips that no int64 holds is not known: the loop stays, whatever its difference of bounds wraps to.

// CHECK: func.func @forward
// CHECK: scf.for
// CHECK: aten.neg
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %lower = arith.constant -9223372036854775807 : i64
  %upper = arith.constant 9223372036854775806 : i64
  %one = arith.constant 1 : i64
  %0 = scf.for %i = %lower to %upper step %one iter_args(%t = %x) -> (!jit.tensor) : i64 {
    %1 = aten.neg %t : (!jit.tensor) -> !jit.tensor
    scf.yield %1 : !jit.tensor
  }
  return %0 : !jit.tensor
}
