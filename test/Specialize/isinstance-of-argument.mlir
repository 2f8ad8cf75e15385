// The call says of what type an argument is; a list is one of its elements' type.
// RUN: jit-opt %s --jit-specialize="args=[f32[2],f32[3]]" | FileCheck %s

// CHECK-LABEL: func.func @forward
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-DAG: %[[FALSE:.*]] = arith.constant false
// CHECK: return %[[TRUE]], %[[FALSE]]
func.func @forward(%x: !jit.any) -> (i1, i1) {
  %tensors = jit.constant !jit.str = "List[Tensor]"
  %tensor = jit.constant !jit.str = "Tensor"
  %a = jit.list %tensors : (!jit.str) -> !jit.list<!jit.str>
  %b = jit.list %tensor : (!jit.str) -> !jit.list<!jit.str>
  %0 = aten._isinstance %x, %a : (!jit.any, !jit.list<!jit.str>) -> i1
  %1 = aten._isinstance %x, %b : (!jit.any, !jit.list<!jit.str>) -> i1
  return %0, %1 : i1, i1
}
