// RUN: jit-opt %s --jit-specialize="args=(undef,[f32[2],undef])" | FileCheck %s
// RUN: not jit-opt %s --jit-specialize="args=(none,[f32[2],f32[2]])" 2>&1 | FileCheck %s --check-prefix=NONE

// A tensor that is not there may stand in tuples and lists; it is not None.
// CHECK-LABEL: func.func @forward
// CHECK-SAME: %arg0: !jit.tensor<[2],f32> {jit.arg = array<i64: 0, 1, 0>})
// CHECK-DAG: %[[FIRST:.*]] = jit.absent : !jit.tensor
// CHECK-DAG: %[[LAST:.*]] = jit.absent : !jit.tensor
// CHECK: return %{{.*}}, %arg0, %{{.*}} : !jit.tensor, !jit.tensor<[2],f32>, !jit.tensor
// NONE: expected argument 0 of type Tensor, got none
func.func @forward(%all: !jit.tuple<!jit.tensor, !jit.list<!jit.tensor>>) -> !jit.tuple<!jit.tensor, !jit.list<!jit.tensor>> {
  return %all : !jit.tuple<!jit.tensor, !jit.list<!jit.tensor>>
}
