// RUN: jit-opt %s --jit-specialize="args=f32[n,k]:grad,f32[n,k]:grad" --jit-infer-types --jit-differentiate=seed=ones --jit-eliminate-grad-sum-to-size | FileCheck %s --check-prefix=SAME
// RUN: jit-opt %s --jit-specialize="args=f32[n,k]:grad,f32[n,1]:grad" --jit-infer-types --jit-differentiate=seed=ones --jit-eliminate-grad-sum-to-size | FileCheck %s --check-prefix=BROADCAST

// Sizes with names are not 1, and equal where they meet: one plan for each pattern of broadcasts, whatever the sizes.

//     SAME-NOT: aten._grad_sum_to_size
//     SAME-NOT: aten._size_if_not_equal

// BROADCAST-COUNT-1: aten._grad_sum_to_size %{{.*}} -> !jit.tensor<[?,1],f32>
//     BROADCAST-NOT: aten._grad_sum_to_size
//     BROADCAST-NOT: aten._size_if_not_equal
func.func @forward(%x: !jit.tensor, %y: !jit.tensor) -> !jit.tensor {
  %0 = aten.mul.Tensor %x, %y : (!jit.tensor, !jit.tensor) -> !jit.tensor
  return %0 : !jit.tensor
}
