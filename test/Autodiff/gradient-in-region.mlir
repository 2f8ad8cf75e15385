// RUN: jit-opt %s --jit-expand-gradients | FileCheck %s

// A gradient is asked for in a region of autocast: that of a product in f32, from before the region,
// is a product of what the region casts.

// CHECK-LABEL: func.func @forward
//       CHECK: %[[W:.*]] = aten.to.dtype %arg1{{.*}} -> !jit.tensor<[3,2],bf16>
//       CHECK: %[[T:.*]] = aten.transpose.int %[[W]]
//       CHECK: %[[PRODUCT:.*]] = aten.matmul %{{.*}}, %[[T]] {{.*}} -> !jit.tensor<[2,3],bf16>
//       CHECK: %[[GRADIENT:.*]] = aten.to.dtype %[[PRODUCT]]{{.*}} -> !jit.tensor<[2,3],f32>
//       CHECK: %[[CUT:.*]] = aten.detach %[[GRADIENT]]
//       CHECK: return %[[CUT]]
func.func @forward(%x: !jit.tensor<[2,3],f32>, %w: !jit.tensor<[3,2],f32>, %weight: !jit.tensor<[2,2],f32>) -> !jit.tensor<[2,3],f32> {
  %false = arith.constant false
  %zero = arith.constant 0 : i64
  %leaf = aten._leaf %x : (!jit.tensor<[2,3],f32>) -> !jit.tensor<[2,3],f32>
  %y = aten.mm %leaf, %w : (!jit.tensor<[2,3],f32>, !jit.tensor<[3,2],f32>) -> !jit.tensor<[2,2],f32>
  %outputs = jit.list %y : (!jit.tensor<[2,2],f32>) -> !jit.list<!jit.tensor>
  %inputs = jit.list %leaf : (!jit.tensor<[2,3],f32>) -> !jit.list<!jit.tensor>
  %weights = jit.list %weight : (!jit.tensor<[2,2],f32>) -> !jit.list<!jit.optional<!jit.tensor>>
  %g = aten._gradient %outputs, %inputs, %weights, %zero, %false, %false {jit.autocast = {cpu = 15 : i64}} : (!jit.list<!jit.tensor>, !jit.list<!jit.tensor>, !jit.list<!jit.optional<!jit.tensor>>, i64, i1, i1) -> !jit.tensor<[2,3],f32>
  return %g : !jit.tensor<[2,3],f32>
}
