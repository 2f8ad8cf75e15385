// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// The operator stays whole, and its gradient is made from its result: no maximum, no exponential.

// CHECK-LABEL: func.func @forward(
//       CHECK: %[[Y:.*]] = aten.softmax.int
//       CHECK: %[[G:.*]] = aten.ones_like
//       CHECK: %[[PRODUCT:.*]] = aten.mul.Tensor %[[G]], %[[Y]]
//       CHECK: %[[SUM:.*]] = aten.sum.dim_IntList %[[PRODUCT]], {{.*}} -> !jit.tensor<[4,1],f32>
//       CHECK: %[[REST:.*]] = aten.sub.Tensor %[[G]], %[[SUM]]
//       CHECK: %[[GX:.*]] = aten.mul.Tensor %[[Y]], %[[REST]]
//       CHECK: return %[[Y]], %[[GX]]
func.func @forward(%x: !jit.tensor<[4,8],f32> {jit.requires_grad}) -> !jit.tensor<[4,8],f32> {
  %c1 = arith.constant -1 : i64
  %none = jit.constant !jit.none = unit
  %0 = aten.softmax.int %x, %c1, %none : (!jit.tensor<[4,8],f32>, i64, !jit.none) -> !jit.tensor<[4,8],f32>
  return %0 : !jit.tensor<[4,8],f32>
}
