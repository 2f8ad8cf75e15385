// RUN: jit-opt %s --jit-differentiate=seed=arguments --jit-partition-gradients | FileCheck %s

// That an operator has no gradient is said by the backward pass, also where no gradient goes into the way that comes there.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: jit.guard
// CHECK: return
// CHECK-LABEL: func.func @forward.backward(
// CHECK: jit.guard {{.*}}expected an operator that can be differentiated
func.func @forward(%x: !jit.tensor<[2],f32> {jit.requires_grad}, %y: !jit.tensor<[2],f32>, %c: i1) -> !jit.tensor<[2],f32> {
  %two = arith.constant 2 : i64
  %0 = scf.if %c -> !jit.tensor<[2],f32> {
    %1 = aten.floor_divide.Scalar %x, %two : (!jit.tensor<[2],f32>, i64) -> !jit.tensor<[2],f32>
    scf.yield %1 : !jit.tensor<[2],f32>
  } else {
    scf.yield %y : !jit.tensor<[2],f32>
  }
  return %0 : !jit.tensor<[2],f32>
}
