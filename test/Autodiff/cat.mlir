// RUN: jit-opt %s --jit-differentiate --canonicalize --cse | FileCheck %s

// Each element of the list that is differentiated by gets its part, in its own element type.

// CHECK-LABEL: func.func @forward(
//   CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
//   CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i64
//   CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i64
//   CHECK-DAG: %[[C5:.*]] = arith.constant 5 : i64
//   CHECK-DAG: %[[C6:.*]] = arith.constant 6 : i64
//       CHECK: %[[G:.*]] = aten.ones_like
//       CHECK: %[[GX:.*]] = aten.slice.Tensor %[[G]], %[[C1]], %[[C0]], %[[C2]], %[[C1]]
//       CHECK: %[[PART:.*]] = aten.slice.Tensor %[[G]], %[[C1]], %[[C5]], %[[C6]], %[[C1]]
//       CHECK: %[[GZ:.*]] = aten.to.dtype %[[PART]], {{.*}} -> !jit.tensor<[4,1],f16>
//       CHECK: return %{{.*}}, %[[GX]], %[[GZ]]
func.func @forward(%x: !jit.tensor<[4,2],f32> {jit.requires_grad}, %y: !jit.tensor<[4,3],f32>, %z: !jit.tensor<[4,1],f16> {jit.requires_grad}) -> !jit.tensor<[4,6],f32> {
  %c1 = arith.constant 1 : i64
  %list = jit.list %x, %y, %z : (!jit.tensor<[4,2],f32>, !jit.tensor<[4,3],f32>, !jit.tensor<[4,1],f16>) -> !jit.list<!jit.tensor>
  %0 = aten.cat %list, %c1 : (!jit.list<!jit.tensor>, i64) -> !jit.tensor<[4,6],f32>
  return %0 : !jit.tensor<[4,6],f32>
}
