// RUN: not jit-opt %s --jit-specialize="args=f32[2]:strides[1]:part[0,0,4],f32[2]:strides[1]:part[0,2,5]" 2>&1 | FileCheck %s
// RUN: not jit-opt %s --jit-specialize="args=f32[2]:strides[1]:part[0,0,4],i32[2]:strides[1]:part[0,2,4]" 2>&1 | FileCheck %s
// RUN: jit-opt %s --jit-specialize="args=f32[2]:strides[1]:part[0,0,4],f32[2]:strides[1]:part[0,2,4]" | FileCheck %s --check-prefix=SHARED
// RUN: jit-opt %s --jit-specialize="args=f32[2]:strides[1]:part[0,0,4],f32[2]:strides[1]:part[1,2,4]" | FileCheck %s --check-prefix=APART

// Two arguments that are parts of one memory have one argument of the function, if they agree about it.

// CHECK: expected argument 1 of type f32[4], got a part of it of another type or extent
// SHARED: func.func @forward(%{{.*}}: !jit.tensor<[4],f32> {{{[^}]*}}})
// APART: func.func @forward(%{{.*}}: !jit.tensor<[4],f32> {{{[^}]*}}}, %{{.*}}: !jit.tensor<[4],f32>
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %r = aten.mul.Tensor %x, %y : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %r : !jit.tensor
}
