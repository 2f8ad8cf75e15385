// RUN: jit-opt %s --jit-specialize="args=f32[2,3]" --canonicalize | FileCheck %s

// The caller is told what an argument has become: a further result, with its strides and where it begins.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: (%[[X:.*]]: !jit.tensor<[2,3],f32>
// CHECK-SAME: jit.outputs = [{value = 0 : i64}, {mutates = array<i64: 0>, offset = 0 : i64, strides = array<i64: 1, 3>, value = 1 : i64}]
// CHECK: %[[T:.*]] = aten.t %[[X]]
// CHECK: %[[R:.*]] = aten.relu %[[T]]
// CHECK: return %[[R]], %[[T]]
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %u = aten.t %x : (!jit.tensor) -> !jit.tensor
  %b = jit.become %x, %u : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %r = aten.relu %x : (!jit.tensor) -> !jit.tensor
  return %r : !jit.tensor
}
