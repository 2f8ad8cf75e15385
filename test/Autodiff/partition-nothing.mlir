// RUN: jit-opt %s --jit-differentiate=seed=arguments --jit-partition-gradients | FileCheck %s

// Where no result depends on what is differentiated its gradient is zero, whatever comes back.

// CHECK-LABEL: func.func @forward(
//       CHECK: %[[Z:.*]] = aten.zeros
//       CHECK: return %arg1, %[[Z]] :
// CHECK-LABEL: func.func @forward.backward(
//       CHECK: return %arg0
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  return %y : !jit.tensor<[4],f32>
}
