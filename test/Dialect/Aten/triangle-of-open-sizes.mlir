// RUN: jit-opt %s --jit-specialize="args=f32[n]" | FileCheck %s

// Of numbers that are not known the places in a triangle are those of what is not zero in it.

// CHECK: %[[LOWER:.*]] = aten.tril
// CHECK: %[[PLACES:.*]] = aten.nonzero %[[LOWER]] : {{.*}} -> !jit.tensor<[?,2],i64>
// CHECK: aten.transpose.int %[[PLACES]]
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %below = arith.constant -1 : i64
  %long = arith.constant 4 : i64
  %none = jit.constant !jit.none = unit
  %n = aten.size.int %x, %zero : (!jit.tensor, i64) -> i64
  %p = aten.tril_indices %n, %n, %below, %long, %none, %none, %none : (i64, i64, i64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor
  return %p : !jit.tensor
}
