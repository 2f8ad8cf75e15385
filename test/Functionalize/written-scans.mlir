// The running sum or product of one number, or of none, is that: in place it is written whatever the element type.
// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

!b = !jit.tensor<[],i1>

// CHECK-LABEL: func.func @one(
//       CHECK:   %[[SUM:.*]] = aten.cumsum
//       CHECK:   aten.copy %{{.*}}, %[[SUM]]
func.func @one(%x: !b) -> !b {
  %zero = arith.constant 0 : i64
  %none = jit.constant !jit.none = unit
  %z = aten.logical_not %x : (!b) -> !b
  %s = aten.cumsum %z, %zero, %none : (!b, i64, !jit.none) -> !jit.tensor<[],i64>
  %w = jit.overwrite %z, %s {jit.cast = "category"} : (!b, !jit.tensor<[],i64>) -> !b
  return %w : !b
}

// CHECK-LABEL: func.func @none(
//       CHECK:   aten.cumprod
func.func @none(%x: !jit.tensor<[0],i1>) -> !jit.tensor<[0],i1> {
  %zero = arith.constant 0 : i64
  %none = jit.constant !jit.none = unit
  %z = aten.logical_not %x : (!jit.tensor<[0],i1>) -> !jit.tensor<[0],i1>
  %s = aten.cumprod %z, %zero, %none : (!jit.tensor<[0],i1>, i64, !jit.none) -> !jit.tensor<[0],i64>
  %w = jit.overwrite %z, %s {jit.cast = "category"} : (!jit.tensor<[0],i1>, !jit.tensor<[0],i64>) -> !jit.tensor<[0],i1>
  return %w : !jit.tensor<[0],i1>
}
