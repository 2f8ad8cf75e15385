// RUN: jit-opt %s --jit-specialize="args=f32[2]:strides[1]:part[7,1,4],f32[2]:strides[1]:part[7,0,4],f32[2]" | FileCheck %s
// RUN: jit-opt %s --jit-specialize="args=f32[2]:strides[1]:part[7,2,4],f32[4]:strides[2]:part[7,0,8],f32[2]" | FileCheck %s
// RUN: jit-opt %s --jit-specialize="args=f32[2]:strides[1]:part[7,2,5],f32[4]:strides[1]:part[7,1,5],f32[2]" | FileCheck %s
// RUN: jit-opt %s --jit-specialize="args=f32[2],f32[4]:strides[1]:part[7,0,4],f32[2]:strides[1]:part[7,1,4]" | FileCheck %s --check-prefix=ARGUMENT

// State of which none is all of the memory, without gaps and from its first place on, stays apart; and an argument is no view of state.

// CHECK: func.func @forward(
// CHECK-NOT: aten.as_strided
// CHECK: return %arg0, %arg1
// ARGUMENT: func.func @forward(
// ARGUMENT-NOT: jit.from_start
// ARGUMENT: return %arg0, %arg1
func.func @forward(%s: !jit.tensor {jit.slot = "s"}, %t: !jit.tensor {jit.slot = "t"}, %x: !jit.tensor)
    -> (!jit.tensor {jit.slot = "s"}, !jit.tensor {jit.slot = "t"}, !jit.tensor) {
  %y = aten.neg %x : (!jit.tensor) -> !jit.tensor
  return %s, %t, %y : !jit.tensor, !jit.tensor, !jit.tensor
}
