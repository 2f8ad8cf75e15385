// RUN: jit-opt %s --split-input-file --jit-specialize="args=f32[6],i64[2],f32[2]" | FileCheck %s

// A tensor becomes another one of its element type, also a part of itself; one of another element type is an exception.

// CHECK-LABEL: func.func @forward
// CHECK: %[[Y:.*]] = aten.exp
// CHECK: jit.guard %{{.*}}, "builtins.RuntimeError", "Could not set tensor to one of another element type"
func.func @forward(%x: !jit.tensor, %i: !jit.tensor, %f: !jit.tensor) -> !jit.tensor {
  %y = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %other = aten.alias %i : (!jit.tensor) -> !jit.tensor
  %1 = jit.become %y, %other {jit.other} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %y : !jit.tensor
}

// -----

// CHECK-LABEL: func.func @forward
// CHECK: %[[OTHER:.*]] = aten.alias %arg2
// CHECK: "set_ of tensors that require gradients is not supported"
// CHECK: "set_ of tensors that require gradients is not supported"
// CHECK-NOT: another element type
// CHECK: aten.tanh %[[OTHER]]
func.func @forward(%x: !jit.tensor, %i: !jit.tensor, %f: !jit.tensor) -> !jit.tensor {
  %y = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %other = aten.alias %f : (!jit.tensor) -> !jit.tensor
  %1 = jit.become %y, %other {jit.other} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.tanh %y : (!jit.tensor) -> !jit.tensor
  return %t : !jit.tensor
}

// -----

// An argument's own part: nothing is asked.
// CHECK-LABEL: func.func @forward
// CHECK: %[[PART:.*]] = aten.slice.Tensor %arg0
// CHECK-NOT: jit.guard
// CHECK: aten.tanh %[[PART]]
func.func @forward(%x: !jit.tensor, %i: !jit.tensor, %f: !jit.tensor) -> !jit.tensor {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %y = aten.exp %x : (!jit.tensor) -> !jit.tensor
  %part = aten.slice.Tensor %x, %zero, %one, %three, %one : (!jit.tensor, i64, i64, i64, i64) -> !jit.tensor
  %1 = jit.become %x, %part {jit.other} : (!jit.tensor, !jit.tensor) -> !jit.tensor
  %t = aten.tanh %x : (!jit.tensor) -> !jit.tensor
  return %t : !jit.tensor
}
