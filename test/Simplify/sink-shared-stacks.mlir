// RUN: jit-opt %s --split-input-file --jit-sink-sums --canonicalize --cse | FileCheck %s

// A factor of two products is stacked once, and so is one that is both factors.

// CHECK-LABEL: func.func @of_two
// CHECK-COUNT-1: jit.poison
//   CHECK-NOT: jit.poison
//       CHECK: scf.for
// CHECK-COUNT-1: aten.select_scatter
//   CHECK-NOT: aten.select_scatter
//       CHECK: scf.yield
// CHECK-COUNT-2: aten.mm
func.func @of_two(%h: !jit.tensor<[10,2,5],f32>, %k: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[2,4],f32>, %start: !jit.tensor<[5,4],f32>) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:3 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %other = %start, %c = %g) -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %d = aten.select.int %k, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.tanh %c : (!jit.tensor<[2,4],f32>) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %u = aten.t %d : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %q = aten.mm %u, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %v = aten.add.Tensor %other, %q, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %v, %b : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>
  }
  return %r#0, %r#1, %r#2 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[2,4],f32>
}

// -----

// CHECK-LABEL: func.func @both
// CHECK-COUNT-1: jit.poison
//   CHECK-NOT: jit.poison
//       CHECK: scf.for
//   CHECK-NOT: aten.mm
//       CHECK: scf.yield
//       CHECK: aten.mm %{{.*}} : (!jit.tensor<[4,20],f32>, !jit.tensor<[20,4],f32>)
func.func @both(%g: !jit.tensor<[2,4],f32>, %start: !jit.tensor<[4,4],f32>) -> (!jit.tensor<[4,4],f32>, !jit.tensor<[2,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %c = %g) -> (!jit.tensor<[4,4],f32>, !jit.tensor<[2,4],f32>) : i64 {
    %b = aten.tanh %c : (!jit.tensor<[2,4],f32>) -> !jit.tensor<[2,4],f32>
    %t = aten.t %b : (!jit.tensor<[2,4],f32>) -> !jit.tensor<[4,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[4,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[4,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, i64) -> !jit.tensor<[4,4],f32>
    scf.yield %s, %b : !jit.tensor<[4,4],f32>, !jit.tensor<[2,4],f32>
  }
  return %r#0, %r#1 : !jit.tensor<[4,4],f32>, !jit.tensor<[2,4],f32>
}

// -----

// Two slices, one from the first to the last, one the other way round: one of them is turned. The latter walks over a part.

// CHECK-LABEL: func.func @directions
//   CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
//   CHECK-DAG: %[[TEN:.*]] = arith.constant 10 : i64
//   CHECK-NOT: scf.for
//   CHECK-DAG: %[[PART:.*]] = aten.slice.Tensor %{{.*}}, %{{.*}}, %[[TWO]], %[[TEN]], {{.*}} -> !jit.tensor<[8,2,4],f32>
//       CHECK: aten.flip %[[PART]]
//       CHECK: aten.mm
func.func @directions(%h: !jit.tensor<[8,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %start: !jit.tensor<[5,4],f32>) -> !jit.tensor<[5,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %8 = arith.constant 8 : i64
  %9 = arith.constant 9 : i64
  %r = scf.for %i = %0 to %8 step %1 iter_args(%sum = %start) -> (!jit.tensor<[5,4],f32>) : i64 {
    %at = arith.subi %9, %i : i64
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[8,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %b = aten.select.int %g, %0, %at : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s : !jit.tensor<[5,4],f32>
  }
  return %r : !jit.tensor<[5,4],f32>
}

// -----

// Reductions of two tensors that the loop makes: each has a sum of its own.

// CHECK-LABEL: func.func @reductions
//       CHECK: %[[LOOP:.*]]:{{[0-9]}} = scf.for
//   CHECK-DAG: %[[A:.*]] = aten.tanh
//   CHECK-DAG: %[[B:.*]] = aten.exp
//   CHECK-DAG: aten.add.Tensor %{{.*}}, %[[A]]
//   CHECK-DAG: aten.add.Tensor %{{.*}}, %[[B]]
//       CHECK: scf.yield
//   CHECK-DAG: aten.sum.dim_IntList %[[LOOP]]#[[FIRST:[0-9]]]
//   CHECK-NOT: aten.sum.dim_IntList %[[LOOP]]#[[FIRST]],
//       CHECK: aten.sum.dim_IntList
func.func @reductions(%x: !jit.tensor<[4,5],f32>, %start: !jit.tensor<[5],f32>) -> (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %5 = arith.constant 5 : i64
  %row = jit.list %5 : (i64) -> !jit.list<i64>
  %r:4 = scf.for %i = %0 to %10 step %1 iter_args(%s0 = %start, %t0 = %start, %c = %x, %d = %x) -> (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>) : i64 {
    %a = aten.tanh %c : (!jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %b = aten.exp %d : (!jit.tensor<[4,5],f32>) -> !jit.tensor<[4,5],f32>
    %s = aten._grad_sum_to_size %a, %row : (!jit.tensor<[4,5],f32>, !jit.list<i64>) -> !jit.tensor<[5],f32>
    %t = aten._grad_sum_to_size %b, %row : (!jit.tensor<[4,5],f32>, !jit.list<i64>) -> !jit.tensor<[5],f32>
    %s1 = aten.add.Tensor %s0, %s, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, i64) -> !jit.tensor<[5],f32>
    %t1 = aten.add.Tensor %t0, %t, %1 : (!jit.tensor<[5],f32>, !jit.tensor<[5],f32>, i64) -> !jit.tensor<[5],f32>
    scf.yield %s1, %t1, %a, %b : !jit.tensor<[5],f32>, !jit.tensor<[5],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>
  }
  return %r#0, %r#1, %r#2, %r#3 : !jit.tensor<[5],f32>, !jit.tensor<[5],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>
}
