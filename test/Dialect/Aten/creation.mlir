// RUN: jit-opt %s --jit-specialize="args=3" | FileCheck %s

// CHECK-LABEL: func.func @forward
func.func @forward(%n: i64) -> (!jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor) {
  %c2 = arith.constant 2 : i64
  %half = arith.constant 0.5 : f64
  %none = jit.constant !jit.none = unit
  %false = arith.constant false
  %sizes = jit.list %n, %c2 : (i64, i64) -> !jit.list<i64>
  // CHECK: aten.zeros {{.*}} -> !jit.tensor<[3,2],f32>
  %z = aten.zeros %sizes, %none, %none, %none, %none : (!jit.list<i64>, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor
  // CHECK: aten.full {{.*}} -> !jit.tensor<[3,2],i64>
  %f = aten.full %sizes, %n, %none, %none, %none, %none : (!jit.list<i64>, i64, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor
  // CHECK: aten.arange.start_step {{.*}} -> !jit.tensor<[5],f32>
  %a = aten.arange.start_step %half, %n, %half, %none, %none, %none, %none : (f64, i64, f64, !jit.none, !jit.none, !jit.none, !jit.none) -> !jit.tensor
  %rows = jit.list %sizes, %sizes : (!jit.list<i64>, !jit.list<i64>) -> !jit.list<!jit.list<i64>>
  // CHECK: aten.tensor {{.*}} -> !jit.tensor<[2,2],i64>
  %t = aten.tensor %rows, %none, %none, %false : (!jit.list<!jit.list<i64>>, !jit.none, !jit.none, i1) -> !jit.tensor
  return %z, %f, %a, %t : !jit.tensor, !jit.tensor, !jit.tensor, !jit.tensor
}
