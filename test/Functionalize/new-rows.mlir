// RUN: jit-opt %s --jit-functionalize-tensors | FileCheck %s

// What new_zeros makes has rows, whatever the strides of the tensor that it takes its type from: its reshape is a view, and a write to that is seen in it.
// CHECK-LABEL: func.func @forward
// CHECK: %[[NEW:.*]] = aten.new_zeros
// CHECK: %[[FLAT:.*]] = aten.reshape %[[NEW]]
// CHECK: %[[VALUE:.*]] = aten.exp %[[FLAT]]
// CHECK: %[[WRITTEN:.*]] = aten.view_as
// CHECK: return %[[WRITTEN]]
func.func @forward(%x: !jit.tensor<[2,3],f32> {jit.strides = array<i64: 1, 4>}) -> !jit.tensor<[2,2],f32> {
  %none = jit.constant !jit.none = unit
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  %size = jit.list %two, %two : (i64, i64) -> !jit.list<i64>
  %all = jit.list %four : (i64) -> !jit.list<i64>
  %new = aten.new_zeros %x, %size, %none, %none, %none, %none : (!jit.tensor<[2,3],f32>, !jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[2,2],f32>
  %flat = aten.reshape %new, %all : (!jit.tensor<[2,2],f32>, !jit.list<i64>) -> !jit.tensor<[4],f32>
  %value = aten.exp %flat : (!jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  %w = jit.overwrite %flat, %value : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %new : !jit.tensor<[2,2],f32>
}
