// RUN: jit-opt %s --jit-specialize="args=f32[2]@cuda,f32[]" | FileCheck %s
// RUN: not jit-opt %s --jit-specialize="args=f32[2]@cuda,f32[]@cuda:1" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: jit-opt %s --jit-specialize="args=f32[2]@cuda,f32[]@cuda" | FileCheck %s

// A tensor without dimensions may come from the CPU beside those of a device.
// CHECK: jit.device = "cuda"
// OTHER: expected tensors on one device, got cuda and cuda:1
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %r = aten.mul.Tensor %x, %y : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %r : !jit.tensor
}
