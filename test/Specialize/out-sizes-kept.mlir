// RUN: jit-opt %s --jit-specialize="args=f32[2,3],f32[2,3]" --canonicalize | FileCheck %s

// An argument keeps its memory as out=, and so does a tensor of the result's sizes, one that a view is of, or one whose result is a view.
// CHECK-LABEL: func.func @forward
// CHECK-COUNT-4: jit.overwrite
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> (!jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %row = aten.select.int %x, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  %short = aten.exp %row : (!jit.tensor) -> !jit.tensor
  %e = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %0 = jit.overwrite %y, %short {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %1 = jit.overwrite %t, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %m = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %v = aten.t %m : (!jit.tensor) -> !jit.tensor
  %2 = jit.overwrite %v, %short {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %k = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %3 = jit.overwrite %k, %row {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %0, %1, %2, %3 : !jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor
}
