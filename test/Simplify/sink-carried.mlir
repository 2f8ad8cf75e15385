// RUN: jit-opt %s --jit-sink-sums | FileCheck %s

// What is summed is a variable of the loop itself, which is another value once the loop carries its sum.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[G:.*]] = %{{.*}}, %[[ALL:.*]] = %{{.*}})
// CHECK: %[[NEXT:.*]] = aten.add.Tensor %[[ALL]], %[[G]]
// CHECK: scf.yield %[[SUM]], %{{.*}}, %[[NEXT]]
// CHECK: aten.sum.dim_IntList
func.func @carried(%start: !jit.tensor<[4],f32>, %x: !jit.tensor<[3,4],f32>) -> (!jit.tensor<[4],f32>, !jit.tensor<[3,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %dims = jit.list %0 : (i64) -> !jit.list<i64>
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %g = %x) -> (!jit.tensor<[4],f32>, !jit.tensor<[3,4],f32>) : i64 {
    %p = aten.sum.dim_IntList %g, %dims, %false, %none : (!jit.tensor<[3,4],f32>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
    %n = aten.tanh %g : (!jit.tensor<[3,4],f32>) -> !jit.tensor<[3,4],f32>
    scf.yield %s, %n : !jit.tensor<[4],f32>, !jit.tensor<[3,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[4],f32>, !jit.tensor<[3,4],f32>
}
