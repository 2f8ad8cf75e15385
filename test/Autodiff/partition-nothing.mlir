// RUN: jit-opt %s --jit-differentiate=seed=arguments --jit-partition-gradients | FileCheck %s

// Where no result depends on what is differentiated its gradient is zero, whatever comes back.

// CHECK-LABEL: func.func @forward(
//       CHECK: return %arg1 :
// CHECK-LABEL: func.func @forward.backward() ->
//       CHECK: %[[Z:.*]] = aten.zeros
//       CHECK: return %[[Z]]
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32> {
  return %y : !jit.tensor<[4],f32>
}
