// RUN: jit-opt %s --jit-specialize="args=f32[2,3]" --canonicalize | FileCheck %s

// Where another tensor shows its memory, the result goes into that memory, from its first element on.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[V:.*]] = aten.select.int %[[T]]
// CHECK: %[[E:.*]] = aten.exp %[[V]]
// CHECK: %[[P:.*]] = aten.as_strided %[[T]]
// CHECK: jit.overwrite %[[P]], %[[E]]
// CHECK: return %[[P]], %[[V]]
func.func @forward(%x: !jit.tensor) -> (!jit.tensor, !jit.tensor) {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %v = aten.select.int %t, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  %e = aten.exp %v : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %t, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t, %v : !jit.tensor, !jit.tensor
}
