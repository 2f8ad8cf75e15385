// RUN: jit-opt %s --jit-specialize="args=f32[3,2]" --canonicalize | FileCheck %s

// A row as out= of more elements than there are from its first one to the end of the memory, which is not used afterwards: what fits is seen in that.
// CHECK-LABEL: func.func @forward
// CHECK: %[[T:.*]] = aten.clone
// CHECK: %[[ROW:.*]] = aten.select.int %[[T]]
// CHECK: %[[E:.*]] = aten.exp
// CHECK: %[[FLAT:.*]] = aten.reshape %[[E]]
// CHECK: %[[HEAD:.*]] = aten.slice.Tensor %[[FLAT]]
// CHECK: %[[PLACES:.*]] = aten.as_strided %[[ROW]]
// CHECK: jit.overwrite %[[PLACES]], %[[HEAD]] : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>)
// CHECK: return %[[T]] :
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %none = jit.constant !jit.none = unit
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = aten.clone %x, %none : (!jit.tensor, !jit.none) -> !jit.tensor
  %row = aten.select.int %t, %zero, %one : (!jit.tensor, i64, i64) -> !jit.tensor
  %e = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %w = jit.overwrite %row, %e {jit.out} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %t : !jit.tensor
}
