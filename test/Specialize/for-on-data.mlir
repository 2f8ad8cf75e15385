// RUN: jit-opt %s --jit-specialize="args=f32[3,3]" --canonicalize | FileCheck %s

// As many trips as data tell, of which the first gives the variable another rank: it is taken out of the loop. Where data say that there is none, the result is
// what the loop began with.
// CHECK-LABEL: func.func @forward
// CHECK: %[[N:.*]] = arith.fptosi
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[N]], %c0_i64
// CHECK: scf.if %[[ANY]] -> (!jit.tensor<[3],f32>, !jit.tensor<[3,3],f32>)
// CHECK:   %[[FIRST:.*]] = aten.sum.dim_IntList
// CHECK:   scf.for %{{.*}} = %c1_i64 to %[[N]] step %c1_i64 iter_args(%{{.*}} = %[[FIRST]]) -> (!jit.tensor<[3],f32>)
// CHECK:   aten.relu %{{.*}} : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
// CHECK: } else {
// CHECK:   aten.relu %{{.*}} : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %dims = jit.list %zero : (i64) -> !jit.list<i64>
  %s = aten.sum %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %n = aten.Int.Tensor %s : (!jit.tensor) -> i64
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> (!jit.tensor) : i64 {
    %e = aten.exp %v : (!jit.tensor) -> !jit.tensor
    %big = aten.mul.Tensor %x, %e : (!jit.tensor, !jit.tensor) -> !jit.tensor
    %sum = aten.sum.dim_IntList %big, %dims, %false, %none : (!jit.tensor, !jit.list<i64>, i1, !jit.none) -> !jit.tensor
    scf.yield %sum : !jit.tensor
  }
  %y = aten.relu %r : (!jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}
