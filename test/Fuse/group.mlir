// RUN: jit-opt %s --jit-fuse-pointwise | FileCheck %s

// A value that is used outside and inside is one more result; operators of one size share a group.
// CHECK-LABEL: func.func @two_results
//       CHECK: %[[G:.*]]:2 = jit.group -> (!jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>) {
//       CHECK: %[[M:.*]] = aten.mul.Tensor
//       CHECK: %[[T:.*]] = aten.tanh %[[M]]
//       CHECK: jit.yield %[[M]], %[[T]]
//       CHECK: return %[[G]]#0, %[[G]]#1
func.func @two_results(%x: !jit.tensor<[4,8],f32>, %w: !jit.tensor<[8],f32>)
    -> (!jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>) {
  %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4,8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[4,8],f32>
  %1 = aten.tanh %0 : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
  return %0, %1 : !jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>
}

// The product stands between the two: what depends on it cannot share a pass with what it depends on.
// CHECK-LABEL: func.func @not_around
//   CHECK-NOT: jit.group
func.func @not_around(%x: !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32> {
  %c1 = arith.constant 1 : i64
  %0 = aten.tanh %x : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %1 = aten.mm %0, %0 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %2 = aten.add.Tensor %0, %1, %c1 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>, i64) -> !jit.tensor<[4,4],f32>
  return %2 : !jit.tensor<[4,4],f32>
}

// Different sizes are different passes.
// CHECK-LABEL: func.func @sizes
//   CHECK-NOT: jit.group
func.func @sizes(%x: !jit.tensor<[4,8],f32>, %w: !jit.tensor<[8],f32>) -> !jit.tensor<[4,8],f32> {
  %0 = aten.tanh %w : (!jit.tensor<[8],f32>) -> !jit.tensor<[8],f32>
  %1 = aten.mul.Tensor %x, %0 : (!jit.tensor<[4,8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[4,8],f32>
  return %1 : !jit.tensor<[4,8],f32>
}

// A user of the first operator stands before the last one: it follows the group.
// CHECK-LABEL: func.func @user_between
//       CHECK: %[[G:.*]]:2 = jit.group
//       CHECK: aten.mm %[[G]]#0
func.func @user_between(%x: !jit.tensor<[4,4],f32>) -> (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) {
  %0 = aten.tanh %x : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %1 = aten.mm %0, %0 : (!jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  %2 = aten.exp %0 : (!jit.tensor<[4,4],f32>) -> !jit.tensor<[4,4],f32>
  return %1, %2 : !jit.tensor<[4,4],f32>, !jit.tensor<[4,4],f32>
}
