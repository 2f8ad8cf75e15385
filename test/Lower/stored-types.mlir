// RUN: jit-opt %s --jit-lower --canonicalize --cse | FileCheck %s

// Floats of eight bits are their bits, which a conversion takes apart.
// CHECK-LABEL: func.func @decode(
//  CHECK-SAME: tensor<4xi8> {jit.dtype = 24 : i64}) -> tensor<4xf32>
//       CHECK: linalg.generic
//       CHECK: ^bb0(%[[BITS:.*]]: i8, %{{.*}}: f32):
//       CHECK: arith.extui %[[BITS]] : i8 to i32
//       CHECK: %[[NUMBER:.*]] = arith.bitcast %{{.*}} : i32 to f32
//       CHECK: linalg.yield %[[NUMBER]] : f32
func.func @decode(%x: !jit.tensor<[4],f8E4M3FN>) -> !jit.tensor<[4],f32> {
  %f32 = arith.constant 6 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %r = aten.to.dtype %x, %f32, %false, %false, %none : (!jit.tensor<[4],f8E4M3FN>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

// What is beyond the greatest number of e5m2 is its infinity, 124.
// CHECK-LABEL: func.func @encode(
//  CHECK-SAME: tensor<4xf64>) -> (tensor<4xi8> {jit.dtype = 23 : i64})
//   CHECK-DAG: %[[INFINITY:.*]] = arith.constant 124 : i32
//       CHECK: arith.truncf %{{.*}} : f64 to f32
//       CHECK: arith.minui %{{.*}}, %[[INFINITY]] : i32
//       CHECK: arith.trunci %{{.*}} : i32 to i8
func.func @encode(%x: !jit.tensor<[4],f64>) -> !jit.tensor<[4],f8E5M2> {
  %type = arith.constant 23 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %r = aten.to.dtype %x, %type, %false, %false, %none : (!jit.tensor<[4],f64>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],f8E5M2>
  return %r : !jit.tensor<[4],f8E5M2>
}

// CHECK-LABEL: func.func @unsigned(
//  CHECK-SAME: tensor<4xi16> {jit.dtype = 27 : i64}) -> (tensor<4xi64> {jit.dtype = 29 : i64})
//       CHECK: arith.extui %{{.*}} : i16 to i64
func.func @unsigned(%x: !jit.tensor<[4],ui16>) -> !jit.tensor<[4],ui64> {
  %type = arith.constant 29 : i64
  %false = arith.constant false
  %none = jit.constant !jit.none = unit
  %r = aten.to.dtype %x, %type, %false, %false, %none : (!jit.tensor<[4],ui16>, i64, i1, i1, !jit.none) -> !jit.tensor<[4],ui64>
  return %r : !jit.tensor<[4],ui64>
}
