// RUN: jit-opt %s --jit-differentiate=seed=ones | FileCheck %s

// Backward passes of calls that came to an operator without a gradient end; those of others do not.
// CHECK-LABEL: func.func @forward
// CHECK: scf.if
// CHECK: aten.floor_divide.Scalar
// CHECK: scf.if
// CHECK: jit.guard %false, "jit.Unsupported", "expected an operator that can be differentiated, got 'aten.floor_divide.Scalar'"
func.func @forward(%x: !jit.tensor<[2],f32> {jit.requires_grad}, %c: i1) -> !jit.tensor<[2],f32> {
  %two = arith.constant 2 : i64
  %0 = scf.if %c -> !jit.tensor<[2],f32> {
    %1 = aten.floor_divide.Scalar %x, %two : (!jit.tensor<[2],f32>, i64) -> !jit.tensor<[2],f32>
    scf.yield %1 : !jit.tensor<[2],f32>
  } else {
    %1 = aten.neg %x : (!jit.tensor<[2],f32>) -> !jit.tensor<[2],f32>
    scf.yield %1 : !jit.tensor<[2],f32>
  }
  return %0 : !jit.tensor<[2],f32>
}
