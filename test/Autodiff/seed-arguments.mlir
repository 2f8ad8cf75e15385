// RUN: jit-opt %s --jit-differentiate=seed=arguments | FileCheck %s

// The gradient of the output comes in as an argument; an output that nothing differentiated reaches has none.

// CHECK-LABEL: func.func @forward
//  CHECK-SAME: %[[X:[a-z0-9]+]]: !jit.tensor<[4],f32> {jit.requires_grad}, %[[Y:[a-z0-9]+]]: !jit.tensor<[4],f32>
//  CHECK-SAME: %[[G:[a-z0-9]+]]: !jit.tensor<[4],f32> {jit.grad_of = 0 : i64})
//  CHECK-SAME: jit.outputs = [{value = 0 : i64}, {value = 1 : i64}, {grad = array<i64: 0>, value = 2 : i64}]
//       CHECK: aten.mul.Tensor %[[G]], %[[Y]]
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %y: !jit.tensor<[4],f32>)
    -> (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) {
  %0 = aten.mul.Tensor %x, %y : (!jit.tensor<[4],f32>, !jit.tensor<[4],f32>) -> !jit.tensor<[4],f32>
  return %0, %y : !jit.tensor<[4],f32>, !jit.tensor<[4],f32>
}
