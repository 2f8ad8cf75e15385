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

// -----

// As of what as_tensor makes of a number, and of a range.
// CHECK-LABEL: func.func @rounded(
//       CHECK:   %[[N:.*]] = arith.constant 300 : i64
//       CHECK:   return %[[N]]
func.func @rounded() -> i64 {
  %none = jit.constant !jit.none = unit
  %no = arith.constant false
  %long = arith.constant 4 : i64
  %a = arith.constant 300.5 : f64
  %t = aten.as_tensor.float %a, %none, %none : (f64, !jit.none, !jit.none) -> !jit.tensor<[],f32>
  %f = aten.floor %t : (!jit.tensor<[],f32>) -> !jit.tensor<[],f32>
  %l = aten.to.dtype %f, %long, %no, %no, %none : (!jit.tensor<[],f32>, i64, i1, i1, !jit.none) -> !jit.tensor<[],i64>
  %n = aten.item %l : (!jit.tensor<[],i64>) -> i64
  return %n : i64
}

// -----

// CHECK-LABEL: func.func @ranged(
//       CHECK:   %[[N:.*]] = arith.constant 8 : i64
//       CHECK:   return %[[N]]
func.func @ranged() -> i64 {
  %none = jit.constant !jit.none = unit
  %0 = arith.constant 0 : i64
  %2 = arith.constant 2 : i64
  %3 = arith.constant 3 : i64
  %9 = arith.constant 9 : i64
  %t = aten.arange.start_step %2, %9, %3, %none, %none, %none, %none
      : (i64, i64, i64, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[3],i64>
  %s = aten.select.int %t, %0, %2 : (!jit.tensor<[3],i64>, i64, i64) -> !jit.tensor<[],i64>
  %n = aten.item %s : (!jit.tensor<[],i64>) -> i64
  return %n : i64
}

// -----

// A product that a trace writes in place: what is read later is the last product, and what was read before is not.
// CHECK-LABEL: func.func @accumulated(
//       CHECK:   %[[A:.*]] = arith.muli %arg0, %arg1
//       CHECK:   %[[B:.*]] = arith.muli %[[A]], %arg1
//       CHECK:   return %arg0, %[[B]]
func.func @accumulated(%a: i64, %b: i64) -> (i64, i64) {
  %none = jit.constant !jit.none = unit
  %long = arith.constant 4 : i64
  %t = aten.scalar_tensor %a, %long, %none, %none, %none : (i64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[],i64>
  %before = aten.item %t : (!jit.tensor<[],i64>) -> i64
  %p = aten.mul.Scalar %t, %b : (!jit.tensor<[],i64>, i64) -> !jit.tensor<[],i64>
  %w = jit.overwrite %t, %p : (!jit.tensor<[],i64>, !jit.tensor<[],i64>) -> !jit.tensor<[],i64>
  %q = aten.mul.Scalar %t, %b : (!jit.tensor<[],i64>, i64) -> !jit.tensor<[],i64>
  %v = jit.overwrite %w, %q : (!jit.tensor<[],i64>, !jit.tensor<[],i64>) -> !jit.tensor<[],i64>
  %after = aten.item %t : (!jit.tensor<[],i64>) -> i64
  return %before, %after : i64, i64
}

// -----

// A write in a branch may not have been run.
// CHECK-LABEL: func.func @maybe(
//       CHECK:   %[[N:.*]] = aten.item
//       CHECK:   return %[[N]]
func.func @maybe(%a: i64, %c: i1) -> i64 {
  %none = jit.constant !jit.none = unit
  %long = arith.constant 4 : i64
  %t = aten.scalar_tensor %a, %long, %none, %none, %none : (i64, i64, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[],i64>
  scf.if %c {
    %p = aten.mul.Scalar %t, %a : (!jit.tensor<[],i64>, i64) -> !jit.tensor<[],i64>
    %w = jit.overwrite %t, %p : (!jit.tensor<[],i64>, !jit.tensor<[],i64>) -> !jit.tensor<[],i64>
  }
  %after = aten.item %t : (!jit.tensor<[],i64>) -> i64
  return %after : i64
}
