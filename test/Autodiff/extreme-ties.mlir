// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// Elements that are as large share the gradient: one over their number for each.

// CHECK-LABEL: func.func @forward(
//  CHECK-SAME:    %[[X:[a-z0-9]+]]: !jit.tensor<[4,8],f32>
//       CHECK: %[[MAX:.*]] = aten.amax %[[X]]
//       CHECK: %[[G:.*]] = aten.ones_like %[[MAX]]
//       CHECK: %[[KEPT:.*]] = aten.unsqueeze %[[MAX]]
//       CHECK: %[[IS:.*]] = aten.eq.Tensor %[[X]], %[[KEPT]] {{.*}} -> !jit.tensor<[4,8],i1>
//       CHECK: %[[EACH:.*]] = aten.unsqueeze %[[G]]
//       CHECK: %[[COUNT:.*]] = aten.sum.dim_IntList %[[IS]], {{.*}} -> !jit.tensor<[4,1],i64>
//       CHECK: %[[SHARE:.*]] = aten.div.Tensor %[[EACH]], %[[COUNT]]
//       CHECK: %[[GX:.*]] = aten.mul.Tensor %[[IS]], %[[SHARE]] {{.*}} -> !jit.tensor<[4,8],f32>
//       CHECK: return %[[MAX]], %[[GX]]
func.func @forward(%x: !jit.tensor<[4,8],f32> {jit.requires_grad}) -> !jit.tensor<[4],f32> {
  %c1 = arith.constant 1 : i64
  %dims = jit.list %c1 : (i64) -> !jit.list<i64>
  %keep = arith.constant false
  %0 = aten.amax %x, %dims, %keep : (!jit.tensor<[4,8],f32>, !jit.list<i64>, i1) -> !jit.tensor<[4],f32>
  return %0 : !jit.tensor<[4],f32>
}
