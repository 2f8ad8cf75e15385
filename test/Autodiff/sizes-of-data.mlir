// RUN: jit-opt %s --jit-differentiate=seed=arguments --jit-eliminate-grad-sum-to-size --canonicalize | FileCheck %s

// Where the sizes of all arguments are known, only data tell the others, and those are equal where they meet: no sum.

// CHECK-LABEL: func.func @forward
//   CHECK-NOT: aten._size_if_not_equal
//   CHECK-NOT: aten._grad_sum_to_size
//       CHECK: return
func.func @forward(%x: !jit.tensor<[4],f32> {jit.requires_grad}, %mask: !jit.tensor<[4],i1>) -> !jit.tensor<[?],f32> {
  %0 = aten.masked_select %x, %mask : (!jit.tensor<[4],f32>, !jit.tensor<[4],i1>) -> !jit.tensor<[?],f32>
  %1 = aten.mul.Tensor %0, %0 : (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  return %1 : !jit.tensor<[?],f32>
}
