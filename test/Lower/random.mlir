// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// An element is a function of the draw and of its own place, row by row.
// CHECK-LABEL: func.func @rand(
//  CHECK-SAME: %[[DRAW:.*]]: f64
//       CHECK: linalg.generic
//       CHECK: arith.fptosi %[[DRAW]] : f64 to i64
//   CHECK-DAG: linalg.index 0
//   CHECK-DAG: linalg.index 1
//       CHECK: arith.muli %{{.*}}, %{{.*}} : i64
//       CHECK: arith.sitofp %{{.*}} : i64 to f32
//       CHECK: arith.mulf
func.func @rand(%draw: f64) -> !jit.tensor<[2,3],f32> {
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %none = jit.constant !jit.none = unit
  %sizes = jit.list %c2, %c3 : (i64, i64) -> !jit.list<i64>
  %r = aten.rand.generator %sizes, %draw, %none, %none, %none, %none : (!jit.list<i64>, f64, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}
