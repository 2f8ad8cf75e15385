// RUN: jit-opt %s --jit-differentiate=seed=arguments --jit-eliminate-grad-sum-to-size --jit-partition-gradients --canonicalize --cse > %t
// RUN: FileCheck %s < %t
// RUN: jit-opt %t --jit-specialize="entry=forward.backward args=f32[4],f32[4],none,f32[4],none" --jit-infer-types --jit-eliminate-grad-sum-to-size --canonicalize | FileCheck %s --check-prefix=SAME
// RUN: jit-opt %t --jit-specialize="entry=forward.backward args=f32[4],f32[1],none,f32[4],[1]" --jit-infer-types --jit-eliminate-grad-sum-to-size --canonicalize | FileCheck %s --check-prefix=BROADCAST

// The forward function answers for each operand whether it was broadcast; the backward function takes the
// answers as Optionals, and specialised by None it has no sum.

// CHECK-LABEL: func.func @forward(
//       CHECK: %[[X:.*]] = aten._size_if_not_equal
//       CHECK: %[[W:.*]] = aten._size_if_not_equal
//       CHECK: return %{{.*}}, %arg1, %[[X]], %arg0, %[[W]]
// CHECK-LABEL: func.func @forward.backward(
//  CHECK-SAME: !jit.optional<!jit.list<i64>> {jit.residual = 1 : i64}, %{{.*}}: !jit.tensor<[?],f32> {jit.residual = 2 : i64}, %{{.*}}: !jit.optional<!jit.list<i64>> {jit.residual = 3 : i64}
//   CHECK-NOT: aten._size_if_not_equal
// CHECK-COUNT-2: aten._grad_sum_to_size

//      SAME: func.func @forward.backward
// SAME-SAME: jit.outputs = [{grad = array<i64: 0>, value = 0 : i64}, {grad = array<i64: 1>, value = 1 : i64}]
//  SAME-NOT: aten._grad_sum_to_size

// BROADCAST-COUNT-1: aten._grad_sum_to_size %{{.*}} -> !jit.tensor<[1],f32>
//     BROADCAST-NOT: aten._grad_sum_to_size
func.func @forward(%x: !jit.tensor<[?],f32> {jit.requires_grad}, %w: !jit.tensor<[?],f32> {jit.requires_grad})
    -> !jit.tensor<[?],f32> {
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[?],f32>, !jit.tensor<[?],f32>) -> !jit.tensor<[?],f32>
  return %0 : !jit.tensor<[?],f32>
}
