// RUN: jit-opt %s --jit-lower | FileCheck %s

// A group is one loop with a result for each value that it yields.
// CHECK-LABEL: func.func @forward
//       CHECK: %[[R:.*]]:2 = linalg.generic
//  CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8xf32>)
//       CHECK: %[[M:.*]] = arith.mulf
//       CHECK: %[[T:.*]] = math.tanh %[[M]]
//       CHECK: linalg.yield %[[M]], %[[T]]
//       CHECK: return %[[R]]#0, %[[R]]#1
func.func @forward(%x: !jit.tensor<[4,8],f32>, %w: !jit.tensor<[8],f32>)
    -> (!jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>) {
  %g:2 = jit.group -> (!jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>) {
    %0 = aten.mul.Tensor %x, %w : (!jit.tensor<[4,8],f32>, !jit.tensor<[8],f32>) -> !jit.tensor<[4,8],f32>
    %1 = aten.tanh %0 : (!jit.tensor<[4,8],f32>) -> !jit.tensor<[4,8],f32>
    jit.yield %0, %1 : !jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>
  }
  return %g#0, %g#1 : !jit.tensor<[4,8],f32>, !jit.tensor<[4,8],f32>
}
