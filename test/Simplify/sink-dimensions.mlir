// RUN: jit-opt %s --split-input-file --jit-sink-sums --canonicalize --cse | FileCheck %s

// A dimension that is kept, all of them, and none at all (the tensor as it is): of what the loop makes, after it.

// CHECK-LABEL: func.func @carried
//       CHECK: scf.for
//       CHECK: %[[NEXT:.*]] = aten.tanh
//       CHECK: aten.add.Tensor %{{.*}}, %[[NEXT]]
//   CHECK-NOT: aten.
//       CHECK: scf.yield
//   CHECK-DAG: %[[KEPT:.*]] = aten.sum.dim_IntList %{{.*}} -> !jit.tensor<[5],f32>
//   CHECK-DAG: aten.view %[[KEPT]], %{{.*}} -> !jit.tensor<[1,5],f32>
//   CHECK-DAG: aten.sum.dim_IntList %{{.*}} -> !jit.tensor<[],f32>
//   CHECK-NOT: aten.sum
//       CHECK: return
func.func @carried(%h: !jit.tensor<[4,5],f32>, %row: !jit.tensor<[1,5],f32>, %all: !jit.tensor<[],f32>) -> (!jit.tensor<[1,5],f32>, !jit.tensor<[],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %true = arith.constant true
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %dims = jit.list %0 : (i64) -> !jit.list<i64>
  %4 = arith.constant 4 : i64
  %5 = arith.constant 5 : i64
  %own = jit.list %4, %5 : (i64, i64) -> !jit.list<i64>
  %r:4 = scf.for %i = %0 to %10 step %1 iter_args(%a = %row, %b = %all, %c = %h, %d = %h) -> (!jit.tensor<[1,5],f32>, !jit.tensor<[],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) : i64 {
    %next = aten.tanh %c : (!jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten.sum.dim_IntList %next, %dims, %true, %none : (!jit.tensor<[4,5],f32>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[1,5],f32>
    %a1 = aten.add.Tensor %a, %s, %1 : (!jit.tensor<[1,5],f32>, !jit.tensor<[1,5],f32>, i64) -> !jit.tensor<[1,5],f32>
    %t = aten.sum.dim_IntList %next, %none, %false, %none : (!jit.tensor<[4,5],f32>, !jit.none, i1, !jit.none) -> !jit.tensor<[],f32>
    %b1 = aten.add.Tensor %b, %t, %1 : (!jit.tensor<[],f32>, !jit.tensor<[],f32>, i64) -> !jit.tensor<[],f32>
    %u = aten._grad_sum_to_size %next, %own : (!jit.tensor<[4,5],f32>, !jit.list<i64>) -> !jit.tensor<[4,5],f32>
    %d1 = aten.add.Tensor %d, %u, %1 : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>, i64) -> !jit.tensor<[4,5],f32>
    scf.yield %a1, %b1, %next, %d1 : !jit.tensor<[1,5],f32>, !jit.tensor<[],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>
  }
  return %r#0, %r#1, %r#2, %r#3 : !jit.tensor<[1,5],f32>, !jit.tensor<[],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>
}

// -----

// Of a stack the trips are summed, too: alone where the tensor is added as it is. What the sum began with is not zero.

// CHECK-LABEL: func.func @stacked
//  CHECK-SAME: %[[X:[a-z0-9]+]]: !jit.tensor<[10,4,5],f32>
//   CHECK-NOT: scf.for
//   CHECK-DAG: aten.sum.dim_IntList %[[X]], %{{.*}} -> !jit.tensor<[4,5],f32>
//   CHECK-DAG: aten.sum.dim_IntList %[[X]], %{{.*}} -> !jit.tensor<[5],f32>
//       CHECK: return
func.func @stacked(%x: !jit.tensor<[10,4,5],f32>, %h: !jit.tensor<[4,5],f32>, %start: !jit.tensor<[5],f32>) -> (!jit.tensor<[4,5],f32>, !jit.tensor<[5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %true = arith.constant true
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %dims = jit.list %0 : (i64) -> !jit.list<i64>
  %4 = arith.constant 4 : i64
  %5 = arith.constant 5 : i64
  %own = jit.list %4, %5 : (i64, i64) -> !jit.list<i64>
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%d = %h, %a = %start) -> (!jit.tensor<[4,5],f32>, !jit.tensor<[5],f32>) : i64 {
    %step = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,5],f32>, i64, i64) -> !jit.tensor<[4,5],f32>
    %u = aten._grad_sum_to_size %step, %own : (!jit.tensor<[4,5],f32>, !jit.list<i64>) -> !jit.tensor<[4,5],f32>
    %d1 = aten.add.Tensor %d, %u, %1 : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>, i64) -> !jit.tensor<[4,5],f32>
    %s = aten.sum.dim_IntList %step, %dims, %false, %none : (!jit.tensor<[4,5],f32>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[5],f32>
    %a1 = aten.add.Tensor %a, %s, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, i64) -> !jit.tensor<[5],f32>
    scf.yield %d1, %a1 : !jit.tensor<[4,5],f32>, !jit.tensor<[5],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[4,5],f32>, !jit.tensor<[5],f32>
}

// -----

// Sizes that are not known, and dimensions that are not.

// CHECK-LABEL: func.func @unknown
//       CHECK: scf.for
// CHECK-COUNT-3: aten.sum.dim_IntList
//       CHECK: scf.yield
//   CHECK-NOT: aten.sum
func.func @unknown(%h: !jit.tensor<[4,5],f32>, %open: !jit.tensor<[?,5],f32>, %start: !jit.tensor<[5],f32>, %some: !jit.tensor<[?],f32>, %list: !jit.list<i64>) -> (!jit.tensor<[5],f32>, !jit.tensor<[?],f32>, !jit.tensor<[5],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[?,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %true = arith.constant true
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %dims = jit.list %0 : (i64) -> !jit.list<i64>
  %r:5 = scf.for %i = %0 to %10 step %1 iter_args(%a = %start, %b = %some, %e = %start, %c = %h, %d = %open) -> (!jit.tensor<[5],f32>, !jit.tensor<[?],f32>, !jit.tensor<[5],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[?,5],f32>) : i64 {
    %next = aten.tanh %c : (!jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %wide = aten.tanh %d : (!jit.tensor<[?,5],f32>) -> !jit.tensor<[?,5],f32>
    %s = aten.sum.dim_IntList %wide, %dims, %false, %none : (!jit.tensor<[?,5],f32>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[5],f32>
    %a1 = aten.add.Tensor %a, %s, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, i64) -> !jit.tensor<[5],f32>
    %t = aten.sum.dim_IntList %next, %dims, %false, %none : (!jit.tensor<[4,5],f32>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[?],f32>
    %b1 = aten.add.Tensor %b, %t, %1 : (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>, i64) -> !jit.tensor<[?],f32>
    %u = aten.sum.dim_IntList %next, %list, %false, %none : (!jit.tensor<[4,5],f32>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[5],f32>
    %e1 = aten.add.Tensor %e, %u, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, i64) -> !jit.tensor<[5],f32>
    scf.yield %a1, %b1, %e1, %next, %wide : !jit.tensor<[5],f32>, !jit.tensor<[?],f32>, !jit.tensor<[5],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[?,5],f32>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4 : !jit.tensor<[5],f32>, !jit.tensor<[?],f32>, !jit.tensor<[5],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[?,5],f32>
}
