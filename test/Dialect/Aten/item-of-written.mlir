// The element of a tensor that is written in place is the number that was written, not the one that the tensor was made of.
// RUN: jit-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @written(
// CHECK-SAME: %[[Y:.*]]: i64
// CHECK: return %[[Y]]
func.func @written(%y: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %t = aten.tensor.int %zero, %none, %none, %false : (i64, !jit.none, !jit.none, i1) -> !jit.tensor<[],i64>
  %sum = aten.add.Scalar %t, %y, %one : (!jit.tensor<[],i64>, i64, i64) -> !jit.tensor<[],i64>
  %new = jit.overwrite %t, %sum : (!jit.tensor<[],i64>, !jit.tensor<[],i64>) -> !jit.tensor<[],i64>
  %n = aten.item %t : (!jit.tensor<[],i64>) -> i64
  return %n : i64
}

// CHECK-LABEL: func.func @not_written(
// CHECK-SAME: %[[Y:.*]]: i64
// CHECK: return %[[Y]]
func.func @not_written(%y: i64) -> i64 {
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %t = aten.tensor.int %y, %none, %none, %false : (i64, !jit.none, !jit.none, i1) -> !jit.tensor<[],i64>
  %n = aten.item %t : (!jit.tensor<[],i64>) -> i64
  return %n : i64
}
