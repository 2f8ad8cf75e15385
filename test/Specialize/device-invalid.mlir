// RUN: not jit-opt %s --jit-specialize="args=f32[2]@cuda,f32[2]" 2>&1 | FileCheck %s
// RUN: not jit-opt %s --jit-specialize="args=f32[2]@,f32[2]" 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: error: expected tensors on one device, got cuda and cpu
// NONE: expected a device such as cuda or cuda:0 at character 7 of the call's spec, got ',f32[2]'
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  return %x : !jit.tensor
}
