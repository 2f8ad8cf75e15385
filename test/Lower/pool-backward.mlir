// RUN: jit-opt %s --jit-lower | FileCheck %s

// Windows side by side: each element asks one window, whose number is its own over the stride.
// CHECK-LABEL: func.func @apart(
// CHECK-SAME:    %[[G:[a-z0-9]+]]: tensor<2x1x3xf32>
// CHECK: %[[SHARES:.*]] = linalg.generic {{.*}} ins(%[[G]] : tensor<2x1x3xf32>)
// CHECK: arith.divf
// CHECK: %[[REACH:.*]] = tensor.empty() : tensor<1x1xf32>
// CHECK: linalg.generic {{.*}} ins(%[[REACH]] : tensor<1x1xf32>) outs(%{{.*}} : tensor<2x1x6xf32>)
// CHECK: %[[PLACE:.*]] = linalg.index 2
// CHECK: arith.divui %[[PLACE]], %c2
// CHECK: tensor.extract %[[SHARES]]
func.func @apart(%g: !jit.tensor<[2,1,3],f32>, %x: !jit.tensor<[2,1,6],f32>) -> !jit.tensor<[2,1,6],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %size = jit.list %1, %2 : (i64, i64) -> !jit.list<i64>
  %zeros = jit.list %0, %0 : (i64, i64) -> !jit.list<i64>
  %r = aten.avg_pool2d_backward %g, %x, %size, %size, %zeros, %false, %false, %none : (!jit.tensor<[2,1,3],f32>, !jit.tensor<[2,1,6],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1, i1, !jit.none) -> !jit.tensor<[2,1,6],f32>
  return %r : !jit.tensor<[2,1,6],f32>
}

// Overlapping windows: each element asks as many as may reach it.
// CHECK-LABEL: func.func @overlapping(
// CHECK: %[[REACH:.*]] = tensor.empty() : tensor<2xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[REACH]] : tensor<2xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK: arith.cmpi ult
// CHECK: tensor.extract
// CHECK: arith.addf
func.func @overlapping(%g: !jit.tensor<[3,4],f32>) -> !jit.tensor<[8],f32> {
  %0 = arith.constant 0 : i64
  %2 = arith.constant 2 : i64
  %4 = arith.constant 4 : i64
  %8 = arith.constant 8 : i64
  %sizes = jit.list %8 : (i64) -> !jit.list<i64>
  %r = aten.unfold_backward %g, %sizes, %0, %4, %2 : (!jit.tensor<[3,4],f32>, !jit.list<i64>, i64, i64, i64) -> !jit.tensor<[8],f32>
  return %r : !jit.tensor<[8],f32>
}

// A maximum's gradient goes to the element whose place is its index.
// CHECK-LABEL: func.func @maximum(
// CHECK-SAME:    %[[G:[a-z0-9]+]]: tensor<1x2x2xf32>, %{{.*}}: tensor<1x4x4xf32>, %[[I:.*]]: tensor<1x2x2xi64>
// CHECK: %[[INDEX:.*]] = tensor.extract %[[I]]
// CHECK: %[[HERE:.*]] = arith.cmpi eq, %[[INDEX]]
// CHECK: %[[GRAD:.*]] = tensor.extract %[[G]]
// CHECK: arith.select %[[HERE]], %[[GRAD]]
func.func @maximum(%g: !jit.tensor<[1,2,2],f32>, %x: !jit.tensor<[1,4,4],f32>, %i: !jit.tensor<[1,2,2],i64>) -> !jit.tensor<[1,4,4],f32> {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %false = arith.constant false
  %twos = jit.list %2, %2 : (i64, i64) -> !jit.list<i64>
  %zeros = jit.list %0, %0 : (i64, i64) -> !jit.list<i64>
  %ones = jit.list %1, %1 : (i64, i64) -> !jit.list<i64>
  %r = aten.max_pool2d_with_indices_backward %g, %x, %twos, %twos, %zeros, %ones, %false, %i : (!jit.tensor<[1,2,2],f32>, !jit.tensor<[1,4,4],f32>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, !jit.list<i64>, i1, !jit.tensor<[1,2,2],i64>) -> !jit.tensor<[1,4,4],f32>
  return %r : !jit.tensor<[1,4,4],f32>
}
