// RUN: jit-opt %s --split-input-file --jit-hoist-products | FileCheck %s

// Products of what is not known stay in their loop: of open sizes, a bias of open sizes, a slice along an unknown dimension, one of a
// result that nothing is known of.

// CHECK-LABEL: func.func @open
//   CHECK-NOT: aten.mm
//       CHECK: scf.for
// CHECK-COUNT-2: aten.mm
//       CHECK: aten.addmm
// CHECK-COUNT-4: aten.mm
//       CHECK: return
func.func @open(%x2: !jit.tensor<[10,3],f32>, %x: !jit.tensor<[10,4,3],f32>, %u: !jit.tensor<[?,4,3],f32>, %v: !jit.tensor<[10,?,3],f32>, %w: !jit.tensor<[3,5],f32>, %wu: !jit.tensor<[3,?],f32>,
                %b: !jit.tensor<[?],f32>, %d: i64, %l: !jit.list<!jit.tensor>) -> !jit.list<!jit.tensor> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r = scf.for %i = %0 to %10 step %1 iter_args(%c = %l) -> !jit.list<!jit.tensor> : i64 {
    %a = aten.select.int %u, %0, %i : (!jit.tensor<[?,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.mm %a, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    %f = aten.select.int %v, %0, %i : (!jit.tensor<[10,?,3],f32>, i64, i64) -> !jit.tensor<[?,3],f32>
    %q = aten.mm %f, %w : (!jit.tensor<[?,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[?,5],f32>
    %step = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %s = aten.addmm %b, %step, %w, %1, %1 : (!jit.tensor<[?],f32>, !jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>, i64, i64) -> !jit.tensor<[4,5],f32>
    %t = aten.mm %step, %wu : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,?],f32>) -> !jit.tensor<[4,?],f32>
    %g = aten.select.int %x, %d, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %m = aten.mm %g, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    %n = aten.mm %step, %w : (!jit.tensor<[4,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<*,f32>
    %rows = aten.slice.Tensor %x2, %0, %i, %d, %1 : (!jit.tensor<[10,3],f32>, i64, i64, i64, i64) -> !jit.tensor<[?,3],f32>
    %o = aten.mm %rows, %w : (!jit.tensor<[?,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[4,5],f32>
    %list = jit.list %o, %p, %q, %s, %t, %m, %n : (!jit.tensor<[4,5],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[?,5],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<[4,?],f32>, !jit.tensor<[4,5],f32>, !jit.tensor<*,f32>) -> !jit.list<!jit.tensor>
    scf.yield %list : !jit.list<!jit.tensor>
  }
  return %r : !jit.list<!jit.tensor>
}

// -----

// So do products with vectors and batches, and of no columns at all.

// CHECK-LABEL: func.func @other_ranks
//   CHECK-NOT: aten.m
//       CHECK: scf.for
// CHECK-COUNT-2: aten.matmul
//       CHECK: aten.mm
//       CHECK: return
func.func @other_ranks(%x: !jit.tensor<[10,4,3],f32>, %e: !jit.tensor<[10,4,0],f32>, %v: !jit.tensor<[3],f32>, %b: !jit.tensor<[2,3,5],f32>, %w: !jit.tensor<[0,5],f32>,
                       %l: !jit.list<!jit.tensor>) -> !jit.list<!jit.tensor> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %10 = arith.constant 10 : i64
  %r = scf.for %i = %0 to %10 step %1 iter_args(%c = %l) -> !jit.list<!jit.tensor> : i64 {
    %step = aten.select.int %x, %0, %i : (!jit.tensor<[10,4,3],f32>, i64, i64) -> !jit.tensor<[4,3],f32>
    %p = aten.matmul %step, %v : (!jit.tensor<[4,3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor<[4],f32>
    %q = aten.matmul %step, %b : (!jit.tensor<[4,3],f32>, !jit.tensor<[2,3,5],f32>) -> !jit.tensor<[2,4,5],f32>
    %none = aten.select.int %e, %0, %i : (!jit.tensor<[10,4,0],f32>, i64, i64) -> !jit.tensor<[4,0],f32>
    %s = aten.mm %none, %w : (!jit.tensor<[4,0],f32>, !jit.tensor<[0,5],f32>) -> !jit.tensor<[4,5],f32>
    %list = jit.list %p, %q, %s : (!jit.tensor<[4],f32>, !jit.tensor<[2,4,5],f32>, !jit.tensor<[4,5],f32>) -> !jit.list<!jit.tensor>
    scf.yield %list : !jit.list<!jit.tensor>
  }
  return %r : !jit.list<!jit.tensor>
}

// -----

// Two slices of no rows each.

// CHECK-LABEL: func.func @no_rows
//       CHECK: scf.for
//       CHECK: aten.mm %{{.*}} -> !jit.tensor<[0,5],f32>
func.func @no_rows(%x: !jit.tensor<[1,3],f32>, %w: !jit.tensor<[3,5],f32>, %h: !jit.tensor<[0,5],f32>) -> !jit.tensor<[0,5],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %r = scf.for %i = %0 to %1 step %1 iter_args(%c = %h) -> !jit.tensor<[0,5],f32> : i64 {
    %step = aten.slice.Tensor %x, %0, %i, %i, %1 : (!jit.tensor<[1,3],f32>, i64, i64, i64, i64) -> !jit.tensor<[0,3],f32>
    %p = aten.mm %step, %w : (!jit.tensor<[0,3],f32>, !jit.tensor<[3,5],f32>) -> !jit.tensor<[0,5],f32>
    %s = aten.mul.Tensor %p, %c : (!jit.tensor<[0,5],f32>, !jit.tensor<[0,5],f32>) -> !jit.tensor<[0,5],f32>
    scf.yield %s : !jit.tensor<[0,5],f32>
  }
  return %r : !jit.tensor<[0,5],f32>
}
