// RUN: jit-opt %s --jit-specialize="args=f32[3]:strides[1]:part[7,1,4],f32[2,2]:strides[1,2]:part[7,0,4]" | FileCheck %s
// RUN: jit-opt %s --jit-specialize="args=f32[3]:strides[1]:part[7,1,4],f32[2,2]:strides[1,2]:part[5,0,4]" | FileCheck %s --check-prefix=APART

// State that is in one memory is a view of the slot that is all of it.
// CHECK: func.func @forward(%[[S:.*]]: !jit.tensor<[3],f32> {{.*}}jit.slot = "s"{{.*}}, %[[T:.*]]: !jit.tensor<[2,2],f32> {{.*}}jit.slot = "t"
// CHECK: %[[V:.*]] = aten.as_strided %[[T]], {{.*}} {jit.from_start}
// CHECK: jit.overwrite %[[V]]
// CHECK: return %[[V]], %[[T]]
// APART-NOT: aten.as_strided
func.func @forward(%s: !jit.tensor {jit.slot = "s"}, %t: !jit.tensor {jit.slot = "t"})
    -> (!jit.tensor {jit.slot = "s"}, !jit.tensor {jit.slot = "t"}) {
  %x = aten.neg %s : (!jit.tensor) -> !jit.tensor
  %r = jit.overwrite %s, %x : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %s, %t : !jit.tensor, !jit.tensor
}
