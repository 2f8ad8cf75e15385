// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// A diagonal of open sizes is as long as the shorter of what is left of the two dimensions, and never shorter than nothing.
// Where it has no element there may be no row to begin at.
// CHECK-LABEL: func.func @forward
// CHECK: %[[ROWS:.*]] = tensor.dim %{{.*}}, %c0
// CHECK: %[[COLUMNS:.*]] = tensor.dim %{{.*}}, %c1
// CHECK: %[[LEFT:.*]] = arith.subi %[[ROWS]], %c2
// CHECK: %[[LEAST:.*]] = arith.minsi %[[LEFT]], %[[COLUMNS]]
// CHECK: %[[LENGTH:.*]] = arith.maxsi %[[LEAST]], %c0
// CHECK: %[[ROW:.*]] = arith.minsi %[[ROWS]], %c2
// CHECK: %[[SQUARE:.*]] = tensor.extract_slice %{{.*}}[%[[ROW]], 0] [%[[LENGTH]], %[[LENGTH]]] [1, 1]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[LENGTH]])
// CHECK: linalg.generic {{.*}} ins(%[[SQUARE]] : tensor<?x?xf32>) outs(%[[EMPTY]] : tensor<?xf32>)
func.func @forward(%x: !jit.tensor<[?,?],f32>) -> !jit.tensor<[?],f32> attributes {jit.symbolic} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %below = arith.constant -2 : i64
  %d = aten.diagonal %x, %below, %zero, %one : (!jit.tensor<[?,?],f32>, i64, i64, i64) -> !jit.tensor<[?],f32>
  return %d : !jit.tensor<[?],f32>
}
