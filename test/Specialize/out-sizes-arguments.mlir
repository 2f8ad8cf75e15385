// RUN: jit-opt %s --jit-specialize="args=f32[2,3]" --canonicalize | FileCheck %s

// An argument as out= takes the sizes of the result in its memory, and the caller is told: a further result, with its strides and where it begins.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,3],f32>
// CHECK-SAME: {mutates = array<i64: 0>, offset = 0 : i64, strides = array<i64: 1>, value = 1 : i64}
// CHECK: %[[E:.*]] = aten.exp
// CHECK: %[[P:.*]] = aten.as_strided %[[X]]
// CHECK: jit.overwrite %[[P]], %[[E]]
// CHECK: %[[R:.*]] = aten.relu %[[P]]
// CHECK: return %[[R]], %[[P]]
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %row = aten.select.int %x, %zero, %zero : (!jit.tensor, i64, i64) -> !jit.tensor
  %e = aten.exp %row : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %x, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %r = aten.relu %x : (!jit.tensor) -> !jit.tensor
  return %r : !jit.tensor
}
