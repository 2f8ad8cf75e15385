// RUN: jit-opt %s --split-input-file --jit-sink-sums --canonicalize --cse | FileCheck %s

// A part of the steps: the product takes just these, as slices, whether they count from the front or from the back.

// CHECK-LABEL: func.func @part
//       CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
//       CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
//       CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : i64
//       CHECK-DAG: %[[TEN:.*]] = arith.constant 10 : i64
//   CHECK-NOT: scf.for
//       CHECK: aten.slice.Tensor %{{.*}}, %{{.*}}, %[[ONE]], %[[EIGHT]], %[[TWO]] : {{.*}} -> !jit.tensor<[4,2,5],f32>
//       CHECK: aten.slice.Tensor %{{.*}}, %{{.*}}, %{{.*}}, %[[TEN]], %[[TWO]] : {{.*}} -> !jit.tensor<[4,2,4],f32>
//       CHECK: aten.mm %{{.*}} : (!jit.tensor<[5,8],f32>, !jit.tensor<[8,4],f32>)
func.func @part(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[11,2,4],f32>, %start: !jit.tensor<[5,4],f32>) -> !jit.tensor<[5,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %9 = arith.constant 9 : i64
  %8 = arith.constant 8 : i64
  %dim = arith.constant -3 : i64
  %r = scf.for %i = %1 to %9 step %2 iter_args(%sum = %start) -> (!jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %at = arith.subi %i, %9 : i64
    %b = aten.select.int %g, %dim, %at : (!jit.tensor<[11,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s : !jit.tensor<[5,4],f32>
  }
  return %r : !jit.tensor<[5,4],f32>
}

// -----

// The same place in each trip, some from the front and some from the back, some that are not there: the loop reads them, and puts
// them in a stack of their own.

// CHECK-LABEL: func.func @none
//       CHECK: scf.for
// CHECK-COUNT-3: aten.select_scatter
//       CHECK: scf.yield
// CHECK-COUNT-3: aten.mm
func.func @none(%h: !jit.tensor<[10,2,5],f32>, %g: !jit.tensor<[10,2,4],f32>, %start: !jit.tensor<[5,4],f32>, %k: i64)
    -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %5 = arith.constant 5 : i64
  %10 = arith.constant 10 : i64
  %r:3 = scf.for %i = %0 to %10 step %1 iter_args(%sum = %start, %other = %start, %third = %start)
      -> (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>) : i64 {
    %a = aten.select.int %h, %0, %i : (!jit.tensor<[10,2,5],f32>, i64, i64) -> !jit.tensor<[2,5],f32>
    %t = aten.t %a : (!jit.tensor<[2,5],f32>) -> !jit.tensor<[5,2],f32>
    %b = aten.select.int %g, %0, %k : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %p = aten.mm %t, %b : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %s = aten.add.Tensor %sum, %p, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %at = arith.subi %i, %5 : i64
    %d = aten.select.int %g, %0, %at : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %q = aten.mm %t, %d : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %u = aten.add.Tensor %other, %q, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    %after = arith.addi %i, %5 : i64
    %e = aten.select.int %g, %0, %after : (!jit.tensor<[10,2,4],f32>, i64, i64) -> !jit.tensor<[2,4],f32>
    %v = aten.mm %t, %e : (!jit.tensor<[5,2],f32>, !jit.tensor<[2,4],f32>) -> !jit.tensor<[5,4],f32>
    %w = aten.add.Tensor %third, %v, %1 : (!jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, i64) -> !jit.tensor<[5,4],f32>
    scf.yield %s, %u, %w : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
  }
  return %r#0, %r#1, %r#2 : !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>, !jit.tensor<[5,4],f32>
}
