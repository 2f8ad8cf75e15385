// RUN: jit-opt %s --jit-lower | FileCheck %s

// The gradient of a weight sums over images; as many as the call tells are added one after the other.
// CHECK-LABEL: func.func @weight(
// CHECK-SAME: %[[X:[^:]*]]: tensor<3x?x6x6xf32>, %[[W:[^:]*]]: tensor<4x?x4x4xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[W]]
// CHECK: jit.guard %{{.*}}, "{{.*}}", "expected equal sizes, got {} and {}"
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<3x4x3x3xf32>)
// CHECK: tensor.extract_slice %[[X]][0, %[[I]], 0, 0] [3, 1, 6, 6] [1, 1, 1, 1]
// CHECK: tensor.extract_slice %[[W]][0, %[[I]], 0, 0] [4, 1, 4, 4] [1, 1, 1, 1]
func.func @weight(%x: !jit.tensor<[3,?,6,6],f32>, %w: !jit.tensor<[4,?,4,4],f32>) -> !jit.tensor<[3,4,3,3],f32> attributes {jit.symbolic} {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %no = arith.constant false
  %none = jit.constant !jit.none = unit
  %zeros = jit.list %0, %0 : (i64, i64) -> !jit.list<i64>
  %ones = jit.list %1, %1 : (i64, i64) -> !jit.list<i64>
  %r = aten.convolution %x, %w, %none, %ones, %zeros, %ones, %no, %zeros, %1 : (!jit.tensor<[3,?,6,6],f32>, !jit.tensor<[4,?,4,4],f32>, !jit.none, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1, !jit.list<i64>, i64) -> !jit.tensor<[3,4,3,3],f32>
  return %r : !jit.tensor<[3,4,3,3],f32>
}
