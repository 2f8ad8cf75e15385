// RUN: clang -shared -fPIC -I%S/../../include %S/Inputs/operators.c -o %t.so
// RUN: jit-opt %s --operators=%t.so --split-input-file --jit-infer-types --jit-differentiate --verify-diagnostics | FileCheck %s

// The gradient is another operator, of arguments that its schema names.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ONES:.*]] = aten.ones_like
// CHECK: aten.custom %[[ONES]], %arg1 {signature = "test::scale_backward(Tensor grad, float by) -> Tensor grad_x"}
func.func @forward(%x: !jit.tensor<[2,3],f32> {jit.requires_grad}, %by: f64) -> !jit.tensor {
  %0 = aten.custom %x, %by {signature = "test::scale(Tensor x, float by=2.0) -> Tensor"}
      : (!jit.tensor<[2,3],f32>, f64) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

// CHECK-LABEL: func.func @forward
// CHECK: aten.custom %{{.*}}, %arg0, %arg1 {signature = "test::product_backward(
func.func @forward(%x: !jit.tensor<[3],f32> {jit.requires_grad}, %y: !jit.tensor<[3],f32> {jit.requires_grad}) -> !jit.tensor {
  %0 = aten.custom %x, %y {signature = "test::product(Tensor x, Tensor y) -> Tensor z"}
      : (!jit.tensor<[3],f32>, !jit.tensor<[3],f32>) -> !jit.tensor
  return %0 : !jit.tensor
}

// -----

func.func @forward(%x: !jit.tensor<[3],f32> {jit.requires_grad}) -> !jit.tensor {
  %first = arith.constant 1 : i64
  // expected-error@+1 {{expected an operator with a gradient, got test::split(Tensor x, int first) -> (Tensor, Tensor): its file of operators names none}}
  %0:2 = aten.custom %x, %first {signature = "test::split(Tensor x, int first) -> (Tensor, Tensor)"}
      : (!jit.tensor<[3],f32>, i64) -> (!jit.tensor, !jit.tensor)
  return %0#0 : !jit.tensor
}
