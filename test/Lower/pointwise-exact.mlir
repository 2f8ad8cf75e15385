// RUN: jit-opt %s --jit-lower | FileCheck %s

// Small powers are products, halves are roots.
// CHECK-LABEL: func.func @powers(
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X:.*]], %[[X]] : f32
// CHECK-NEXT: linalg.yield %[[SQUARE]]
// CHECK: math.sqrt
// CHECK-NOT: math.powf
func.func @powers(%a: !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32> {
  %two = arith.constant 2 : i64
  %half = arith.constant 5.0e-01 : f64
  %r = aten.pow.Tensor_Scalar %a, %two : (!jit.tensor<[2],f32>, i64) -> !jit.tensor<[2],f32>
  %s = aten.pow.Tensor_Scalar %r, %half : (!jit.tensor<[2],f32>, f64) -> !jit.tensor<[2],f32>
  return %s : !jit.tensor<[2],f32>
}

// True division of integers is in f32.
// CHECK-LABEL: func.func @divide(
// CHECK: arith.sitofp %{{.*}} : i64 to f32
// CHECK: arith.divf
func.func @divide(%a: !jit.tensor<[2],i64>) -> !jit.tensor<[2],f32> {
  %none = jit.constant !jit.none = unit
  %r = aten.div.Tensor_mode %a, %a, %none : (!jit.tensor<[2],i64>, !jit.tensor<[2],i64>, !jit.none) -> !jit.tensor<[2],f32>
  return %r : !jit.tensor<[2],f32>
}

// No divisor reaches the machine that it would trap on.
// CHECK-LABEL: func.func @floor(
// CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[C:.*]] : i64
// CHECK: arith.floordivsi %{{.*}}, %[[SAFE]]
func.func @floor(%a: !jit.tensor<[2],i64>, %b: !jit.tensor<[2],i64>) -> !jit.tensor<[2],i64> {
  %r = aten.floor_divide %a, %b : (!jit.tensor<[2],i64>, !jit.tensor<[2],i64>) -> !jit.tensor<[2],i64>
  return %r : !jit.tensor<[2],i64>
}

// CHECK-LABEL: func.func @where(
// CHECK: arith.select %{{.*}}, %{{.*}}, %cst{{.*}} : f32
func.func @where(%c: !jit.tensor<[2],i1>, %a: !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32> {
  %one = arith.constant 1 : i64
  %r = aten.where.ScalarOther %c, %a, %one : (!jit.tensor<[2],i1>, !jit.tensor<[2],f32>, i64) -> !jit.tensor<[2],f32>
  return %r : !jit.tensor<[2],f32>
}

// Dropout is nothing but in training.
// CHECK-LABEL: func.func @dropout(
// CHECK-NEXT: return %arg0
func.func @dropout(%a: !jit.tensor<[2],f32>) -> !jit.tensor<[2],f32> {
  %p = arith.constant 5.0e-01 : f64
  %off = arith.constant false
  %r = aten.dropout %a, %p, %off : (!jit.tensor<[2],f32>, f64, i1) -> !jit.tensor<[2],f32>
  return %r : !jit.tensor<[2],f32>
}
