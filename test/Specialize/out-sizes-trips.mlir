// RUN: jit-opt %s --jit-specialize="args=f32[2,3]" --canonicalize | FileCheck %s

// The first trip gives an out= tensor its sizes: it is taken out, and the others stay a loop.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.exp
// CHECK: scf.for
// CHECK: %[[E:.*]] = aten.exp
// CHECK: jit.overwrite %[[T]], %[[E]] {jit.out} : (!jit.tensor<[2,3],f32>, !jit.tensor<[2,3],f32>)
// CHECK: return %[[T]]
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %hundred = arith.constant 100 : i64
  %float = arith.constant 6 : i64
  %sizes = jit.list %zero : (i64) -> !jit.list<i64>
  %t = aten.empty.memory_format %sizes, %float, %none, %none, %none, %none : (!jit.list<i64>, i64, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor
  scf.for %i = %zero to %hundred step %one : i64 {
    %e = aten.exp %x : (!jit.tensor) -> !jit.tensor
    %w = jit.overwrite %t, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  }
  return %t : !jit.tensor
}
