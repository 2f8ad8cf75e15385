// RUN: jit-opt %s --jit-lower --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @zeros(
// CHECK: %[[Z:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: linalg.fill ins(%[[Z]] : f32)
func.func @zeros() -> !jit.tensor<[2,3],f32> {
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %none = jit.constant !jit.none = unit
  %sizes = jit.list %c2, %c3 : (i64, i64) -> !jit.list<i64>
  %r = aten.zeros %sizes, %none, %none, %none, %none : (!jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor<[2,3],f32>
  return %r : !jit.tensor<[2,3],f32>
}

// Numbers that are known make a constant.
// CHECK-LABEL: func.func @tensor(
// CHECK: arith.constant dense<[1.500000e+00, 2.000000e+00]> : tensor<2xf32>
func.func @tensor() -> !jit.tensor<[2],f32> {
  %a = arith.constant 1.5 : f64
  %b = arith.constant 2.0 : f64
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %list = jit.list %a, %b : (f64, f64) -> !jit.list<f64>
  %r = aten.tensor %list, %none, %none, %false : (!jit.list<f64>, !jit.none, !jit.none, i1) -> !jit.tensor<[2],f32>
  return %r : !jit.tensor<[2],f32>
}

// CHECK-LABEL: func.func @item(
// CHECK: tensor.extract %{{.*}}[] : tensor<f32>
// CHECK: arith.cmpf une
func.func @item(%x: !jit.tensor<[],f32>) -> i1 {
  %r = aten.Bool.Tensor %x : (!jit.tensor<[],f32>) -> i1
  return %r : i1
}
