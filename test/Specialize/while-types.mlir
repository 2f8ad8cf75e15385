// RUN: jit-opt %s --jit-specialize="args=f32[3,3]" --canonicalize | FileCheck %s

// The first trip gives the variable another rank. It is taken out of the loop: where data say that there is one, the loop goes on with what it gave; where not, the
// result is what the loop began with.
// CHECK-LABEL: func.func @forward
// CHECK: %[[SUM:.*]] = aten.item
// CHECK: %[[MORE:.*]] = arith.cmpf une, %[[SUM]]
// CHECK: scf.if %[[MORE]] -> (!jit.tensor<[3],f32>, !jit.tensor<[3,3],f32>)
// CHECK:   %[[FIRST:.*]] = aten.sum.dim_IntList %{{.*}} -> !jit.tensor<[3],f32>
// CHECK:   scf.while (%{{.*}} = %[[FIRST]]) : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
// CHECK:   aten.relu %{{.*}} : (!jit.tensor<[3],f32>) -> !jit.tensor<[3],f32>
// CHECK: } else {
// CHECK:   aten.relu %{{.*}} : (!jit.tensor<[3,3],f32>) -> !jit.tensor<[3,3],f32>
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %dims = jit.list %zero : (i64) -> !jit.list<i64>
  %r = scf.while (%v = %x) : (!jit.tensor) -> !jit.tensor {
    %s = aten.sum %v, %none : (!jit.tensor, !jit.none) -> !jit.tensor
    %big = aten.Bool.Tensor %s : (!jit.tensor) -> i1
    scf.condition(%big) %v : !jit.tensor
  } do {
  ^bb0(%v: !jit.tensor):
    %sum = aten.sum.dim_IntList %x, %dims, %false, %none : (!jit.tensor, !jit.list<i64>, i1, !jit.none) -> !jit.tensor
    scf.yield %sum : !jit.tensor
  }
  %y = aten.relu %r : (!jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}
