// RUN: jit-opt %s --split-input-file --jit-sink-sums --canonicalize --cse | FileCheck %s

// The gradient of a bias where the summed gradients are stacked: one reduction of the stack.

// CHECK-LABEL: func.func @stacked
//       CHECK: %[[LOOP:.*]]:2 = scf.for
//   CHECK-NOT: aten._grad_sum_to_size
//       CHECK: scf.yield
//       CHECK: %[[SUM:.*]] = aten.sum.dim_IntList %[[LOOP]]#{{[01]}}, {{.*}} (!jit.tensor<[10,4,5],f32>, {{.*}} -> !jit.tensor<[5],f32>
//       CHECK: return %[[SUM]]
func.func @stacked(%g: !jit.tensor<[4,5],f32>, %bias: !jit.tensor<[5],f32>)
    -> (!jit.tensor<[5],f32>, !jit.tensor<[10,4,5],f32>, !jit.tensor<[4,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %5 = arith.constant 5 : i64
  %10 = arith.constant 10 : i64
  %none = jit.constant !jit.none = unit
  %size = jit.list %5 : (i64) -> !jit.list<i64>
  %zeros = aten.zeros_like %bias, %none, %none, %none, %none, %none : (!jit.tensor<[5],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[5],f32>
  %empty = jit.poison : !jit.tensor<[10,4,5],f32>
  %r:3 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %zeros, %stack = %empty, %c = %g)
      -> (!jit.tensor<[5],f32>, !jit.tensor<[10,4,5],f32>, !jit.tensor<[4,5],f32>) : i64 {
    %b = aten.tanh %c : (!jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %p = aten._grad_sum_to_size %b, %size : (!jit.tensor<[4,5],f32>, !jit.list<i64>) -> !jit.tensor<[5],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, i64) -> !jit.tensor<[5],f32>
    %next = aten.select_scatter %stack, %b, %0, %i : (!jit.tensor<[10,4,5],f32>, !jit.tensor<[4,5],f32>, i64, i64) -> !jit.tensor<[10,4,5],f32>
    scf.yield %s, %next, %b : !jit.tensor<[5],f32>, !jit.tensor<[10,4,5],f32>, !jit.tensor<[4,5],f32>
  }
  return %r#0, %r#1, %r#2 : !jit.tensor<[5],f32>, !jit.tensor<[10,4,5],f32>, !jit.tensor<[4,5],f32>
}

// -----

// Without a stack the loop carries the sum of what is reduced, one more pointwise operator.

// CHECK-LABEL: func.func @carried
//  CHECK-SAME: (%{{.*}}: !jit.tensor<[4,5],f32>, %[[START:.*]]: !jit.tensor<[5],f32>)
//       CHECK: %[[LOOP:.*]]:2 = scf.for
//       CHECK: %[[B:.*]] = aten.tanh
//       CHECK: aten.add.Tensor %{{.*}}, %[[B]]{{.*}} -> !jit.tensor<[4,5],f32>
//       CHECK: scf.yield
//       CHECK: %[[SUM:.*]] = aten.sum.dim_IntList %[[LOOP]]#{{[01]}}, {{.*}} -> !jit.tensor<[5],f32>
//       CHECK: aten.add.Tensor %[[START]], %[[SUM]]
func.func @carried(%g: !jit.tensor<[4,5],f32>, %start: !jit.tensor<[5],f32>) -> (!jit.tensor<[5],f32>, !jit.tensor<[4,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %dims = jit.list %0 : (i64) -> !jit.list<i64>
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %c = %g) -> (!jit.tensor<[5],f32>, !jit.tensor<[4,5],f32>) : i64 {
    %b = aten.tanh %c : (!jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %p = aten.sum.dim_IntList %b, %dims, %false, %none : (!jit.tensor<[4,5],f32>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[5],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, i64) -> !jit.tensor<[5],f32>
    scf.yield %s, %b : !jit.tensor<[5],f32>, !jit.tensor<[4,5],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5],f32>, !jit.tensor<[4,5],f32>
}
