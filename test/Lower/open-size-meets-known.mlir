// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// What data tell is added to two tensors of other sizes: a guard refuses the call, and what is behind it is still well formed.
// CHECK-LABEL: func.func @meets
// CHECK: jit.guard
// CHECK: scf.if
// CHECK: jit.guard %false, "jit.UnequalSizes"
// CHECK: %[[X:.*]] = tensor.empty() : tensor<3xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[X]] : tensor<4x3xf32>, tensor<3xf32>)
func.func @meets(%mask: !jit.tensor<[2],i1>, %from: !jit.tensor<[2],f32>, %one: !jit.tensor<[4,1],f32>, %three: !jit.tensor<[4,3],f32>,
                 %c: i1) -> (!jit.tensor<[4,1],f32>, !jit.tensor<[4,3],f32>) {
  %k = arith.constant 1 : i64
  %x = aten.masked_select %from, %mask : (!jit.tensor<[2],f32>, !jit.tensor<[2],i1>) -> !jit.tensor<[?],f32>
  %s = aten.add.Tensor %one, %x, %k : (!jit.tensor<[4,1],f32>, !jit.tensor<[?],f32>, i64) -> !jit.tensor<[4,1],f32>
  %r = scf.if %c -> !jit.tensor<[4,3],f32> {
    %t = aten.add.Tensor %three, %x, %k : (!jit.tensor<[4,3],f32>, !jit.tensor<[?],f32>, i64) -> !jit.tensor<[4,3],f32>
    scf.yield %t : !jit.tensor<[4,3],f32>
  } else {
    scf.yield %three : !jit.tensor<[4,3],f32>
  }
  return %s, %r : !jit.tensor<[4,1],f32>, !jit.tensor<[4,3],f32>
}
