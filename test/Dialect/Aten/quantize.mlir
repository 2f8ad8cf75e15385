// RUN: jit-opt %s --jit-decompose | FileCheck %s

// A step for each channel stands along its dimension; the whole number is clamped before it is scaled back.
// CHECK-LABEL: func.func @channels(
//       CHECK: aten.reciprocal %{{.*}} : (!jit.tensor<[1,3],f32>) -> !jit.tensor<[1,3],f32>
//       CHECK: aten.round
//       CHECK: aten.clamp
//       CHECK: aten.sub.Tensor
//       CHECK: aten.mul.Tensor {{.*}} -> !jit.tensor<[2,3],f32>
func.func @channels(%x: !jit.tensor<[2,3],f32>, %step: !jit.tensor<[3],f32>, %zero: !jit.tensor<[3],i32>) -> !jit.tensor<[2,3],f32> {
  %axis = arith.constant 1 : i64
  %least = arith.constant -8 : i64
  %most = arith.constant 7 : i64
  %r = aten.fake_quantize_per_channel_affine %x, %step, %zero, %axis, %least, %most
      : (!jit.tensor<[2,3],f32>, !jit.tensor<[3],f32>, !jit.tensor<[3],i32>, i64, i64, i64) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}
