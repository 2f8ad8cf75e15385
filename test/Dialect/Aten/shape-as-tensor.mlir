// RUN: jit-opt %s --jit-specialize="args=f32[2,3]" | FileCheck %s

// CHECK-LABEL: func.func @forward
// CHECK-DAG: %[[A:.*]] = arith.constant 2 : i64
// CHECK-DAG: %[[B:.*]] = arith.constant 3 : i64
// CHECK: %[[L:.*]] = jit.list %[[A]], %[[B]]
// CHECK: aten.tensor %[[L]]
func.func @forward(%x: !jit.tensor) -> !jit.tensor {
  %r = aten._shape_as_tensor %x : (!jit.tensor) -> !jit.tensor
  return %r : !jit.tensor
}
