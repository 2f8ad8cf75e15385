// A slice of all of a dimension is its tensor, whatever the size; one that may take less stays.
// RUN: jit-opt %s --canonicalize | FileCheck %s

!m = !jit.tensor<[?,3],f32>

// CHECK-LABEL: func.func @whole(
//  CHECK-SAME:   %[[X:.*]]: !jit.tensor<[?,3],f32>
//       CHECK:   return %[[X]], %[[X]], %[[X]]
func.func @whole(%x: !m) -> (!m, !m, !m) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %max = arith.constant 9223372036854775807 : i64
  %0 = aten.slice.Tensor %x, %zero, %none, %none, %one : (!m, i64, !jit.none, !jit.none, i64) -> !m
  %1 = aten.slice.Tensor %x, %zero, %zero, %max, %one : (!m, i64, i64, i64, i64) -> !m
  %2 = aten.slice.Tensor %x, %one, %none, %max, %one : (!m, i64, !jit.none, i64, i64) -> !m
  return %0, %1, %2 : !m, !m, !m
}

// CHECK-LABEL: func.func @parts(
// CHECK-COUNT-4: aten.slice.Tensor
func.func @parts(%x: !m, %n: i64) -> (!m, !m, !m, !m) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %five = arith.constant 5 : i64
  %0 = aten.slice.Tensor %x, %zero, %one, %none, %one : (!m, i64, i64, !jit.none, i64) -> !m
  %1 = aten.slice.Tensor %x, %zero, %none, %five, %one : (!m, i64, !jit.none, i64, i64) -> !m
  %2 = aten.slice.Tensor %x, %zero, %none, %none, %two : (!m, i64, !jit.none, !jit.none, i64) -> !m
  %3 = aten.slice.Tensor %x, %zero, %n, %none, %one : (!m, i64, i64, !jit.none, i64) -> !m
  return %0, %1, %2, %3 : !m, !m, !m, !m
}

// Without a rank a tensor may be a number, which has no dimension.
// CHECK-LABEL: func.func @unknown(
//       CHECK:   aten.slice.Tensor
func.func @unknown(%x: !jit.tensor) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = aten.slice.Tensor %x, %zero, %none, %none, %one : (!jit.tensor, i64, !jit.none, !jit.none, i64) -> !jit.tensor
  return %0 : !jit.tensor
}
