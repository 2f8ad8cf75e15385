// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// Data that give a tensor three rows do not take the way that counts on two: a guard says so, should it happen.
// CHECK-LABEL: func.func @forward
// CHECK: scf.if
// CHECK: jit.guard %false, "jit.Unsupported", "expected a tensor of type !jit.tensor<[2],f32>, got one of !jit.tensor<[3],f32>"
func.func @forward(%x: !jit.tensor<[3],f32>, %y: !jit.tensor<[2],f32>, %flag: i1) -> !jit.tensor<[2],f32> {
  %0 = scf.if %flag -> !jit.tensor<[2],f32> {
    %1 = jit.unchecked_cast %x : !jit.tensor<[3],f32> to !jit.tensor<[2],f32>
    scf.yield %1 : !jit.tensor<[2],f32>
  } else {
    scf.yield %y : !jit.tensor<[2],f32>
  }
  return %0 : !jit.tensor<[2],f32>
}
