// RUN: jit-opt %s --jit-lower | FileCheck %s

// With the statistics given, what a channel is scaled and shifted by depends on weights alone.
// CHECK-LABEL: func.func @batch_norm(
// CHECK-SAME: %[[X:.*]]: tensor<1x3x4xf32>
// CHECK: math.sqrt
// CHECK: %[[FACTOR:.*]] = tensor.expand_shape %{{.*}} : tensor<3xf32> into tensor<1x3x1xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[FACTOR]] :
// CHECK: %[[SHIFT:.*]] = tensor.expand_shape %{{.*}} : tensor<3xf32> into tensor<1x3x1xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[SHIFT]] :
func.func @batch_norm(%x: !jit.tensor<[1,3,4],f32>, %w: !jit.tensor<[3],f32>, %b: !jit.tensor<[3],f32>, %m: !jit.tensor<[3],f32>, %v: !jit.tensor<[3],f32>) -> !jit.tensor<[1,3,4],f32> {
  %no = arith.constant false
  %p = arith.constant 1.0e-01 : f64
  %eps = arith.constant 1.0e-05 : f64
  %r = aten.batch_norm %x, %w, %b, %m, %v, %no, %p, %eps, %no : (!jit.tensor<[1,3,4],f32>, !jit.tensor<[3],f32>, !jit.tensor<[3],f32>, !jit.tensor<[3],f32>, !jit.tensor<[3],f32>, i1, f64, f64, i1) -> !jit.tensor<[1,3,4],f32>
  return %r : !jit.tensor<[1,3,4],f32>
}

// Mean and variance in two passes over the normalized dimensions.
// CHECK-LABEL: func.func @layer_norm(
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: arith.subf
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: math.sqrt
func.func @layer_norm(%x: !jit.tensor<[2,4],f32>) -> !jit.tensor<[2,4],f32> {
  %4 = arith.constant 4 : i64
  %eps = arith.constant 1.0e-05 : f64
  %none = jit.constant !jit.none = unit
  %yes = arith.constant true
  %shape = jit.list %4 : (i64) -> !jit.list<i64>
  %r = aten.layer_norm %x, %shape, %none, %none, %eps, %yes : (!jit.tensor<[2,4],f32>, !jit.list<i64>, !jit.none, !jit.none, f64, i1) -> !jit.tensor<[2,4],f32>
  return %r : !jit.tensor<[2,4],f32>
}
