// RUN: jit-opt %s --split-input-file --jit-sink-sums --canonicalize --cse | FileCheck %s

// The gradient of a weight: both factors are slices, one of a residual that is read, one of a gradient that is
// written. After the loop one product takes all of them; from the last trip to the first is as good an order.

// CHECK-LABEL: func.func @both_stacked
//  CHECK-SAME: (%[[H:.*]]: !jit.tensor<[10,4,3],f32>, %[[G:.*]]: !jit.tensor<[4,5],f32>
//       CHECK: %[[LOOP:.*]]:2 = scf.for
//   CHECK-NOT: aten.mm
//       CHECK: scf.yield
//       CHECK: %[[A:.*]] = aten.view %[[H]], {{.*}} -> !jit.tensor<[40,3],f32>
//       CHECK: %[[B:.*]] = aten.view %[[LOOP]]#{{[01]}}, {{.*}} -> !jit.tensor<[40,5],f32>
//       CHECK: %[[T:.*]] = aten.transpose.int %[[A]], {{.*}} -> !jit.tensor<[3,40],f32>
//       CHECK: %[[SUM:.*]] = aten.mm %[[T]], %[[B]]
//       CHECK: return %[[SUM]]
func.func @both_stacked(%h: !jit.tensor<[10,4,3],f32>, %g: !jit.tensor<[4,5],f32>, %w: !jit.tensor<[3,5],f32>)
    -> (!jit.tensor<[3,5],f32>, !jit.tensor<[10,4,5],f32>, !jit.tensor<[4,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %9 = arith.constant 9 : i64
  %10 = arith.constant 10 : i64
  %none = jit.constant !jit.none = unit
  %zeros = aten.zeros_like %w, %none, %none, %none, %none, %none : (!jit.tensor<[3,5],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[3,5],f32>
  %empty = jit.poison : !jit.tensor<[10,4,5],f32>
  %r:3 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %zeros, %stack = %empty, %c = %g)
      -> (!jit.tensor<[3,5],f32>, !jit.tensor<[10,4,5],f32>, !jit.tensor<[4,5],f32>) : i64 {
    %at = arith.subi %9, %i : i64
    %step = aten.select.int %h, %0, %at : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %b = aten.tanh %c : (!jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %t = aten.transpose.int %step, %0, %1 : (!jit.tensor<[4,3],f32>, i64, i64) -> !jit.tensor<[3,4],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[3,4],f32>, !jit.tensor<[4,5],f32>) -> !jit.tensor<[3,5],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[3,5],f32>, !jit.tensor<[3,5],f32>, i64) -> !jit.tensor<[3,5],f32>
    %next = aten.select_scatter %stack, %b, %0, %at : (!jit.tensor<[10,4,5],f32>, !jit.tensor<[4,5],f32>, i64, i64) -> !jit.tensor<[10,4,5],f32>
    scf.yield %s, %next, %b : !jit.tensor<[3,5],f32>, !jit.tensor<[10,4,5],f32>, !jit.tensor<[4,5],f32>
  }
  return %r#0, %r#1, %r#2 : !jit.tensor<[3,5],f32>, !jit.tensor<[10,4,5],f32>, !jit.tensor<[4,5],f32>
}

// -----

// One factor is stacked for it, in the order of the other one: 8 elements a trip where 30 were added up. What
// the sum starts with is added to the product.

// CHECK-LABEL: func.func @one_new_stack
//  CHECK-SAME: (%[[H:.*]]: !jit.tensor<[10,2,5],f32>, %{{.*}}: !jit.tensor<[2,4],f32>, %[[S:.*]]: !jit.tensor<[5,4],f32>)
//       CHECK: %[[STACK:.*]] = jit.poison : !jit.tensor<[10,2,4],f32>
//       CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:[a-z0-9]+]] =
//       CHECK: %[[AT:.*]] = arith.subi %{{.*}}, %[[I]]
//       CHECK: aten.select_scatter %{{.*}}, %{{.*}}, %{{.*}}, %[[AT]]
//   CHECK-NOT: aten.flip
//       CHECK: %[[P:.*]] = aten.mm
//       CHECK: aten.add.Tensor %[[S]], %[[P]]
func.func @one_new_stack(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[2,4],f32>, %start: !jit.tensor<[5,4],f32>)
    -> (!jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %9 = arith.constant 9 : i64
  %10 = arith.constant 10 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %c = %g) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>) : i64 {
    %at = arith.subi %9, %i : i64
    %step = aten.select.int %h, %0, %at : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.tanh %c : (!jit.tensor<[2,4],f32>) -> !jit.tensor<[2,4],f32>
    %t = aten.t %step : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.matmul %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %p, %sum, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %b : !jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>
}

// -----

// A batch of one: the products of a column and a row.

// CHECK-LABEL: func.func @outer_products
//       CHECK: scf.for
//   CHECK-NOT: aten.mul.Tensor
//       CHECK: scf.yield
//       CHECK: aten.mm %{{.*}} : (!jit.tensor<[5,10],f32>, !jit.tensor<[10,4],f32>)
func.func @outer_products(%h: !jit.tensor<[10,1,5],f32>, %g: !jit.tensor<[1,4],f32>, %start: !jit.tensor<[5,4],f32>)
    -> (!jit.tensor<[5,4],f32>, !jit.tensor<[1,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %c = %g) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[1,4],f32>) : i64 {
    %step = aten.select.int %h, %0, %i : (!jit.tensor<[10,1,5],f32>, i64, i64) -> !jit.tensor<[1,5],f32>
    %b = aten.tanh %c : (!jit.tensor<[1,4],f32>) -> !jit.tensor<[1,4],f32>
    %t = aten.t %step : (!jit.tensor<[1,5],f32>) -> !jit.tensor<[5,1],f32>
    %p = aten.mul.Tensor %t, %b : (!jit.tensor<[5,1],f32>, !jit.tensor<[1,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %b : !jit.tensor<[5,4],f32>, !jit.tensor<[1,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5,4],f32>, !jit.tensor<[1,4],f32>
}
