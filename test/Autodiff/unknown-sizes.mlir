// RUN: jit-opt %s --jit-explain --jit-differentiate --jit-eliminate-grad-sum-to-size --canonicalize --cse 2>&1 | FileCheck %s

// Where sizes are not known the forward pass keeps the answer, an Optional, and nothing of the operand.

// CHECK: autodiff: a sum of a gradient stays: whether !jit.tensor<[?],f32> was broadcast is only known at run time
// CHECK-LABEL: func.func @forward
//       CHECK: %[[SIZE:.*]] = aten._size_if_not_equal {{.*}} -> !jit.optional<!jit.list<i64>>
//       CHECK: aten._grad_sum_to_size %{{.*}}, %[[SIZE]] : (!jit.tensor<[?],f32>, !jit.optional<!jit.list<i64>>)
func.func @forward(%x: !jit.tensor<[?],f32> {jit.requires_grad}, %w: !jit.tensor<[?],f32>) -> !jit.tensor<[?],f32> {
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  return %0 : !jit.tensor<[?],f32>
}
