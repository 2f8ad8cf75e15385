// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[2,3]" --canonicalize | FileCheck %s

// Where gradients are off PyTorch hands on the gradient of a tensor that was transposed as it is: calls in which it has one are refused.
// CHECK-LABEL: func.func @forward
// CHECK: %[[X:.*]] = aten.relu
// CHECK: %[[Y:.*]] = aten.t %[[X]]
// CHECK: %[[NEEDS:.*]] = aten.requires_grad %[[X]]
// CHECK: %[[FREE:.*]] = arith.xori %[[NEEDS]]
// CHECK: jit.guard %[[FREE]], "jit.Unsupported"
// CHECK: return %[[Y]]
func.func @forward(%a: !jit.tensor) -> !jit.tensor {
  %x = aten.relu %a : (!jit.tensor) -> !jit.tensor
  %y = aten.t %x : (!jit.tensor) -> !jit.tensor
  %1 = jit.become %x, %y {jit.gradients_off} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x : !jit.tensor
}

// -----

// With a dimension of size 1 more it is the same.
// CHECK-LABEL: func.func @forward
// CHECK-NOT: jit.guard
// CHECK: %[[Y:.*]] = aten.unsqueeze
// CHECK: return %[[Y]]
func.func @forward(%a: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %x = aten.relu %a : (!jit.tensor) -> !jit.tensor
  %y = aten.unsqueeze %x, %zero : (!jit.tensor, i64) -> !jit.tensor
  %1 = jit.become %x, %y {jit.gradients_off} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %x : !jit.tensor
}
