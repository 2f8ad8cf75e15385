// RUN: jit-opt %s --jit-freeze --jit-specialize="args=f32[3]" --jit-functionalize | FileCheck %s

// State that no method sets is the same tensor wherever it is read, and neither an argument nor anything new.
jit.slot @s : !jit.tensor<[3],f32> = #jit.storage<"data/0", 2, [2]>
jit.slot @t : !jit.tensor<[3],f32> = #jit.storage<"data/1", 0, [1]>

// CHECK-LABEL: func.func @forward
//   CHECK-DAG: %[[FALSE:.*]] = arith.constant false
//   CHECK-DAG: %[[TRUE:.*]] = arith.constant true
//       CHECK: return %[[TRUE]], %[[FALSE]], %[[FALSE]], %[[FALSE]]
func.func @forward(%x: !jit.tensor) -> (i1, i1, i1, i1) {
  %s = jit.slot_get @s : !jit.tensor
  %again = jit.slot_get @s : !jit.tensor
  %t = jit.slot_get @t : !jit.tensor
  %new = aten.relu %s : (!jit.tensor) -> !jit.tensor
  %itself = aten.is_set_to %s, %again : (!jit.tensor, !jit.tensor) -> i1
  %other = aten.is_set_to %s, %t : (!jit.tensor, !jit.tensor) -> i1
  %argument = aten.is_set_to %x, %t : (!jit.tensor, !jit.tensor) -> i1
  %made = aten.is_set_to %new, %s : (!jit.tensor, !jit.tensor) -> i1
  return %itself, %other, %argument, %made : i1, i1, i1, i1
}
