// RUN: jit-opt %s --jit-freeze --jit-specialize="args=f32[1]" --jit-functionalize | FileCheck %s

// State that no method puts another tensor in lies as it was saved: its strides, and where its memory begins.
jit.slot @columns : !jit.tensor<[3,2],f32> = #jit.storage<"data/0", 0, [1, 3]>
jit.slot @part : !jit.tensor<[3],f32> = #jit.storage<"data/1", 2, [1]>

// CHECK-LABEL: func.func @forward
//   CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
//   CHECK-DAG: %[[FALSE:.*]] = arith.constant false
//   CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
//       CHECK: return %[[ONE]], %[[FALSE]], %[[TWO]]
func.func @forward(%x: !jit.tensor) -> (i64, i1, i64) {
  %zero = arith.constant 0 : i64
  %columns = jit.slot_get @columns : !jit.tensor
  %stride = aten.stride.int %columns, %zero : (!jit.tensor, i64) -> i64
  %rows = aten.is_contiguous %columns : (!jit.tensor) -> i1
  %part = jit.slot_get @part : !jit.tensor
  %begin = aten.storage_offset %part : (!jit.tensor) -> i64
  return %stride, %rows, %begin : i64, i1, i64
}
