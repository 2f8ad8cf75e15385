// RUN: jit-opt %s --split-input-file --jit-hoist-products | FileCheck %s

// Numbers, lists and what is computed of tensors leave the loop. Tensors that one number fills, or that are made of numbers, are as
// cheap inside; a branch, a guard and a division that may be one by 0 are done when the loop gets to them.

// CHECK-LABEL: func.func @forward
//       CHECK: jit.list
//       CHECK: aten.cat
//       CHECK: arith.muli
//       CHECK: scf.for
//   CHECK-DAG: aten.ones_like
//   CHECK-DAG: aten.arange
//   CHECK-DAG: jit.poison
//   CHECK-DAG: arith.divsi
//   CHECK-DAG: jit.guard
// CHECK-COUNT-4: scf.if
//       CHECK: return
func.func @forward(%x: !jit.tensor<[2],f32>, %h: !jit.tensor<[4],f32>, %n: i64, %is: i1) -> (!jit.tensor<[4],f32>, i64) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %4 = arith.constant 4 : i64
  %10 = arith.constant 10 : i64
  %single = arith.constant 6 : i64
  %none = jit.constant !jit.none = unit
  %r:2 = scf.for %i = %0 to %10 step %1 iter_args(%c = %h, %k = %n) -> (!jit.tensor<[4],f32>, i64) : i64 {
    jit.guard %is, "builtins.ValueError", "expected it"
    %parts = jit.list %x, %x : (!jit.tensor<[2],f32>, !jit.tensor<[2],f32>) -> !jit.list<!jit.tensor>
    %whole = aten.cat %parts, %0 : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[4],f32>
    %ones = aten.ones_like %h, %none, %none, %none, %none, %none : (!jit.tensor<[4],f32>, !jit.none, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4],f32>
    %range = aten.arange %4, %single, %none, %none, %none : (i64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[4],f32>
    %empty = jit.poison : !jit.tensor<[4],f32>
    %filled = aten.slice_scatter %empty, %whole, %0, %0, %4, %1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>, i64, i64, i64, i64) -> !jit.tensor<[4],f32>
    %square = arith.muli %n, %n : i64
    %part = arith.divsi %10, %n : i64
    %sum = arith.addi %square, %part : i64
    %number = scf.if %is -> i64 {
      scf.yield %n : i64
    } else {
      scf.yield %sum : i64
    }
    %other = scf.if %is -> i64 {
      %twice = arith.addi %n, %n : i64
      scf.yield %twice : i64
    } else {
      scf.yield %n : i64
    }
    %numbers = arith.addi %number, %other : i64
    %last = arith.addi %numbers, %k : i64
    %s = scf.if %is -> !jit.tensor<[4],f32> {
      %t = aten.tanh %filled : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
      scf.yield %t : !jit.tensor<[4],f32>
    } else {
      scf.yield %ones : !jit.tensor<[4],f32>
    }
    %same = scf.if %is -> !jit.tensor<[4],f32> {
      %t = aten.tanh %h : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
      scf.yield %t : !jit.tensor<[4],f32>
    } else {
      scf.yield %h : !jit.tensor<[4],f32>
    }
    %range1 = aten.mul.Tensor %range, %same : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %u = aten.mul.Tensor %s, %range1 : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    %v = aten.mul.Tensor %u, %c : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
    scf.yield %v, %last : !jit.tensor<[4],f32>, i64
  }
  return %r#0, %r#1 : !jit.tensor<[4],f32>, i64
}

// -----

// A tensor whose rank nothing says, and one of open sizes, are no broadcasts that are known.

// CHECK-LABEL: func.func @open
//       CHECK: aten.expand
//       CHECK: aten.expand
//       CHECK: aten.t
//       CHECK: scf.for
//       CHECK: aten.expand
//       CHECK: aten.mul.Tensor
func.func @open(%u: !jit.tensor<*,f32>, %m: !jit.tensor<[?,?],f32>, %one: !jit.tensor<[1,4],f32>, %h: !jit.tensor<[4,4],f32>, %sizes: !jit.list<i64>, %l: !jit.list<!jit.tensor>) -> !jit.list<!jit.tensor> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %4 = arith.constant 4 : i64
  %10 = arith.constant 10 : i64
  %false = arith.constant false
  %four = jit.list %4, %4 : (i64, i64) -> !jit.list<i64>
  %r = scf.for %i = %0 to %10 step %1 iter_args(%c = %l) -> !jit.list<!jit.tensor> : i64 {
    %wide = aten.expand %u, %sizes, %false : (!jit.tensor<*,f32>, !jit.list<i64>, i1) -> !jit.tensor<*,f32>
    %some = aten.expand %one, %sizes, %false : (!jit.tensor<[1,4],f32>, !jit.list<i64>, i1) -> !jit.tensor<*,f32>
    %t = aten.t %m : (!jit.tensor<[?,?],f32>) -> !jit.tensor<[?,?],f32>
    %rows = aten.expand %one, %four, %false : (!jit.tensor<[1,4],f32>, !jit.list<i64>, i1) -> !jit.tensor<[4,4],f32>
    %v = aten.mul.Tensor %rows, %h : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
    %all = jit.list %wide, %some, %t, %v : (!jit.tensor<*,f32>, !jit.tensor<*,f32>, !jit.tensor<[?,?],f32>, !jit.tensor<[4,4],f32>) -> !jit.list<!jit.tensor>
    scf.yield %all : !jit.list<!jit.tensor>
  }
  return %r : !jit.list<!jit.tensor>
}
