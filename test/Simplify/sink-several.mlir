// RUN: jit-opt %s --split-input-file --jit-sink-sums --canonicalize --cse | FileCheck %s

// Two products of one sum leave the loop, wherever they stand in it; what else is added to it stays.

// CHECK-LABEL: func.func @several
//  CHECK-SAME: %[[START:[a-z0-9]+]]: !jit.tensor<[5,4],f32>)
//       CHECK: %[[LOOP:.*]] = scf.for %{{.*}} iter_args(%[[SUM:.*]] = %[[START]])
//       CHECK: %[[E:.*]] = aten.select.int
//       CHECK: %[[NEXT:.*]] = aten.add.Tensor %[[SUM]], %[[E]]
//   CHECK-NOT: aten.add.Tensor
//       CHECK: scf.yield %[[NEXT]]
//       CHECK: %[[P:.*]] = aten.mm
//       CHECK: %[[Q:.*]] = aten.mm
//       CHECK: %[[ONE:.*]] = aten.add.Tensor %[[LOOP]], %[[P]]
//       CHECK: %[[BOTH:.*]] = aten.add.Tensor %[[ONE]], %[[Q]]
//       CHECK: return %[[BOTH]]
func.func @several(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %k: !jit.tensor<[10,2,4],f32>, %e: !jit.tensor<[10,5,4],f32>, %start: !jit.tensor<[5,4],f32>) -> !jit.tensor<[5,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start) -> (!jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %c = aten.select.int %k, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %x = aten.select.int %e, %0, %i : (!jit.tensor<[10,5,4],f32>, i64, i64) -> !jit.tensor<[5,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %q = aten.mm %t, %c : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %s1 = aten.add.Tensor %s, %x, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %s2 = aten.add.Tensor %q, %s1, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s2 : !jit.tensor<[5,4],f32>
  }
  return %r : !jit.tensor<[5,4],f32>
}

// -----

// A sum that begins with zeros and to which something else is added, too: the loop's own sum is no zero.

// CHECK-LABEL: func.func @zeros
//       CHECK: %[[LOOP:.*]] = scf.for
//       CHECK: %[[P:.*]] = aten.mm
//       CHECK: aten.add.Tensor %[[LOOP]], %[[P]]
func.func @zeros(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %e: !jit.tensor<[10,5,4],f32>, %w: !jit.tensor<[5,4],f32>) -> !jit.tensor<[5,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %none = jit.constant !jit.none = unit
  %zeros = aten.zeros_like %w, %none, %none, %none, %none, %none : (!jit.tensor<[5,4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[5,4],f32>
  %r = scf.for %i = %0 to %10 step %1 iter_args(%sum = %zeros) -> (!jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.select.int %g, %0, %i : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %x = aten.select.int %e, %0, %i : (!jit.tensor<[10,5,4],f32>, i64, i64) -> !jit.tensor<[5,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %s1 = aten.add.Tensor %s, %x, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s1 : !jit.tensor<[5,4],f32>
  }
  return %r : !jit.tensor<[5,4],f32>
}

// -----

// One slice after the other under other sizes, a row as a matrix; and a row times a column is the product the other way round.

// CHECK-LABEL: func.func @shapes
//   CHECK-NOT: scf.for
//   CHECK-DAG: aten.mm %{{.*}} : (!jit.tensor<[5,20],f32>, !jit.tensor<[20,4],f32>)
//   CHECK-DAG: aten.mm %{{.*}} : (!jit.tensor<[5,10],f32>, !jit.tensor<[10,4],f32>)
func.func @shapes(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,8],f32>, %u: !jit.tensor<[10,5,1],f32>, %v: !jit.tensor<[10,1,4],f32>, %start: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %2 = arith.constant 2 : i64
  %4 = arith.constant 4 : i64
  %sizes = jit.list %2, %4 : (i64, i64) -> !jit.list<i64>
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %other = %start) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %flat = aten.select.int %g, %0, %i : (!jit.tensor<[10,8],f32>, i64, i64) -> !jit.tensor<[8],f32>
    %b = aten.view %flat, %sizes : (!jit.tensor<[8],f32>, !jit.list<i64>) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %column = aten.select.int %u, %0, %i : (!jit.tensor<[10,5,1],f32>, i64, i64) -> !jit.tensor<[5,1],f32>
    %row = aten.select.int %v, %0, %i : (!jit.tensor<[10,1,4],f32>, i64, i64) -> !jit.tensor<[1,4],f32>
    %q = aten.mul.Tensor %row, %column : (!jit.tensor<[1,4],f32>, !jit.tensor<[5,1],f32>) -> !jit.tensor<[5,4],f32>
    %z = aten.add.Tensor %other, %q, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %z : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
}
