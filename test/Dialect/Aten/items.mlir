// RUN: jit-opt %s --split-input-file --canonicalize | FileCheck %s

// The number in a row that is made of numbers, through what moves and compares its elements.
// CHECK-LABEL: func.func @least(
//  CHECK-SAME:   %[[A:.*]]: i64, %[[B:.*]]: i64, %[[C:.*]]: i64)
//       CHECK:   %[[M:.*]] = arith.minsi %[[B]], %[[C]]
//       CHECK:   return %[[M]]
func.func @least(%a: i64, %b: i64, %c: i64) -> i64 {
  %none = jit.constant !jit.none = unit
  %no = arith.constant false
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %list = jit.list %a, %b, %c : (i64, i64, i64) -> !jit.list<i64>
  %t = aten.tensor %list, %none, %none, %no : (!jit.list<i64>, !jit.none, !jit.none, i1) -> !jit.tensor<[3],i64>
  %s = aten.slice.Tensor %t, %0, %1, %none, %1 : (!jit.tensor<[3],i64>, i64, i64, !jit.none, i64) -> !jit.tensor<[2],i64>
  %m = aten.min %s : (!jit.tensor<[2],i64>) -> !jit.tensor<[],i64>
  %n = aten.item %m : (!jit.tensor<[],i64>) -> i64
  return %n : i64
}

// -----

// A tensor that is written holds something else.
// CHECK-LABEL: func.func @written(
//       CHECK:   %[[N:.*]] = aten.item
//       CHECK:   return %[[N]]
func.func @written(%a: i64, %x: !jit.tensor<[],i64>) -> i64 {
  %none = jit.constant !jit.none = unit
  %long = arith.constant 4 : i64
  %t = aten.scalar_tensor %a, %long, %none, %none, %none : (i64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[],i64>
  %u = aten.detach %t : (!jit.tensor<[],i64>) -> !jit.tensor<[],i64>
  %w = jit.overwrite %t, %x : (!jit.tensor<[],i64>, !jit.tensor<[],i64>) -> !jit.tensor<[],i64>
  %n = aten.item %u : (!jit.tensor<[],i64>) -> i64
  return %n : i64
}
