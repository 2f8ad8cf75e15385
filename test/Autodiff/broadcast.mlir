// RUN: jit-opt %s --jit-differentiate | FileCheck %s
// RUN: jit-opt %s --jit-differentiate --jit-eliminate-grad-sum-to-size --canonicalize --cse | FileCheck %s --check-prefix=GONE

// The builder puts a sum after every gradient of an operator that may broadcast; the types then say that of
// the three operands here one was broadcast.

// CHECK-LABEL: func.func @forward
//       CHECK: aten._size_if_not_equal
//       CHECK: aten._grad_sum_to_size
//       CHECK: aten._size_if_not_equal
//       CHECK: aten._grad_sum_to_size
//   CHECK-NOT: jit.requires_grad
// GONE-LABEL: func.func @forward
//   GONE-NOT: aten._size_if_not_equal
//       GONE: %[[SIZE:.*]] = jit.list %{{.*}} : (i64) -> !jit.list<i64>
//       GONE: %[[SUM:.*]] = aten._grad_sum_to_size %{{.*}}, %[[SIZE]] {{.*}} -> !jit.tensor<[8],f32>
//   GONE-NOT: aten._grad_sum_to_size
//       GONE: return %{{.*}}, %{{.*}}, %[[SUM]]
func.func @forward(%x: !jit.tensor<[4,8],f32> {jit.requires_grad}, %w: !jit.tensor<[8],f32> {jit.requires_grad})
    -> !jit.tensor<[4,8],f32> {
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4,8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[4,8],f32>
  return %0 : !jit.tensor<[4,8],f32>
}
