// RUN: jit-opt %s --split-input-file --jit-sink-sums | FileCheck %s

// What each trip reads of the tensor it writes to is still what was there before the loop, whatever that was.

// CHECK-LABEL: func.func @read_there
//  CHECK-SAME: %[[X:[a-z0-9]+]]: !jit.tensor<[10,4],f32>
//       CHECK: scf.for %{{.*}} iter_args(%[[C:.*]] = %[[X]])
//       CHECK: %[[OLD:.*]] = aten.select.int %[[X]]
//       CHECK: %[[NEW:.*]] = aten.tanh %[[OLD]]
//       CHECK: aten.select_scatter %[[C]], %[[NEW]]
func.func @read_there(%x: !jit.tensor<[10,4],f32>) -> !jit.tensor<[10,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r = scf.for %i = %0 to %10 step %1 iter_args(%c = %x) -> (!jit.tensor<[10,4],f32>) : i64 {
    %old = aten.select.int %c, %0, %i : (!jit.tensor<[10,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %new = aten.tanh %old : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %next = aten.select_scatter %c, %new, %0, %i : (!jit.tensor<[10,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[10,4],f32>
    scf.yield %next : !jit.tensor<[10,4],f32>
  }
  return %r : !jit.tensor<[10,4],f32>
}

// -----

// Zeros that nothing else takes are not read at all; a number that is broadcast to them has to be.

// CHECK-LABEL: func.func @zeros
//       CHECK: scf.for
//   CHECK-NOT: aten.select.int
//       CHECK: aten.select_scatter
//       CHECK: scf.for
//       CHECK: %[[OLD:.*]] = aten.select.int
//       CHECK: aten.add.Tensor %[[OLD]]
func.func @zeros(%x: !jit.tensor<[10,4],f32>, %g: !jit.tensor<[4],f32>, %number: !jit.tensor<[1],f32>) -> (!jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %none = jit.constant !jit.none = unit
  %zeros = aten.zeros_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[10,4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[10,4],f32>
  %r = scf.for %i = %0 to %10 step %1 iter_args(%c = %zeros) -> (!jit.tensor<[10,4],f32>) : i64 {
    %old = aten.select.int %c, %0, %i : (!jit.tensor<[10,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %new = aten.add.Tensor %old, %g, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
    %next = aten.select_scatter %c, %new, %0, %i : (!jit.tensor<[10,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[10,4],f32>
    scf.yield %next : !jit.tensor<[10,4],f32>
  }
  %q = scf.for %i = %0 to %10 step %1 iter_args(%c = %zeros) -> (!jit.tensor<[10,4],f32>) : i64 {
    %old = aten.select.int %c, %0, %i : (!jit.tensor<[10,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %new = aten.add.Tensor %old, %number, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[1],f32>, i64) -> !jit.tensor<[4],f32>
    %next = aten.select_scatter %c, %new, %0, %i : (!jit.tensor<[10,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[10,4],f32>
    scf.yield %next : !jit.tensor<[10,4],f32>
  }
  return %r, %q : !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>
}

// -----

// Read in whole, or where the call says; written where the call says; written to another variable's tensor, or to one of open sizes.

// CHECK-LABEL: func.func @elsewhere
//       CHECK: scf.for %{{.*}} iter_args(%[[A:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[B:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[C:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[D:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[E:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[F:[a-z0-9]+]] = %{{[a-z0-9]+}},
//       CHECK: aten.select.int %[[A]]
//       CHECK: aten.exp %[[A]]
//       CHECK: aten.select.int %[[B]]
//       CHECK: aten.select.int %[[C]]
//       CHECK: aten.select.int %[[D]]
//       CHECK: aten.select.int %[[E]]
//       CHECK: aten.select.int %[[F]]
func.func @elsewhere(%x: !jit.tensor<[10,4],f32>, %g: !jit.tensor<[4],f32>, %k: i64, %open: !jit.tensor<[?,4],f32>) -> (!jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[?,4],f32>, !jit.tensor<[10,4],f32>) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %none = jit.constant !jit.none = unit
  %zeros = aten.zeros_like %x, %none, %none, %none, %none, %none : (!jit.tensor<[10,4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[10,4],f32>
  %r:7 = scf.for %i = %0 to %10 step %1 iter_args(%a = %zeros, %b = %zeros, %c = %zeros, %d = %zeros, %e = %zeros, %f = %open, %w = %x) -> (!jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[?,4],f32>, !jit.tensor<[10,4],f32>) : i64 {
    %a0 = aten.select.int %a, %0, %i : (!jit.tensor<[10,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %whole = aten.exp %a : (!jit.tensor<[10,4],f32>) -> !jit.tensor<[10,4],f32>
    %a1 = aten.add.Tensor %a0, %g, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
    %a2 = aten.select_scatter %a, %a1, %0, %i : (!jit.tensor<[10,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[10,4],f32>
    %b0 = aten.select.int %b, %0, %k : (!jit.tensor<[10,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %b1 = aten.add.Tensor %b0, %g, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
    %b2 = aten.select_scatter %b, %b1, %0, %i : (!jit.tensor<[10,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[10,4],f32>
    %c0 = aten.select.int %c, %0, %i : (!jit.tensor<[10,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %c1 = aten.add.Tensor %c0, %g, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
    %c2 = aten.select_scatter %c, %c1, %0, %k : (!jit.tensor<[10,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[10,4],f32>
    %d0 = aten.select.int %d, %0, %i : (!jit.tensor<[10,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %d1 = aten.add.Tensor %d0, %g, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
    %d2 = aten.select_scatter %d, %d1, %0, %i : (!jit.tensor<[10,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[10,4],f32>
    %e0 = aten.select.int %e, %0, %i : (!jit.tensor<[10,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %e1 = aten.add.Tensor %e0, %g, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
    %e2 = aten.select_scatter %e, %e1, %0, %i : (!jit.tensor<[10,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[10,4],f32>
    %f0 = aten.select.int %f, %0, %i : (!jit.tensor<[?,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %f1 = aten.add.Tensor %f0, %g, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64) -> !jit.tensor<[4],f32>
    %f2 = aten.select_scatter %f, %f1, %0, %i : (!jit.tensor<[?,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[?,4],f32>
    scf.yield %a2, %b2, %c2, %e2, %d2, %f2, %whole : !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[?,4],f32>, !jit.tensor<[10,4],f32>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6 : !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[10,4],f32>, !jit.tensor<[?,4],f32>, !jit.tensor<[10,4],f32>
}

// -----

// Written each time to what was there before the loop: the next trip reads what this one wrote.

// CHECK-LABEL: func.func @always_the_first
//       CHECK: scf.for %{{.*}} iter_args(%[[C:[a-z0-9]+]] = %{{.*}})
//       CHECK: aten.select.int %[[C]]
func.func @always_the_first(%x: !jit.tensor<[10,4],f32>) -> !jit.tensor<[10,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r = scf.for %i = %0 to %10 step %1 iter_args(%c = %x) -> (!jit.tensor<[10,4],f32>) : i64 {
    %old = aten.select.int %c, %0, %i : (!jit.tensor<[10,4],f32>, i64, i64) -> !jit.tensor<[4],f32>
    %new = aten.tanh %old : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %next = aten.select_scatter %x, %new, %0, %i : (!jit.tensor<[10,4],f32>, !jit.tensor<[4],f32>, i64, i64) -> !jit.tensor<[10,4],f32>
    scf.yield %next : !jit.tensor<[10,4],f32>
  }
  return %r : !jit.tensor<[10,4],f32>
}
