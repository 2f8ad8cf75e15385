// RUN: jit-opt %s --jit-lower | FileCheck %s

// A sum begins with zero, so that of one negative zero is zero.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[X:.*]]: tensor<1x4xf32>
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[X]]
// CHECK: ^bb0(%[[ELEMENT:.*]]: f32,
// CHECK: arith.addf %[[ELEMENT]], %[[ZERO]] : f32
// CHECK: tensor.collapse_shape
func.func @sum(%x: !jit.tensor<[1,4],f32>) -> !jit.tensor<[4],f32> {
  %first = arith.constant 0 : i64
  %dims = jit.list %first : (i64) -> !jit.list<i64>
  %keep = arith.constant false
  %none = jit.constant !jit.none = unit
  %r = aten.sum.dim_IntList %x, %dims, %keep, %none : (!jit.tensor<[1,4],f32>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[4],f32>
  return %r : !jit.tensor<[4],f32>
}

// The largest of one element is that, and integers have one zero.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @others(%x: !jit.tensor<[1,4],f32>, %n: !jit.tensor<[1,4],i64>) -> (!jit.tensor<[4],f32>, !jit.tensor<[4],i64>) {
  %first = arith.constant 0 : i64
  %dims = jit.list %first : (i64) -> !jit.list<i64>
  %keep = arith.constant false
  %none = jit.constant !jit.none = unit
  %0 = aten.amax %x, %dims, %keep : (!jit.tensor<[1,4],f32>, !jit.list<i64>, i1) -> !jit.tensor<[4],f32>
  %1 = aten.sum.dim_IntList %n, %dims, %keep, %none : (!jit.tensor<[1,4],i64>, !jit.list<i64>, i1, !jit.none) -> !jit.tensor<[4],i64>
  return %0, %1 : !jit.tensor<[4],f32>, !jit.tensor<[4],i64>
}
